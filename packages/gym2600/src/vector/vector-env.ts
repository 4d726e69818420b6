/** Several environments of one game, stepped together. */

import { BufferPool, recyclable } from "../buffers/buffer-pool.js";
import { badAction, Lane } from "../env/lane.js";
import { type ErrorCode, Gym2600Error, toGym2600Error } from "../errors.js";
import { romBytes } from "../rom.js";
import { Box, commonSpace, Discrete, MultiDiscrete } from "../spaces.js";
import type { GameDescription, GameOptions, Observation, Picture, ResetResult } from "../types.js";
import type { LaneReset } from "../worker/protocol.js";
import { type BatchShape, batchSpace, gather, given, joined, lanesError, NO_INFO, seedsOf } from "./batch.js";
import { type Failure, InFlight } from "./in-flight.js";
import { type GroupSetup, LaneGroup, type Part } from "./lane-group.js";
import type {
  RecvOptions,
  StepManyOptions,
  VectorBatch,
  VectorEnvOptions,
  VectorResetOptions,
  VectorResetResult,
  VectorReviveResult,
  VectorStepManyResult,
  VectorStepOptions,
  VectorStepResult,
} from "./vector-types.js";

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
 * nothing.
 *
 * **Asynchronously.** {@link send} gives actions to some lanes and {@link recv} waits for those that are ready first. The
 * lanes of one `send` that share a worker get ready together.
 *
 * **When a worker dies,** the call it was in is rejected with `worker-died`, the numbers of its lanes (`error.lane`,
 * `error.lanes`) and what the others, which go on, brought (`error.rest`). From then on calls that need a dead lane are
 * refused; the others can be stepped with `send`, and {@link revive} brings the dead ones back.
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

  readonly #groups: readonly LaneGroup[];
  /** The group of each lane. */
  readonly #groupOfLane: readonly LaneGroup[];
  /** All lanes, and the groups that they are in. */
  readonly #lanes: readonly number[];
  readonly #everyone: readonly Asked[];
  /** Of a step of all lanes. */
  readonly #shape: BatchShape;
  readonly #inFlight = new InFlight();
  #closed: Promise<void> | undefined;

  private constructor(groups: readonly LaneGroup[], { laneBytes, pool }: GroupSetup) {
    const descriptions = groups.map(({ description }) => description);
    this.#groups = groups;
    this.#groupOfLane = groups.flatMap((group) => group.lanes.map(() => group));
    this.numEnvs = this.#groupOfLane.length;
    this.description = descriptions[0] as GameDescription;
    this.singleObservationSpace = commonSpace(
      descriptions.map(({ observation: { shape, dtype } }) => new Box(shape, dtype)),
    );
    this.singleActionSpace = commonSpace(descriptions.map(({ actions }) => new Discrete(actions.length)));
    this.observationSpace = batchSpace(this.singleObservationSpace, this.numEnvs);
    this.actionSpace = new MultiDiscrete(new Array<number>(this.numEnvs).fill(this.singleActionSpace.n));
    this.#lanes = Array.from(this.#groupOfLane.keys());
    this.#everyone = groups.map((group) => ({ group, lanes: group.lanes, places: group.lanes }));
    const [space, rows] = [this.observationSpace, this.numEnvs];
    this.#shape = { space, rows, numEnvs: rows, laneBytes, pool };
  }

  /**
   * Loads the games.
   *
   * @throws Gym2600Error as `GameWorker.create`; `bad-option` for a wrong number of environments, workers or seeds
   */
  static async create(options: VectorEnvOptions): Promise<VectorEnv> {
    const { rom: source, numEnvs, workers = numEnvs, seed = 0, keepStates = 0, ...game } = options;
    checkCount("numEnvs", numEnvs, 1);
    checkCount("workers", workers, 0);
    checkCount("keepStates", keepStates, 0);
    const rom = await romBytes(source);
    const { autoreset, seeding, laneBytes } = await resolve(rom, game);
    const lanes = seedsOf(seed, numEnvs, seeding).map((seed) => ({ ...game, autoreset, seed }));
    const count = Math.min(Math.max(workers, 1), numEnvs);
    const starts = Array.from({ length: count + 1 }, (_, group) => Math.floor((group * numEnvs) / count));
    const place = workers === 0 ? "here" : "worker";
    // One for each worker, one for what is recycled, and one for what it is told in.
    const pool = new BufferPool(count + 2);
    const setup: GroupSetup = { rom, place, keepStates, laneBytes, pool };
    const opened = await Promise.allSettled(
      starts.slice(0, -1).map((start, group) => LaneGroup.open(setup, start, lanes.slice(start, starts[group + 1]))),
    );
    const groups = opened.filter((result) => result.status === "fulfilled").map(({ value }) => value);
    const failure = opened.find((result) => result.status === "rejected");
    if (failure === undefined) return new VectorEnv(groups, setup);
    await Promise.all(groups.map((group) => group.close()));
    throw failure.reason;
  }

  /** The lanes whose worker has died; see {@link revive}. */
  get deadLanes(): number[] {
    if (this.#closed !== undefined) return [];
    return this.#groups.filter(({ dead }) => dead).flatMap(({ lanes }) => lanes);
  }

  /**
   * Starts episodes, in all lanes or in those of `mask`. For who owns the observations see {@link step}.
   *
   * @throws Gym2600Error `bad-option`, `bad-action` for a mask of the wrong length, `bad-buffer`, `bad-state` while something
   * is to be received, `closed`, `worker-died`
   */
  async reset(options: VectorResetOptions = {}): Promise<VectorResetResult> {
    this.#checkOpen();
    const { seed, mask } = options;
    if (mask !== undefined) checkLength("reset mask places", mask.length, this.numEnvs);
    const seeds = seed === undefined ? undefined : seedsOf(seed, this.numEnvs, this.description.spec.seeding);
    const into = given(options.into, this.#shape);
    this.#checkAlive(this.#lanes.filter((lane) => mask === undefined || mask[lane]));
    this.#checkReceived(this.#lanes);
    const resetOf = (lane: number): LaneReset => {
      if (mask !== undefined && !mask[lane]) return "leave";
      return seeds?.[lane] ?? "continue";
    };
    const alive = this.#everyone.filter(({ group }) => !group.dead);
    const parts = await this.#together(alive, ({ group, lanes }) =>
      group.reset(lanes, lanes.map(resetOf), into.observations),
    );
    const { observations, infos } = joined(parts, this.#shape, into);
    return { observations, infos };
  }

  /**
   * Takes a step in every lane; `actions` has one for each.
   *
   * The observations are the caller's, until they are given back by {@link recycle}: they are a new array, or `into` if that
   * was given, which is written by the time the promise settles. A loop that needs only the latest ones passes the same array
   * each time; if `into` is an earlier result, all its arrays are filled again, it is what the promise gives, and nothing of
   * their size is allocated.
   *
   * @throws Gym2600Error `bad-action`, `bad-buffer`, `bad-state` before a reset or while something is to be received, `closed`,
   * `worker-died`; with `lane` where it is one lane's
   */
  step(actions: ArrayLike<number>, options: VectorStepOptions = {}): Promise<VectorStepResult> {
    return this.#steps([actions], this.#shape, false, options.into);
  }

  /**
   * Takes several steps in every lane with one message to each worker, for actions that are known beforehand: scripted
   * ones, repeated ones, plans. `actions` has a list for each step, with one action for each lane. For who owns the
   * observations see {@link step}.
   *
   * Where lanes reset by themselves, a list's actions go on into the next episode, and in the step that resets one is ignored
   * as ever. Otherwise a lane stops where its episode ends; see `taken`.
   *
   * @throws Gym2600Error as {@link step}; `bad-action` too if there is no step
   */
  async stepMany(
    actions: ReadonlyArray<ArrayLike<number>>,
    options: StepManyOptions = {},
  ): Promise<VectorStepManyResult> {
    this.#checkOpen();
    const steps = actions.length;
    if (steps === 0) throw new Gym2600Error("bad-action", "0 steps were given, and at least 1 is needed");
    const every = options.observations !== "last";
    const space = every ? batchSpace(this.singleObservationSpace, steps, this.numEnvs) : this.observationSpace;
    const shape = { ...this.#shape, space, rows: steps * this.numEnvs };
    const batch = await this.#steps(actions, shape, every, options.into);
    const taken = new Int32Array(this.numEnvs).fill(steps);
    for (let index = batch.rewards.length - 1; index >= 0; index--) {
      const ended = batch.terminated[index] === 1 || batch.truncated[index] === 1;
      if (ended && !this.description.resetsItself) taken[index % this.numEnvs] = Math.floor(index / this.numEnvs) + 1;
    }
    return { ...batch, steps, taken };
  }

  /**
   * Gives actions to lanes, whose results {@link recv} will give: to all of them, or to those of `envIds`, one action for each.
   * A lane has to be received before it is sent another. Returns at once.
   *
   * @throws Gym2600Error as {@link step}; `bad-option` for a lane that there is not, or twice
   */
  send(actions: ArrayLike<number>, envIds?: ArrayLike<number>): void {
    this.#checkOpen();
    const chosen = this.#chosen(envIds);
    this.#checkActions(actions, chosen);
    this.#checkSteppable(chosen);
    for (const { group, lanes, places } of this.#byGroup(chosen)) {
      this.#inFlight.add(lanes, group.step(lanes, dealt([actions], places), false));
    }
  }

  /**
   * Resets lanes, all or those of `envIds`, whose first observations {@link recv} will give, with reward 0 and no flags.
   *
   * @throws Gym2600Error as {@link send}
   */
  sendReset(envIds?: ArrayLike<number>): void {
    this.#checkOpen();
    const chosen = this.#chosen(envIds);
    this.#checkAlive(chosen);
    this.#checkReceived(chosen);
    for (const { group, lanes } of this.#byGroup(chosen)) {
      this.#inFlight.add(lanes, group.reset(lanes, new Array<LaneReset>(lanes.length).fill("continue")));
    }
  }

  /**
   * Waits until at least `minimum` of the lanes that were sent something are ready, and gives all that are, in the order in
   * which they got ready. The arrays are the caller's, see {@link step}; with `into` the observations are a view of that.
   *
   * When a worker has died, the next `recv` is rejected with `worker-died` and its lanes, once; the others can still be
   * received.
   *
   * @throws Gym2600Error `bad-option`, `bad-buffer`, `bad-state` if fewer are on their way or another `recv` waits, `closed`,
   * `worker-died`
   */
  async recv(minimum = 1, options: RecvOptions = {}): Promise<VectorBatch> {
    this.#checkOpen();
    checkCount("minimum", minimum, 1);
    const into = given(options.into, this.#shape);
    const parts = await this.#inFlight.receive(minimum).catch((failures: readonly Failure[]) => {
      const [first] = failures;
      const lanes = failures.flatMap((failure) => failure.lanes);
      throw lanesError(lanes, toGym2600Error(first?.error));
    });
    return this.#gathered(parts, into.observations);
  }

  /**
   * A lane's complete state after the calls made so far, as bytes; see `Game.save`, whose states are the same. The array is
   * the caller's; a copy is kept for {@link revive}.
   *
   * @throws Gym2600Error `bad-option`, `closed`, `worker-died`
   */
  async save(lane: number): Promise<Uint8Array<ArrayBuffer>> {
    return this.#ofLane(lane, (group) => group.save(lane));
  }

  /**
   * Takes a lane back to a state that {@link save}, `Game.save` or `GameWorker.save` gave with the same ROM and options, and
   * gives its observation. The bytes are copied, and kept for {@link revive}.
   *
   * @throws Gym2600Error `bad-saved-state` for bytes of another ROM, other options or no state at all; `bad-option`,
   * `bad-state` while the lane is to be received, `closed`, `worker-died`
   */
  async restore(lane: number, state: Uint8Array): Promise<ResetResult> {
    const [, part] = await this.#ofLane(lane, (group) => {
      this.#checkReceived([lane]);
      return Promise.all([group.restore(lane, state), group.observe([lane])]);
    });
    const { observations, infos } = this.#gathered([part]);
    return { observation: observations, info: infos[0] ?? NO_INFO };
  }

  /**
   * Starts a new worker in the place of the one that a lane has died with. All lanes of that worker go back to their state
   * that was kept last, by {@link save}, {@link restore} or every `keepStates` steps; those without one are reset with their
   * last seed. The steps since then are lost.
   *
   * @throws Gym2600Error `bad-option`; `bad-state` if the lane has not died; `closed`; as {@link create}, and may then be
   * tried again
   */
  async revive(lane: number): Promise<VectorReviveResult> {
    const [restored, part] = await this.#ofLane(lane, async (group) => {
      if (!group.dead) throw new Gym2600Error("bad-state", "its worker is alive");
      return [await group.revive(), await group.observe(group.lanes)] as const;
    });
    const { envIds, observations, infos } = this.#gathered([part]);
    return { envIds, observations, infos, restored };
  }

  /**
   * A lane's picture as it is after the calls made so far. Its array is the caller's.
   *
   * @throws Gym2600Error `bad-option`, `closed`, `worker-died`
   */
  async render(lane: number): Promise<Picture> {
    return this.#ofLane(lane, (group) => group.render(lane));
  }

  /**
   * Gives the memory of a result's observations back, so that a later result is written there instead of to a new array.
   * From this call on the array is not the caller's: it may be emptied, or filled, at any time.
   *
   * Nothing is copied between a single worker and a caller who gives back each result that is done with.
   *
   * @throws Gym2600Error `bad-buffer` if the array is no whole buffer of a size that results have
   */
  recycle(observations: Observation): void {
    const { laneBytes, pool } = this.#shape;
    pool.add(recyclable(observations, (bytes) => bytes > 0 && bytes % laneBytes === 0));
  }

  /** Waits for the calls made so far, then ends the workers. Calls after the first give the same promise. */
  close(): Promise<void> {
    this.#closed ??= Promise.all(this.#groups.map((group) => group.close())).then(() => undefined);
    return this.#closed;
  }

  #groupOf(lane: number): LaneGroup {
    const group = this.#groupOfLane[lane];
    if (group !== undefined) return group;
    throw new Gym2600Error("bad-option", `there is no environment ${String(lane)}: there are ${this.numEnvs}`);
  }

  /** The groups that some lanes are in, with those of their lanes. */
  #byGroup(chosen: readonly number[]): Asked[] {
    const asked = new Map<LaneGroup, { group: LaneGroup; lanes: number[]; places: number[] }>();
    for (const [place, lane] of chosen.entries()) {
      const group = this.#groupOf(lane);
      const own = asked.get(group) ?? { group, lanes: [], places: [] };
      asked.set(group, own);
      own.lanes.push(lane);
      own.places.push(place);
    }
    return Array.from(asked.values());
  }

  /** Takes steps in all lanes. */
  async #steps(
    actions: ReadonlyArray<ArrayLike<number>>,
    shape: BatchShape,
    every: boolean,
    wanted: Observation | VectorStepResult | undefined,
  ): Promise<VectorStepResult> {
    this.#checkOpen();
    for (const list of actions) this.#checkActions(list, this.#lanes);
    this.#checkSteppable(this.#lanes);
    const into = given(wanted, shape);
    const parts = await this.#together(this.#everyone, ({ group, lanes, places }) =>
      group.step(lanes, dealt(actions, places), every, into.observations),
    );
    return joined(parts, shape, into);
  }

  /**
   * Asks groups at once. All have answered when this settles: if some failed, it is rejected with their lanes and what the
   * others brought.
   */
  async #together(asked: readonly Asked[], ask: (asked: Asked) => Promise<Part>): Promise<Part[]> {
    const parts: Part[] = [];
    const failed: number[] = [];
    let failure: Gym2600Error | undefined;
    const answers = asked.map((one) => ask(one).catch(toGym2600Error));
    for (const [index, { lanes }] of asked.entries()) {
      const answer = await answers[index];
      if (answer instanceof Gym2600Error) {
        failed.push(...lanes);
        failure ??= answer;
      } else if (answer !== undefined) {
        parts.push(answer);
      }
    }
    if (failure === undefined) return parts;
    throw lanesError(failed, failure, parts.length > 0 ? this.#gathered(parts) : undefined);
  }

  /** What parts brought, one after the other. */
  #gathered(parts: readonly Part[], whole?: Observation): VectorBatch {
    return gather(parts, this.singleObservationSpace, this.#shape.pool, whole);
  }

  /** Asks the group of one lane. */
  async #ofLane<T>(lane: number, ask: (group: LaneGroup) => Promise<T>): Promise<T> {
    this.#checkOpen();
    const group = this.#groupOf(lane);
    try {
      return await ask(group);
    } catch (error) {
      throw lanesError([lane], toGym2600Error(error));
    }
  }

  #chosen(envIds: ArrayLike<number> | undefined): readonly number[] {
    if (envIds === undefined) return this.#lanes;
    const lanes = Array.from(envIds);
    for (const [index, lane] of lanes.entries()) {
      this.#groupOf(lane);
      if (lanes.indexOf(lane) !== index) throw new Gym2600Error("bad-option", `environment ${lane} is named twice`);
    }
    return lanes;
  }

  #checkOpen(): void {
    if (this.#closed !== undefined) throw new Gym2600Error("closed", "the environments have been closed");
  }

  #checkActions(actions: ArrayLike<number>, lanes: readonly number[]): void {
    checkLength("actions", actions.length, lanes.length);
    const { n } = this.singleActionSpace;
    for (let index = 0; index < lanes.length; index++) {
      if (this.singleActionSpace.contains(actions[index])) continue;
      throw lanesError(lanes.slice(index, index + 1), badAction(actions[index], n));
    }
  }

  #checkSteppable(lanes: readonly number[]): void {
    // The usual case without a look at each lane.
    if (!this.#inFlight.any && this.#groups.every(({ dead, unready }) => !dead && unready.size === 0)) return;
    this.#checkAlive(lanes);
    this.#checkReceived(lanes);
    const unready = (lane: number) => this.#groupOf(lane).unready.has(lane);
    refuse(lanes.filter(unready), "bad-state", "reset the environment before the next step");
  }

  #checkAlive(lanes: readonly number[]): void {
    const dead = (lane: number) => this.#groupOf(lane).dead;
    refuse(lanes.filter(dead), "worker-died", "the worker has died: revive it first");
  }

  #checkReceived(lanes: readonly number[]): void {
    const sent = (lane: number) => this.#inFlight.has(lane);
    refuse(lanes.filter(sent), "bad-state", "what it was sent has to be received first");
  }
}

/** Refuses a call because of some lanes, if there are any. */
function refuse(lanes: readonly number[], code: ErrorCode, reason: string): void {
  if (lanes.length > 0) throw lanesError(lanes, new Gym2600Error(code, reason));
}

/** What the options come to; refuses bad ones before any worker is started. */
async function resolve(
  rom: Uint8Array,
  game: Omit<GameOptions, "rom" | "seed">,
): Promise<{
  autoreset: GameOptions["autoreset"];
  seeding: GameDescription["spec"]["seeding"];
  laneBytes: number;
}> {
  const probe = await Lane.open(rom, game);
  const { description, observationBytes: laneBytes } = probe;
  const { resetsItself, spec } = description;
  probe.close();
  return { autoreset: game.autoreset ?? (resetsItself ? undefined : "next-step"), seeding: spec.seeding, laneBytes };
}

function checkCount(what: string, count: number, least: number): void {
  if (Number.isSafeInteger(count) && count >= least) return;
  throw new Gym2600Error("bad-option", `${what} has to be a whole number of at least ${least}, not ${String(count)}`);
}

function checkLength(what: string, given: number, expected: number): void {
  if (given === expected) return;
  throw new Gym2600Error("bad-action", `${given} ${what} were given for ${expected} environments`);
}

/** A group, some of its lanes, and the place of each in the list that they were chosen by. */
interface Asked {
  readonly group: LaneGroup;
  readonly lanes: readonly number[];
  readonly places: readonly number[];
}

/** The actions that lists have in some places, step by step. */
function dealt(actions: ReadonlyArray<ArrayLike<number>>, places: readonly number[]): number[] {
  const dealt: number[] = [];
  for (const list of actions) for (const place of places) dealt.push(list[place] ?? 0);
  return dealt;
}
