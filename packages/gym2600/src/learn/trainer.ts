/** Training in workers: each has its games and rollouts; weights, advantages and gradients cross. */

import { checkpointConfig, defaultConfig, setHyperParameter, WasmLearner } from "../../wasm-learn/gym2600_learn.js";
import { Gym2600Error } from "../errors.js";
import { checkOptions, romBytes } from "../rom.js";
import { LocalShards, SHARDS, type ShardOptions, type Shards } from "./shards.js";
import type { TrainerOptions, TrainingUpdate } from "./types.js";
import { callLearner, instantiateLearner } from "./wasm.js";
import { WorkerShards } from "./worker-shards.js";

/** Updates between two checkpoints that a trainer keeps for the death of a worker. */
const CHECKPOINT_UPDATES = 20;

/** Deaths of workers in a row after which a trainer gives up. */
const DEATHS = 3;

/** The parts of a run's settings that are read here. */
interface Config {
  readonly envs: number;
  readonly hyperParameters: { readonly rollout: number; readonly epochs: number; readonly minibatches: number };
}

/**
 * Plays and learns. Iterate over it: each step of the iteration plays a rollout and learns from it, so a loop that waits pauses the run.
 *
 * If a worker dies, the run goes on from the last checkpoint, which is at most 20 updates old.
 */
export class Trainer implements AsyncIterable<TrainingUpdate> {
  readonly #rom: Uint8Array;
  readonly #config: string;
  readonly #settings: Config;
  readonly #workers: number;
  #learner: WasmLearner;
  #groups: readonly Shards[] = [];
  #kept: Uint8Array;
  #stopped = false;
  #closed = false;

  private constructor(rom: Uint8Array, config: string, workers: number, checkpoint: Uint8Array | undefined) {
    this.#rom = rom;
    this.#config = config;
    this.#settings = JSON.parse(config) as Config;
    this.#workers = workers;
    this.#learner = callLearner(() =>
      checkpoint === undefined ? new WasmLearner(rom, config) : WasmLearner.resume(rom, checkpoint),
    );
    this.#kept = checkpoint ?? new Uint8Array();
  }

  /**
   * Makes the games and the first weights, or those of a checkpoint.
   *
   * @throws Gym2600Error `bad-rom`, `bad-game`, `bad-option`, `bad-weights`
   */
  static async create(options: TrainerOptions): Promise<Trainer> {
    checkOptions(options);
    const { workers = 2, resume } = options;
    if (![0, 1, 2, 4].includes(workers)) {
      throw new Gym2600Error("bad-option", `workers: ${workers} is not 0, 1, 2 or 4`);
    }
    const rom = await romBytes(options.rom);
    await instantiateLearner();
    const config = callLearner(() => (resume === undefined ? configOf(options) : checkpointConfig(resume)));
    const trainer = new Trainer(rom, config, workers, resume);
    try {
      await trainer.#start(resume !== undefined);
      trainer.#kept = await trainer.checkpoint();
    } catch (error) {
      trainer.close();
      throw error;
    }
    return trainer;
  }

  /** Steps played, of all games. */
  get steps(): number {
    this.#check();
    return this.#learner.steps();
  }

  /** Updates until {@link Trainer.stop} or {@link Trainer.close}. */
  async *[Symbol.asyncIterator](): AsyncGenerator<TrainingUpdate, void, undefined> {
    this.#stopped = false;
    while (!this.#stopped && !this.#closed) yield await this.update();
  }

  /** Plays a rollout and learns from it. Do not call it again before it has settled. */
  async update(): Promise<TrainingUpdate> {
    for (let deaths = 0; ; deaths++) {
      this.#check();
      try {
        const update = await this.#update();
        if (update.update % CHECKPOINT_UPDATES === 0) this.#kept = await this.checkpoint();
        return update;
      } catch (error) {
        const died = error instanceof Gym2600Error && error.code === "worker-died";
        if (!died || deaths === DEATHS) throw error;
        await this.#restart();
      }
    }
  }

  /** Ends the iteration after the update that runs. Iterating again goes on. */
  stop(): void {
    this.#stopped = true;
  }

  /** Ends the workers. Pending updates are rejected with `closed`. Idempotent. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const group of this.#groups) group.close();
    this.#learner.free();
  }

  /** The weights as a file of safetensors. */
  weights(): Uint8Array {
    this.#check();
    return callLearner(() => this.#learner.weights());
  }

  /** The policy as an ONNX file. */
  onnx(): Uint8Array {
    this.#check();
    return callLearner(() => this.#learner.onnx());
  }

  /** The run as bytes, to go on from as if it had never stopped. Do not call it during an update. */
  async checkpoint(): Promise<Uint8Array> {
    this.#check();
    const games = (await Promise.all(this.#groups.map((group) => group.save()))).flat();
    this.#check();
    return callLearner(() => {
      for (const [number, game] of games.entries()) this.#learner.keepGame(number, game);
      return this.#learner.checkpoint();
    });
  }

  #check(): void {
    if (this.#closed) throw new Gym2600Error("closed", "the trainer has been closed");
  }

  async #update(): Promise<TrainingUpdate> {
    const start = performance.now();
    const { envs, hyperParameters } = this.#settings;
    const number = this.#learner.updates() + 1;
    const parameters = this.#learner.parameters();
    const rollouts = await Promise.all(this.#groups.map((group) => group.play(parameters, number)));
    this.#check();
    this.#learner.begin(
      joined(rollouts.map((rollout) => rollout.advantages)),
      joined(rollouts.map((rollout) => rollout.values)),
      Float64Array.from(rollouts.flatMap((rollout) => [...rollout.episodes])),
    );
    for (let epoch = 0; epoch < hyperParameters.epochs; epoch++) {
      for (let minibatch = 0; minibatch < hyperParameters.minibatches; minibatch++) {
        await this.#step(epoch, minibatch);
      }
    }
    const report = JSON.parse(callLearner(() => this.#learner.finish())) as Report;
    const seconds = (performance.now() - start) / 1000;
    const weights = (this.#learner.checksum() >>> 0).toString(16).padStart(8, "0");
    return camelCase(report, (envs * hyperParameters.rollout) / seconds, weights);
  }

  async #step(epoch: number, minibatch: number): Promise<void> {
    const [mean = 0, scale = 1] = this.#learner.normalisation(epoch, minibatch);
    const parameters = this.#learner.parameters();
    const at = { epoch, minibatch, mean, scale };
    const results = await Promise.all(this.#groups.map((group) => group.gradient(parameters, at)));
    this.#check();
    const losses = Float64Array.from(results.flatMap((result) => [...result.losses]));
    // Pairs first, as one worker sums them.
    let gradients = results.map((result) => result.gradient);
    while (gradients.length > 1) gradients = pairs(gradients);
    const [gradient] = gradients;
    if (gradient !== undefined) callLearner(() => this.#learner.apply(gradient, losses));
  }

  /** Makes the games, and restores those of the learner's checkpoint. */
  async #start(restore: boolean): Promise<void> {
    const count = SHARDS / Math.max(this.#workers, 1);
    const games = this.#settings.envs / SHARDS;
    const starts = Array.from({ length: SHARDS / count }, (_, group) => {
      const options: ShardOptions = { rom: this.#rom, config: this.#config, first: group * count, count, games };
      return this.#workers === 0 ? new LocalShards(options) : WorkerShards.create(options);
    });
    const groups = await Promise.allSettled(starts);
    this.#groups = groups.flatMap((group) => (group.status === "fulfilled" ? [group.value] : []));
    for (const group of groups) if (group.status === "rejected") throw group.reason;
    if (!restore) return;
    const lanes = count * games;
    const restores = this.#groups.map((group, number) =>
      group.restore(Array.from({ length: lanes }, (_, lane) => this.#learner.game(number * lanes + lane))),
    );
    await Promise.all(restores);
  }

  /** Goes on from the checkpoint that was kept, with new workers. */
  async #restart(): Promise<void> {
    for (const group of this.#groups) group.close();
    this.#learner.free();
    this.#learner = callLearner(() => WasmLearner.resume(this.#rom, this.#kept));
    await this.#start(true);
  }
}

function configOf(options: TrainerOptions): string {
  const { algorithm = "ppo", net, numEnvs, seed, options: game, hyperParameters = {} } = options;
  const config = JSON.parse(defaultConfig(algorithm)) as Record<string, unknown>;
  let hyper = JSON.stringify(config.hyperParameters);
  for (const [name, value] of Object.entries(hyperParameters)) hyper = setHyperParameter(hyper, name, String(value));
  const given = { net, envs: numEnvs, seed, options: game };
  const named = Object.entries(given).filter(([, value]) => value !== undefined);
  return JSON.stringify({ ...config, ...Object.fromEntries(named), hyperParameters: JSON.parse(hyper) });
}

function joined(parts: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Sums of neighbours, in single precision. */
function pairs(gradients: readonly Float32Array[]): Float32Array[] {
  const sums: Float32Array[] = [];
  for (let at = 0; at < gradients.length; at += 2) {
    const [a, b] = [gradients[at], gradients[at + 1]];
    if (a === undefined || b === undefined) throw new Error("gradients come in pairs");
    for (let place = 0; place < a.length; place++) a[place] = (a[place] ?? 0) + (b[place] ?? 0);
    sums.push(a);
  }
  return sums;
}

/** An update as the module reports it. */
interface Report {
  readonly [name: string]: number | null;
}

function camelCase(report: Report, stepsPerSecond: number, weights: string): TrainingUpdate {
  const entries = Object.entries(report).map(([name, value]) => [
    name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ]);
  return { ...Object.fromEntries(entries), stepsPerSecond, weights } as TrainingUpdate;
}
