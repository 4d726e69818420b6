/** Records what is played. */

import { checkOptions, copyOptions, namedOptions } from "../arguments.js";
import { joined } from "../buffers/joined.js";
import { checkDefinition } from "../definition.js";
import { Gym2600Error, shown } from "../errors.js";
import { checkGame } from "../tools/environment.js";
import type { GameDescription, GameOptions, Observation, ResetResult, StepResult } from "../types.js";
import type { NumpyArray } from "./numpy.js";
import { checksumOf, type Replay, type ReplayRun } from "./replay.js";

/** The part of `Game` that a recorder uses. */
export interface RecordableGame {
  readonly description: GameDescription;
  readonly definition?: GameOptions["game"];
  reset(options?: { readonly seed?: number | undefined }): ResetResult;
  step(action: number, options?: { readonly paddleStrength?: number | undefined }): StepResult;
}

/** Options of {@link Recorder}. */
export interface RecorderOptions {
  /** The option `game` that the game was created with, if it was, for objects that do not have it as `definition`. */
  readonly game?: GameOptions["game"];
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
type Result = Pick<StepResult, "reward" | "terminated" | "truncated">;

interface Run {
  readonly seed: number | undefined;
  readonly actions: number[];
  readonly strengths: number[];
  readonly checksums: string[];
  /** Empty unless the arrays are kept. */
  readonly observations: Observation[];
  readonly results: Result[];
}

/**
 * Plays a `Game` and keeps what is needed to play it again, on any machine.
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
 * Changes that bypass the recorder, such as `setRam`, `restore` or a step of the game itself, are not recorded, and the replay then
 * differs. The game stays the caller's to close.
 */
export class Recorder {
  readonly #game: RecordableGame;
  readonly #definition: GameOptions["game"];
  readonly #keepsArrays: boolean;
  readonly #runs: Run[] = [];

  /** @throws Gym2600Error `bad-option`; `bad-game` for a definition in text */
  constructor(game: RecordableGame, options: RecorderOptions = {}) {
    checkGame(game);
    const { game: given, arrays = false } = namedOptions(copyOptions(options), "game", "arrays");
    // A copy: the caller may change its definition after the recording.
    const { definition } = copyOptions({ definition: given ?? game.definition });
    checkDefinition(definition);
    if (definition !== undefined) checkOptions(definition);
    this.#game = game;
    this.#definition = definition;
    this.#keepsArrays = arrays;
  }

  /**
   * Resets the game and begins a run. The first reset needs a seed.
   *
   * @throws Gym2600Error as `Game.reset`
   */
  reset(options: { readonly seed?: number | undefined } = {}): ResetResult {
    const { seed } = namedOptions(options, "seed");
    if (seed === undefined && this.#runs.length === 0) {
      throw new Gym2600Error("bad-option", "seed: the first reset of a recording needs one");
    }
    const result = this.#game.reset({ seed });
    const checksums = [checksumOf(result)];
    const observations = this.#keepsArrays ? [result.observation.slice()] : [];
    this.#runs.push({ seed, actions: [], strengths: [], checksums, observations, results: [] });
    return result;
  }

  /**
   * Takes a step of the game.
   *
   * @throws Gym2600Error as `Game.step`; `bad-state` before the first reset
   */
  step(action: number, options: { readonly paddleStrength?: number | undefined } = {}): StepResult {
    const { paddleStrength = 1 } = namedOptions(options, "paddleStrength");
    const run = this.#runs.at(-1);
    if (run === undefined) throw new Gym2600Error("bad-state", "a recording begins with a reset");
    const result = this.#game.step(action, { paddleStrength });
    run.checksums.push(checksumOf(result));
    run.actions.push(action);
    run.strengths.push(paddleStrength);
    if (this.#keepsArrays) {
      run.observations.push(result.observation.slice());
      const { reward, terminated, truncated } = result;
      run.results.push({ reward, terminated, truncated });
    }
    return result;
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
      observations: stacked(found.observations, this.#game.description.observation.shape),
      actions: { shape: steps, data: Int32Array.from(actions) },
      rewards: { shape: steps, data: Float64Array.from(results, ({ reward }) => reward) },
      terminated: flags("terminated"),
      truncated: flags("truncated"),
    };
  }
}

function replayRun({ seed, actions, strengths, checksums }: Run): ReplayRun {
  return {
    ...(seed === undefined ? {} : { seed }),
    actions: [...actions],
    ...(strengths.every((strength) => strength === 1) ? {} : { paddleStrengths: [...strengths] }),
    checksums: [...checksums],
  };
}

/** Observations of one shape as one array. */
function stacked(observations: readonly Observation[], shape: readonly number[]): NumpyArray {
  const data =
    observations[0] instanceof Float32Array
      ? joined(Float32Array, observations as Float32Array[])
      : joined(Uint8Array, observations as Uint8Array[]);
  return { shape: [observations.length, ...shape], data };
}
