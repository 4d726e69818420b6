/** Records what is played. */

import { checkCount, checkMethods, checkOptions, copyOptions, namedOptions } from "../arguments.js";
import { joined } from "../buffers/joined.js";
import { ARRAYS } from "../buffers/observation-buffers.js";
import { checkDefinition } from "../definition.js";
import { switchesOf } from "../env/accessors.js";
import { Gym2600Error, shown } from "../errors.js";
import { actionNumber } from "../spaces.js";
import { checkGame } from "../tools/environment.js";
import type {
  ActionValue,
  ConsoleSwitches,
  GameDescription,
  GameOptions,
  Observation,
  ResetResult,
  StepResult,
  VectorResetResult,
  VectorStepResult,
} from "../types.js";
import { seedsOf } from "../vector/batch.js";
import type { NumpyArray } from "./numpy.js";
import { checksumOf, type MovedSwitches, type Replay, type ReplayRun } from "./replay.js";

/** The part of `Game` and `GameWorker` that a recorder uses. */
export interface RecordableGame {
  readonly description: GameDescription;
  readonly definition?: GameOptions["game"];
  reset(options?: { readonly seed?: number | undefined }): ResetResult | Promise<ResetResult>;
  step(action: number, options?: { readonly paddleStrength?: number | undefined }): StepResult | Promise<StepResult>;
  /** Needed for {@link Recorder.setSwitches}. */
  setSwitches?(switches: ConsoleSwitches): void | Promise<void>;
}

/** The part of `VectorEnv` that a recorder of one of its lanes uses. */
export interface RecordableBatch {
  readonly description: GameDescription;
  readonly definition?: GameOptions["game"];
  readonly numEnvs: number;
  reset(options?: BatchReset): Promise<VectorResetResult>;
  step(actions: ArrayLike<ActionValue>): Promise<VectorStepResult>;
  /** Needed for {@link Recorder.setSwitches}. */
  setSwitches?(lane: number, switches: ConsoleSwitches): Promise<void>;
}

interface BatchReset {
  readonly seed?: number | readonly number[] | undefined;
  readonly mask?: ArrayLike<boolean | number> | undefined;
}

/** What a recorder's `reset` takes: the seed, and of a batch also the mask. */
type ResetOptionsOf<G> = G extends RecordableBatch ? BatchReset : { readonly seed?: number | undefined };

/** What a recorder's `step` takes: an action, or of a batch one for each lane. */
type ActionOf<G> = G extends RecordableBatch ? ArrayLike<ActionValue> : ActionValue;

/** Options of {@link Recorder}. */
export interface RecorderOptions {
  /** The option `game` that the game was created with, if it was, for objects that do not have it as `definition`. */
  readonly game?: GameOptions["game"];
  /** The lane that is recorded, if the games are a `VectorEnv`. */
  readonly lane?: number | undefined;
  /** Whether observations and results are kept for {@link Recorder.arrays}; false unless given. They take as much memory as they are large. */
  readonly arrays?: boolean | undefined;
}

/** A run as arrays: `observations` has the reset's and one for each step, so one more than the others. */
export interface EpisodeArrays extends Readonly<Record<string, NumpyArray>> {
  readonly observations: NumpyArray;
  readonly actions: NumpyArray;
  readonly rewards: NumpyArray;
  /** 1 for a step that ended the episode, otherwise 0. */
  readonly terminated: NumpyArray;
  readonly truncated: NumpyArray;
}

/** The fields of a result that the arrays keep. */
type KeptResult = Pick<StepResult, "reward" | "terminated" | "truncated">;

/** The result of a reset or a step of the recorded game. */
type OneResult = { readonly observation: Observation } & Partial<KeptResult>;

/** A result of a single environment or of a batch. */
type Result = ResetResult | StepResult | VectorResetResult | VectorStepResult;

interface Run {
  readonly seed: number | undefined;
  readonly actions: number[];
  readonly strengths: number[];
  readonly moves: MovedSwitches[];
  readonly checksums: string[];
  /** Empty unless the arrays are kept. */
  readonly observations: Observation[];
  readonly results: KeptResult[];
}

/**
 * Plays a `Game`, a `GameWorker` or a `VectorEnv` and keeps what is needed to play it again, on any machine; of a `VectorEnv` that is the play
 * of one lane.
 *
 * ```ts
 * import { Game, wallop } from "gym2600";
 * import { Recorder } from "gym2600/record";
 *
 * const game = await Game.create({ rom: wallop, preset: "gymnasium" });
 * const recorder = new Recorder(game);
 * recorder.reset({ seed: 7 });
 * recorder.step(1);
 * const file = JSON.stringify(recorder.replay());
 * ```
 *
 * Results are those of the game, so those of workers are promises. A `VectorEnv` is recorded with the option `lane`: `reset` takes its seed
 * and mask, and `step` an action for each lane.
 *
 * Changes that bypass the recorder, such as `setRam`, `setSwitches` of the game itself, `restore` or a step of the game itself, are not recorded, and the replay then
 * differs. The game stays the caller's to close.
 */
export class Recorder<G extends RecordableGame | RecordableBatch = RecordableGame> {
  readonly #game: G;
  readonly #lane: number | undefined;
  readonly #definition: GameOptions["game"];
  readonly #keepsArrays: boolean;
  readonly #runs: Run[] = [];
  /** The switches of the next call. */
  #switches: ConsoleSwitches = {};
  /** Whether the game was reset. The result of a worker may not have come yet. */
  #begun = false;

  /** @throws Gym2600Error `bad-option`; `bad-game` for a definition in text */
  constructor(game: G, options: RecorderOptions = {}) {
    checkGame(game);
    const { game: given, lane, arrays = false } = namedOptions(copyOptions(options), "game", "lane", "arrays");
    const lanes = "numEnvs" in game ? game.numEnvs : undefined;
    if (lanes === undefined && lane !== undefined) {
      throw new Gym2600Error("bad-option", `lane: ${shown(lane)} was given for a game that has no lanes`);
    }
    if (lanes !== undefined) checkCount("lane", lane as number, 0, lanes - 1);
    // A copy: the caller may change its definition after the recording.
    const { definition } = copyOptions({ definition: given ?? game.definition });
    checkDefinition(definition);
    if (definition !== undefined) checkOptions(definition);
    this.#game = game;
    this.#lane = lane;
    this.#definition = definition;
    this.#keepsArrays = arrays;
  }

  /**
   * Resets the game and begins a run. The first reset needs a seed.
   *
   * @throws Gym2600Error as `Game.reset`
   */
  reset(options: ResetOptionsOf<G> = {}): ReturnType<G["reset"]> {
    const game = this.#game as { reset(options: BatchReset): Result | Promise<Result> };
    const lane = this.#lane;
    const { seed, mask } = namedOptions<BatchReset>(options, "seed", ...(lane === undefined ? [] : ["mask" as const]));
    const own = this.#seed(seed);
    if (own === undefined && !this.#begun) {
      throw new Gym2600Error("bad-option", "seed: the first reset of a recording needs one");
    }
    const switches = this.#switches;
    const isReset = lane === undefined || mask === undefined || Boolean(mask[lane]);
    const begin = (result: Result): void => {
      const one = this.#part(result);
      const checksums = [checksumOf(one)];
      const observations = this.#keepsArrays ? [one.observation.slice()] : [];
      const run = { seed: own, actions: [], strengths: [], moves: [], checksums, observations, results: [] };
      this.#runs.push(run);
      move(run, switches);
    };
    const result = after(game.reset(mask === undefined ? { seed } : { seed, mask }), isReset ? begin : () => {});
    this.#begun ||= isReset;
    return result as ReturnType<G["reset"]>;
  }

  /**
   * Takes a step of the game.
   *
   * @throws Gym2600Error as `Game.step`; `bad-state` before the first reset
   */
  step(action: ActionOf<G>, options: { readonly paddleStrength?: number | undefined } = {}): ReturnType<G["step"]> {
    const game = this.#game as { step(action: unknown, options?: object): Result | Promise<Result> };
    const lane = this.#lane;
    const { paddleStrength = 1 } = namedOptions(options, ...(lane === undefined ? ["paddleStrength" as const] : []));
    if (!this.#begun) throw new Gym2600Error("bad-state", "a recording begins with a reset");
    // The caller may fill a list of actions again before the result has come.
    const given = lane === undefined ? action : Array.from(action as ArrayLike<ActionValue>);
    const own = (lane === undefined ? given : (given as ActionValue[])[lane]) as ActionValue;
    const switches = this.#switches;
    const keep = (result: Result): void => {
      const run = this.#runs.at(-1);
      if (run === undefined) return;
      const one = this.#part(result);
      run.checksums.push(checksumOf(one));
      run.actions.push(actionNumber(own));
      run.strengths.push(paddleStrength);
      move(run, switches);
      if (!this.#keepsArrays) return;
      const { observation, reward = 0, terminated = false, truncated = false } = one;
      run.observations.push(observation.slice());
      run.results.push({ reward, terminated, truncated });
    };
    const result = lane === undefined ? game.step(given, { paddleStrength }) : game.step(given);
    return after(result, keep) as ReturnType<G["step"]>;
  }

  /**
   * Sets the console's switches, as `setSwitches` of the game does, and records them. Of a `VectorEnv` the first argument is the lane.
   *
   * @throws Gym2600Error `bad-option`
   */
  setSwitches(
    ...given: G extends RecordableBatch ? [number, ConsoleSwitches] : [ConsoleSwitches]
  ): void | Promise<void> {
    const game = this.#game as { setSwitches(...given: unknown[]): void | Promise<void> };
    checkMethods("game", game, "setSwitches");
    const [lane, switches] = this.#lane === undefined ? [undefined, given[0]] : (given as [number, ConsoleSwitches]);
    const copy = switchesOf(switches as ConsoleSwitches);
    if (lane === this.#lane) this.#switches = copy;
    return lane === undefined ? game.setSwitches(copy) : game.setSwitches(lane, copy);
  }

  /** The seed of the recorded game. */
  #seed(seed: BatchReset["seed"]): number | undefined {
    const game = this.#game;
    if (seed === undefined || !("numEnvs" in game)) return seed as number | undefined;
    return seedsOf(seed, game.numEnvs, game.description.spec.seeding)[this.#lane as number];
  }

  /** The result of the recorded game. */
  #part(result: Result): OneResult {
    const lane = this.#lane;
    if (lane === undefined) return result as OneResult;
    const { observations, rewards, terminated, truncated } = result as VectorResetResult & Partial<VectorStepResult>;
    const size = this.#game.description.observation.shape.reduce((product, length) => product * length, 1);
    return {
      observation: observations.subarray(lane * size, (lane + 1) * size),
      reward: rewards?.[lane] ?? 0,
      terminated: terminated?.[lane] === 1,
      truncated: truncated?.[lane] === 1,
    };
  }

  /**
   * The replay of all runs so far, as plain data for `JSON.stringify`. It has the resolved list of wrappers instead of a preset.
   *
   * @throws Gym2600Error `bad-state` before the first reset
   */
  replay(): Replay {
    if (this.#runs.length === 0) throw new Gym2600Error("bad-state", "nothing has been recorded");
    const { md5, spec } = this.#game.description;
    const { preset: _, game: __, mode, difficulty, ...settings } = spec;
    const options = {
      ...settings,
      ...(mode === null ? {} : { mode }),
      ...(difficulty === null ? {} : { difficulty }),
      ...(this.#definition === undefined ? {} : { game: this.#definition }),
    };
    return { format: "gym2600-replay", version: 1, md5, options, runs: this.#runs.map(replayRun) };
  }

  /**
   * A run as arrays, for {@link npz}. `run` is its number from 0, or from the end if it is negative; the last one unless given.
   *
   * @throws Gym2600Error `bad-state` if arrays are not kept, `bad-option` if there is no such run
   */
  arrays(run = -1): EpisodeArrays {
    if (!this.#keepsArrays) throw new Gym2600Error("bad-state", "arrays are kept with the option `arrays`");
    const found = Number.isInteger(run) ? this.#runs.at(run) : undefined;
    if (found === undefined) {
      throw new Gym2600Error("bad-option", `run: there is no run ${shown(run)} of ${this.#runs.length}`);
    }
    const { actions, results } = found;
    const steps = [actions.length];
    const flags = (flag: "terminated" | "truncated"): NumpyArray => ({
      shape: steps,
      data: Uint8Array.from(results, (result) => Number(result[flag])),
    });
    return {
      observations: stacked(found.observations, this.#game.description.observation),
      actions: { shape: steps, data: Int32Array.from(actions) },
      rewards: { shape: steps, data: Float64Array.from(results, ({ reward }) => reward) },
      terminated: flags("terminated"),
      truncated: flags("truncated"),
    };
  }
}

/** Gives `result` as it is, and passes what it is or promises to `keep` before the caller gets it. */
function after<T>(result: T | Promise<T>, keep: (result: T) => void): T | Promise<T> {
  if (result instanceof Promise) {
    return result.then((value: T) => {
      keep(value);
      return value;
    });
  }
  keep(result);
  return result;
}

/** Notes the switches of the run's last step, if they have been moved. */
function move(run: Run, switches: ConsoleSwitches): void {
  const { step: _, ...last } = run.moves.at(-1) ?? { step: 0 };
  if (JSON.stringify(last) !== JSON.stringify(switches)) run.moves.push({ step: run.actions.length, ...switches });
}

function replayRun({ seed, actions, strengths, moves, checksums }: Run): ReplayRun {
  return {
    ...(seed === undefined ? {} : { seed }),
    actions: [...actions],
    ...(strengths.every((strength) => strength === 1) ? {} : { paddleStrengths: [...strengths] }),
    ...(moves.length === 0 ? {} : { switches: moves.map((moved) => ({ ...moved })) }),
    checksums: [...checksums],
  };
}

/** Observations of one shape as one array. */
function stacked(observations: readonly Observation[], { shape, dtype }: GameDescription["observation"]): NumpyArray {
  const data = joined(ARRAYS[dtype] as new (length: number) => Observation, observations);
  return { shape: [observations.length, ...shape], data };
}
