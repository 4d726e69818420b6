/** Training in workers: each has its games and rollouts; weights, advantages and gradients cross. */

import { WasmLearner } from "../../wasm-learn/gym2600_learn.js";
import { copyOptions } from "../arguments.js";
import { joined } from "../buffers/joined.js";
import { checkCreated, Gym2600Error, shown, toGym2600Error } from "../errors.js";
import { romBytes } from "../rom.js";
import { CHECKPOINT_STEPS, SHARDS } from "../schema/learn.js";
import type { EpisodeSummary, GameOptions } from "../types.js";
import { checkedDevice, NetDevice } from "./device.js";
import { LearnerRom } from "./game.js";
import { LocalShards, type Rollout, type ShardOptions, type Shards } from "./shards.js";
import { playInTurns } from "./turns.js";
import type { Processor, TrainerOptions, TrainingConfig, TrainingUpdate, UpdateReport } from "./types.js";
import { checkBytes, instantiateModules, LearnerObject, optionsOf } from "./wasm.js";
import { WorkerShards } from "./worker-shards.js";

/** How often one call is made again because a worker has died. */
const RETRIES = 3;

/** After this time a long update without workers leaves the caller's thread. In hidden pages each time takes a second. */
const LONGEST_TURN_MS = 500;

/**
 * Plays and learns. Iterate over it: each step of the iteration plays a rollout and learns from it, so a loop that waits pauses the run.
 *
 * Calls that need the workers run one after the other, in their order: a checkpoint that is asked for during an update follows it. If a
 * worker dies, the run goes on from the last checkpoint, which is at most 50,000 steps old. Every promise settles; those that
 * are rejected have a `Gym2600Error`.
 */
export class Trainer implements AsyncIterable<TrainingUpdate> {
  readonly #rom: Uint8Array;
  readonly #config: TrainingConfig;
  readonly #workers: number;
  #learner: LearnerObject<WasmLearner>;
  #groups: readonly Shards[] = [];
  readonly #device: NetDevice;
  /** The last checkpoint, and its steps. */
  #kept: Uint8Array;
  #keptSteps = 0;
  /** Settles with the call before. */
  #turn: Promise<unknown> = Promise.resolve();
  /** Whether a worker has died since the games were made. */
  #died = false;
  /** Why there are no more updates. */
  #failure: Gym2600Error | undefined;
  /** Whether iterations have to end, and how many there are. */
  #stopped = false;
  #iterations = 0;
  #closed = false;
  /** When the caller's thread was last free. */
  #rested = 0;

  private constructor(
    rom: Uint8Array,
    learner: LearnerObject<WasmLearner>,
    workers: number,
    device: NetDevice,
    checkpoint: Uint8Array | undefined,
  ) {
    checkCreated(learner instanceof LearnerObject);
    this.#rom = rom;
    this.#learner = learner;
    this.#config = learner.run((run) => run.config() as TrainingConfig);
    this.#workers = workers;
    this.#device = device;
    this.#kept = checkpoint ?? new Uint8Array();
  }

  /**
   * Makes the games and the first weights, or those of a checkpoint.
   *
   * @throws Gym2600Error `bad-rom`, `bad-game`, `bad-option` (also where `device` is `gpu` and there is none), `bad-weights`
   */
  static async create(options: TrainerOptions): Promise<Trainer> {
    const { rom: source, workers = 2, device: asked, resume: given, ...wanted } = copyOptions(options);
    const device = checkedDevice(asked);
    const resume = given === undefined ? undefined : checkBytes("resume", given, "bad-weights").slice();
    if (![0, 1, 2, 4].includes(workers)) {
      throw new Gym2600Error("bad-option", `workers: ${shown(workers)} is not 0, 1, 2 or 4`);
    }
    const rom = await romBytes(source);
    await instantiateModules();
    const learner = new LearnerObject(() => new WasmLearner(new LearnerRom(rom), wanted, resume));
    const opened = await NetDevice.open(device, () => learner.run((run) => run.cardWork()));
    const trainer = new Trainer(rom, learner, workers, opened, resume);
    try {
      await trainer.#start(resume !== undefined);
      await trainer.#keep();
    } catch (error) {
      trainer.close();
      throw toGym2600Error(error);
    }
    return trainer;
  }

  /** Steps played until the last whole update, of all games. */
  get steps(): number {
    this.#check();
    return this.#learner.run((learner) => learner.steps());
  }

  /** Whole updates of the run. */
  get updates(): number {
    this.#check();
    return this.#learner.run((learner) => learner.updates());
  }

  /** CRC-32 of all parameters in file order after the last whole update, eight hexadecimal digits. */
  get checksum(): string {
    this.#check();
    const checksum = this.#learner.run((learner) => learner.checksum());
    return (checksum >>> 0).toString(16).padStart(8, "0");
  }

  /** The options of the games, defaults resolved. A `Game` with them and the same ROM restores the states that {@link games} gives. */
  get environment(): Omit<GameOptions, "rom" | "seed"> {
    this.#check();
    return this.#learner.run((learner) => optionsOf(learner.environment()));
  }

  /** What computes the nets. With the device `auto` it changes when a card is lost. */
  get processor(): Processor {
    return this.#device.processor;
  }

  /** The settings of the run, with the defaults of those that were left out. */
  get config(): TrainingConfig {
    this.#check();
    return copyOptions(this.#config);
  }

  /** Updates until {@link Trainer.stop} or {@link Trainer.close}. */
  async *[Symbol.asyncIterator](): AsyncGenerator<TrainingUpdate, void, undefined> {
    this.#iterations++;
    try {
      while (!this.#stopped && !this.#closed) yield await this.update();
    } finally {
      this.#iterations--;
      if (this.#iterations === 0) this.#stopped = false;
    }
  }

  /**
   * Plays a rollout and learns from it.
   *
   * @throws Gym2600Error `not-finite`, with the update's number; then each later update throws it too, and {@link Trainer.checkpoint}
   * gives the last good checkpoint. `worker-died` if workers die again and again. `closed`
   */
  update(): Promise<TrainingUpdate> {
    return this.#inTurn(async () => {
      if (this.#failure !== undefined) throw this.#failure;
      try {
        const update = await this.#update();
        if (update.steps - this.#keptSteps >= CHECKPOINT_STEPS) await this.#keep();
        return update;
      } catch (error) {
        const failure = toGym2600Error(error);
        if (failure.code !== "worker-died" && failure.code !== "closed") this.#failure = failure;
        throw failure;
      }
    });
  }

  /** Ends the iteration after the update that runs, or the next one before its first. Iterating again goes on. */
  stop(): void {
    this.#stopped = true;
  }

  /** Ends the workers. Pending updates are rejected with `closed`. Idempotent. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const group of this.#groups) group.close();
    this.#device.close();
    this.#learner.close();
  }

  /** {@link close}, for `using`. */
  [Symbol.dispose](): void {
    this.close();
  }

  /** The weights as a file of safetensors: during an update those of the update before. */
  weights(): Uint8Array {
    this.#check();
    return this.#learner.run((learner) => learner.weights());
  }

  /** The policy as an ONNX file: during an update that of the update before. */
  onnx(): Uint8Array {
    this.#check();
    return this.#learner.run((learner) => learner.onnx());
  }

  /**
   * The run as bytes, to go on from as if it had never stopped; after an update that failed the last good checkpoint, which is at most
   * 50,000 steps old. The array is the caller's.
   */
  checkpoint(): Promise<Uint8Array> {
    return this.#inTurn(async () => {
      // A worker that dies later goes on from here, so no later checkpoint is older than this one.
      if (this.#failure === undefined) await this.#keep();
      return this.#kept.slice();
    });
  }

  /**
   * The states of all games, in their order, for `restore` of a `Game` with the same ROM and {@link environment}. The arrays are the
   * caller's.
   */
  games(): Promise<Uint8Array[]> {
    return this.#inTurn(() => this.#games());
  }

  #check(): void {
    if (this.#closed) throw new Gym2600Error("closed", "the trainer has been closed");
  }

  /** Queues a call. If a worker dies during it, restores the last checkpoint and makes the call again. */
  #inTurn<T>(call: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(async () => {
      for (let deaths = 0; ; deaths++) {
        this.#check();
        try {
          if (this.#died) await this.#restart();
          return await call();
        } catch (error) {
          // What ran when the trainer was closed has failed for that reason.
          this.#check();
          const failure = toGym2600Error(error);
          if (failure.code !== "worker-died") throw failure;
          this.#died = true;
          if (deaths === RETRIES) throw failure;
        }
      }
    });
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #checkpoint(): Promise<Uint8Array> {
    const games = await this.#games();
    return this.#learner.run((learner) => {
      for (const [number, game] of games.entries()) learner.keepGame(number, game);
      return learner.checkpoint();
    });
  }

  async #keep(): Promise<void> {
    this.#kept = await this.#checkpoint();
    this.#keptSteps = this.steps;
  }

  async #games(): Promise<Uint8Array[]> {
    const games = await Promise.all(this.#groups.map((group) => group.save()));
    this.#check();
    return games.flat();
  }

  async #update(): Promise<TrainingUpdate> {
    await this.#rest(0);
    const start = performance.now();
    const { numEnvs, hyperParameters } = this.#config;
    const number = this.updates + 1;
    const rollouts = await this.#play(number);
    const played = performance.now();
    this.#check();
    const episodes = joined(
      Float64Array,
      rollouts.map(({ episodes }) => episodes),
    );
    const advantages = joined(
      Float32Array,
      rollouts.map(({ advantages }) => advantages),
    );
    const values = joined(
      Float32Array,
      rollouts.map(({ values }) => values),
    );
    this.#learner.run((learner) => learner.begin(advantages, values, episodes));
    if (!(await this.#learnOnCard(rollouts))) {
      for (const [epoch, minibatch] of stepsOf(hyperParameters)) await this.#step(epoch, minibatch);
    }
    this.#check();
    const report = this.#learner.run((learner) => learner.finish() as UpdateReport);
    const weights = this.checksum;
    const end = performance.now();
    return {
      ...report,
      finished: finishedOf(episodes),
      stepsPerSecond: (numEnvs * hyperParameters.rollout * 1000) / (end - start),
      playing: (played - start) / (end - start),
      weights,
      processor: this.#device.processor,
    };
  }

  /** Plays a rollout: with the card as far as it goes, and the rest with the workers' nets. */
  async #play(update: number): Promise<Rollout[]> {
    const hasBegun = await this.#playOnCard(update);
    this.#check();
    return Promise.all(this.#groups.map((group) => group.play(this.#parameters(), update, hasBegun)));
  }

  /** Plays a rollout with a net on the card, as far as there is one; false if none has begun. */
  async #playOnCard(update: number): Promise<boolean> {
    const { card } = this.#device;
    if (card === undefined) return false;
    const { rollout } = this.#config.hyperParameters;
    const moments = (second: boolean) => this.#learner.run((learner) => learner.moments(second));
    card.begin(this.#parameters(), moments(false), moments(true));
    try {
      await playInTurns(card, this.#groups, update, rollout, () => this.#rest(LONGEST_TURN_MS));
    } catch (error) {
      this.#device.lose(error);
    }
    return true;
  }

  /** Makes the gradient steps of an update on the card. False if there is none, or if it was lost: then nothing has changed. */
  async #learnOnCard(rollouts: readonly Rollout[]): Promise<boolean> {
    const { card } = this.#device;
    if (card === undefined) return false;
    const steps = joined(
      Uint32Array,
      rollouts.map((rollout) => rollout.steps),
    );
    try {
      card.setSteps(this.#learner.run((learner) => learner.cardSteps(steps)));
      for (const [epoch, minibatch] of stepsOf(this.#config.hyperParameters)) {
        card.step(
          this.#learner.run((learner) => learner.cardSamples(epoch, minibatch)),
          this.#learner.run((learner) => learner.cardSettings(epoch, minibatch)),
        );
      }
      const { parameters, first, second, totals } = await card.finish();
      this.#check();
      this.#learner.run((learner) => learner.take(parameters, first, second, totals));
      return true;
    } catch (error) {
      this.#device.lose(error);
      return false;
    }
  }

  /** Leaves the caller's thread if it was last free that long ago: without workers only this lets the page do something else. */
  async #rest(milliseconds: number): Promise<void> {
    if (this.#workers === 0 && performance.now() - this.#rested >= milliseconds) {
      await new Promise<void>((later) => setTimeout(later));
      this.#rested = performance.now();
    }
    this.#check();
  }

  async #step(epoch: number, minibatch: number): Promise<void> {
    await this.#rest(LONGEST_TURN_MS);
    const [mean = 0, scale = 1] = this.#learner.run((learner) => learner.normalisation(epoch, minibatch));
    const at = { epoch, minibatch, mean, scale };
    const results = await Promise.all(this.#groups.map((group) => group.gradient(this.#parameters(), at)));
    this.#check();
    const losses = joined(
      Float64Array,
      results.map(({ losses }) => losses),
    );
    // Pairs first, as one worker sums them.
    let gradients = results.map((result) => result.gradient);
    while (gradients.length > 1) gradients = pairs(gradients);
    const [gradient] = gradients as [Float32Array];
    this.#learner.run((learner) => learner.apply(gradient, losses));
  }

  /** A copy of the weights. */
  #parameters(): Float32Array {
    return this.#learner.run((learner) => learner.parameters());
  }

  /** Makes the games, and restores those of the learner's checkpoint. */
  async #start(restore: boolean): Promise<void> {
    const count = SHARDS / Math.max(this.#workers, 1);
    const starts = Array.from({ length: SHARDS / count }, (_, group) => {
      const options: ShardOptions = { rom: this.#rom, config: this.#config, first: group * count, count };
      return this.#workers === 0 ? new LocalShards(options) : WorkerShards.create(options);
    });
    const groups = await Promise.allSettled(starts);
    this.#groups = groups.flatMap((group) => (group.status === "fulfilled" ? [group.value] : []));
    if (this.#closed) for (const group of this.#groups) group.close();
    this.#check();
    for (const group of groups) if (group.status === "rejected") throw group.reason;
    if (!restore) return;
    const lanes = (count * this.#config.numEnvs) / SHARDS;
    const restores = this.#groups.map((group, number) =>
      group.restore(
        this.#learner.run((learner) => Array.from({ length: lanes }, (_, lane) => learner.game(number * lanes + lane))),
      ),
    );
    await Promise.all(restores);
  }

  /** Goes on from the checkpoint that was kept, with new workers. */
  async #restart(): Promise<void> {
    for (const group of this.#groups) group.close();
    this.#groups = [];
    await instantiateModules();
    const learner = new LearnerObject(() => new WasmLearner(new LearnerRom(this.#rom), {}, this.#kept));
    this.#learner.close();
    this.#learner = learner;
    await this.#start(true);
    this.#died = false;
  }
}

/** Sums of neighbours, in single precision. Their number is even. */
function pairs(gradients: readonly Float32Array[]): Float32Array[] {
  const sums: Float32Array[] = [];
  for (let at = 0; at < gradients.length; at += 2) {
    const [a, b] = gradients.slice(at) as [Float32Array, Float32Array];
    for (let place = 0; place < a.length; place++) (a[place] as number) += b[place] as number;
    sums.push(a);
  }
  return sums;
}

/** The games of a rollout as objects. */
function finishedOf(episodes: Float64Array): EpisodeSummary[] {
  return Array.from({ length: episodes.length / 4 }, (_, game) => ({
    reward: episodes[4 * game + 1] as number,
    length: episodes[4 * game + 2] as number,
    frames: episodes[4 * game + 3] as number,
  }));
}

/** The gradient steps of an update: epoch and minibatch. */
function* stepsOf({ epochs, minibatches }: TrainingConfig["hyperParameters"]): Generator<readonly [number, number]> {
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (let minibatch = 0; minibatch < minibatches; minibatch++) yield [epoch, minibatch];
  }
}
