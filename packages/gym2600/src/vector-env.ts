/** Several environments of one game, stepped together. */

import { Gym2600Error, toGym2600Error } from "./errors.js";
import type { Outcome } from "./lane.js";
import { type GroupResult, type LaneGroup, LocalGroup, WorkerGroup } from "./lane-group.js";
import { bytesOf, checkObservation, newObservation } from "./observation.js";
import type { LaneReset } from "./protocol.js";
import { romBytes } from "./rom.js";
import { Box, checkSeed, commonSpace, Discrete, MultiDiscrete } from "./spaces.js";
import type { GameDescription, GameOptions, Info, Observation, Picture } from "./types.js";

/** How a {@link VectorEnv} is set up. */
export interface VectorEnvOptions extends Omit<GameOptions, "seed"> {
  /** How many environments there are; also called lanes, numbered from 0. */
  readonly numEnvs: number;
  /**
   * How many workers they are spread over, in order and as evenly as can be: one for each unless said. 0 for this thread.
   */
  readonly workers?: number | undefined;
  /**
   * One seed, from which the lanes count up (with the seeding `"gym"`, as in the notebook, every lane gets the seed itself),
   * or a list with one for each lane; 0 unless said.
   */
  readonly seed?: number | readonly number[] | undefined;
}

/** Options of {@link VectorEnv.reset}. */
export interface VectorResetOptions {
  /** Seeds, as in {@link VectorEnvOptions}; without any the generators go on where they are. */
  readonly seed?: number | readonly number[] | undefined;
  /** Which lanes to reset; all unless said. The others, and their observations, stay as they are. */
  readonly mask?: ArrayLike<boolean | number> | undefined;
  /** Where to write the observations; see {@link VectorEnv.step}. */
  readonly into?: Observation | undefined;
}

/** Options of {@link VectorEnv.step}. */
export interface VectorStepOptions {
  /** Where to write the observations; see {@link VectorEnv.step}. */
  readonly into?: Observation | undefined;
}

/** What {@link VectorEnv.reset} gives. */
export interface VectorResetResult {
  /** All lanes' observations, one after the other: (numEnvs, ...). */
  readonly observations: Observation;
  /** One for each lane. */
  readonly infos: readonly Info[];
}

/** What {@link VectorEnv.step} gives. */
export interface VectorStepResult extends VectorResetResult {
  /** One for each lane. */
  readonly rewards: Float64Array<ArrayBuffer>;
  /** 1 for each lane whose episode the game itself ended, else 0. */
  readonly terminated: Uint8Array<ArrayBuffer>;
  /** 1 for each lane whose episode something outside the game ended, else 0. */
  readonly truncated: Uint8Array<ArrayBuffer>;
}

/** Some lanes, and who has them. */
interface Span {
  readonly group: LaneGroup;
  readonly start: number;
  readonly length: number;
}

/**
 * Several environments of one game, in this thread or spread over workers, stepped together into one batch.
 *
 * ```ts
 * const envs = await VectorEnv.create({ rom, numEnvs: 8, preset: "gymnasium", seed: 0, autoreset: "next-step" });
 * let { observations } = await envs.reset();
 * const { rewards, terminated, truncated, infos } = await envs.step(actions);
 * await envs.close();
 * ```
 *
 * Environments reset in the step after an end, unless `autoreset` or the preset says otherwise. A refused call changes
 * nothing. When a worker dies, the step it was in is rejected with `worker-died` and its first lane's number; the other
 * lanes have taken that step.
 */
export class VectorEnv {
  readonly numEnvs: number;
  /** What is known about the game, as plain data; the same for all lanes. */
  readonly description: GameDescription;
  readonly singleObservationSpace: Box;
  readonly singleActionSpace: Discrete;
  /** (numEnvs, ...) */
  readonly observationSpace: Box;
  readonly actionSpace: MultiDiscrete;

  readonly #spans: readonly Span[];
  /** For each lane, whether a reset has to come before the next step. */
  readonly #needsReset: boolean[];
  #closed: Promise<void> | undefined;

  private constructor(spans: readonly Span[], numEnvs: number) {
    const descriptions = spans.map(({ group }) => group.description);
    const observations = descriptions.map(({ observation: { shape, dtype } }) => new Box(shape, dtype));
    this.#spans = spans;
    this.numEnvs = numEnvs;
    this.#needsReset = new Array<boolean>(numEnvs).fill(true);
    this.description = descriptions[0] as GameDescription;
    this.singleObservationSpace = commonSpace(observations);
    this.singleActionSpace = commonSpace(descriptions.map(({ actions }) => new Discrete(actions.length)));
    const { shape, dtype } = this.singleObservationSpace;
    this.observationSpace = new Box([numEnvs, ...shape], dtype);
    this.actionSpace = new MultiDiscrete(new Array<number>(numEnvs).fill(this.singleActionSpace.n));
  }

  /**
   * Loads the games.
   *
   * @throws Gym2600Error as `GameWorker.create`; `bad-option` for a wrong number of environments, workers or seeds
   */
  static async create(options: VectorEnvOptions): Promise<VectorEnv> {
    const { rom: source, numEnvs, workers = numEnvs, seed = 0, ...game } = options;
    checkCount("numEnvs", numEnvs, 1);
    checkCount("workers", workers, 0);
    const rom = await romBytes(source);
    const { autoreset, seeding } = await resolve(rom, game);
    const seeds = seedsOf(seed, numEnvs, seeding);
    const lanes = seeds.map((seed) => ({ ...game, autoreset, seed }));
    const groups = Math.min(Math.max(workers, 1), numEnvs);
    const starts = Array.from({ length: groups + 1 }, (_, group) => Math.floor((group * numEnvs) / groups));
    const opened = await Promise.allSettled(
      starts.slice(0, -1).map(async (start, group): Promise<Span> => {
        const own = lanes.slice(start, starts[group + 1]);
        const open = workers === 0 ? LocalGroup.open(rom, own) : WorkerGroup.open(rom, own);
        return { group: await open, start, length: own.length };
      }),
    );
    const spans = opened.filter((result) => result.status === "fulfilled").map(({ value }) => value);
    const failure = opened.find((result) => result.status === "rejected");
    if (failure !== undefined) {
      await Promise.all(spans.map(({ group }) => group.close()));
      throw failure.reason;
    }
    return new VectorEnv(spans, numEnvs);
  }

  /**
   * Starts episodes, in all lanes or in those of `mask`. For who owns the observations see {@link step}.
   *
   * @throws Gym2600Error `bad-option`, `bad-buffer`, `closed`, `worker-died`
   */
  async reset(options: VectorResetOptions = {}): Promise<VectorResetResult> {
    this.#checkOpen();
    const { seed, mask } = options;
    if (mask !== undefined) this.#checkLength("reset mask places", mask.length);
    const seeds = seed === undefined ? undefined : seedsOf(seed, this.numEnvs, this.description.spec.seeding);
    const observations = this.#target(options.into);
    const resets = Array.from({ length: this.numEnvs }, (_, lane): LaneReset => {
      if (mask !== undefined && !mask[lane]) return "leave";
      return seeds?.[lane] ?? "continue";
    });
    for (const [lane, reset] of resets.entries()) if (reset !== "leave") this.#needsReset[lane] = false;
    const outcomes = await this.#collect(observations, ({ group, start, length }) =>
      group.reset(resets.slice(start, start + length)),
    );
    return { observations, infos: outcomes.map(({ info }) => info) };
  }

  /**
   * Takes a step in every lane; `actions` has one for each.
   *
   * The observations are the caller's, for good: they are a new array, or `into` if that was given, which is written when
   * the promise settles. A loop that needs only the latest ones passes the same array each time.
   *
   * @throws Gym2600Error `bad-action`, `bad-buffer`, `bad-state`, `closed`, `worker-died`; with `lane` where it is one lane's
   */
  async step(actions: ArrayLike<number>, options: VectorStepOptions = {}): Promise<VectorStepResult> {
    this.#checkOpen();
    this.#checkLength("actions", actions.length);
    const list = Array.from(actions);
    for (const [lane, action] of list.entries()) this.#checkStep(lane, action);
    const observations = this.#target(options.into);
    const outcomes = await this.#collect(observations, ({ group, start, length }) =>
      group.step(list.slice(start, start + length)),
    );
    if (!this.description.resetsItself) {
      for (const [lane, outcome] of outcomes.entries()) {
        this.#needsReset[lane] = outcome.terminated || outcome.truncated;
      }
    }
    return {
      observations,
      rewards: Float64Array.from(outcomes, ({ reward }) => reward),
      terminated: Uint8Array.from(outcomes, ({ terminated }) => Number(terminated)),
      truncated: Uint8Array.from(outcomes, ({ truncated }) => Number(truncated)),
      infos: outcomes.map(({ info }) => info),
    };
  }

  /**
   * A lane's picture as it is after the calls made so far. Its array is the caller's.
   *
   * @throws Gym2600Error `bad-option`, `closed`, `worker-died`
   */
  async render(lane: number): Promise<Picture> {
    this.#checkOpen();
    const span = this.#spans.find(({ start, length }) => lane >= start && lane < start + length);
    if (span === undefined || !Number.isInteger(lane)) {
      throw new Gym2600Error("bad-option", `there is no environment ${lane}: there are ${this.numEnvs}`);
    }
    return span.group.render(lane - span.start);
  }

  /** Waits for the calls made so far, then ends the workers. Calls after the first give the same promise. */
  close(): Promise<void> {
    this.#closed ??= Promise.all(this.#spans.map(({ group }) => group.close())).then(() => undefined);
    return this.#closed;
  }

  /** Asks every group, and writes what they observed. All have answered when this settles, in whichever way. */
  async #collect(observations: Observation, ask: (span: Span) => Promise<GroupResult>): Promise<Outcome[]> {
    const bytes = bytesOf(observations);
    const laneBytes = this.singleObservationSpace.byteLength;
    const results = await Promise.allSettled(this.#spans.map(ask));
    const outcomes: Outcome[] = [];
    let failure: Gym2600Error | undefined;
    for (const [index, result] of results.entries()) {
      const { start, length } = this.#spans[index] as Span;
      if (result.status === "fulfilled") {
        result.value.observe(bytes.subarray(start * laneBytes, (start + length) * laneBytes));
        outcomes.push(...result.value.outcomes);
      } else {
        failure ??= laneError(start, toGym2600Error(result.reason));
      }
    }
    if (failure !== undefined) throw failure;
    return outcomes;
  }

  #checkOpen(): void {
    if (this.#closed !== undefined) throw new Gym2600Error("closed", "the environments have been closed");
  }

  #checkLength(what: string, given: number): void {
    if (given === this.numEnvs) return;
    throw new Gym2600Error("bad-action", `${given} ${what} were given for ${this.numEnvs} environments`);
  }

  #checkStep(lane: number, action: number): void {
    const { n } = this.singleActionSpace;
    if (!this.singleActionSpace.contains(action)) {
      const range = `this environment has ${n} actions, 0 to ${n - 1}`;
      throw laneError(lane, new Gym2600Error("bad-action", `action ${String(action)} is out of range: ${range}`));
    }
    if (this.#needsReset[lane]) {
      throw laneError(lane, new Gym2600Error("bad-state", "reset the environment before the next step"));
    }
  }

  #target(into: Observation | undefined): Observation {
    if (into === undefined) return newObservation(this.observationSpace);
    checkObservation(into, this.observationSpace);
    return into;
  }
}

/** What the options come to; refuses bad ones before any worker is started. */
async function resolve(
  rom: Uint8Array,
  game: Omit<GameOptions, "rom" | "seed">,
): Promise<{ autoreset: GameOptions["autoreset"]; seeding: GameDescription["spec"]["seeding"] }> {
  const probe = await LocalGroup.open(rom, [game]);
  const { resetsItself, spec } = probe.description;
  await probe.close();
  return { autoreset: game.autoreset ?? (resetsItself ? undefined : "next-step"), seeding: spec.seeding };
}

function seedsOf(seed: number | readonly number[], numEnvs: number, seeding: "gymnasium" | "gym" | "native"): number[] {
  if (typeof seed === "number") {
    checkSeed(seed);
    return Array.from({ length: numEnvs }, (_, lane) => (seeding === "gym" ? seed : checkSeed(seed + lane)));
  }
  if (seed.length !== numEnvs) {
    const lengths = `seed has length ${seed.length} but must have length equal to numEnvs which is ${numEnvs}`;
    throw new Gym2600Error("bad-option", lengths);
  }
  return seed.map(checkSeed);
}

function checkCount(what: string, count: number, least: number): void {
  if (Number.isSafeInteger(count) && count >= least) return;
  throw new Gym2600Error("bad-option", `${what} has to be a whole number of at least ${least}, not ${String(count)}`);
}

function laneError(lane: number, error: Gym2600Error): Gym2600Error {
  return new Gym2600Error(error.code, `environment ${lane}: ${error.message}`, { cause: error, lane });
}
