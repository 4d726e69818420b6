/** Several environments of one game, stepped together. */

import type { ActionName } from "../actions.js";
import { checkCount, expected, namedOptions } from "../arguments.js";
import { type BufferPool, recyclable } from "../buffers/buffer-pool.js";
import { observationBytes } from "../buffers/observation-buffers.js";
import {
  checkCanvas,
  checkRam,
  checkState,
  type LaneCallArguments,
  type LaneCallName,
  type LaneCallResult,
  switchesOf,
} from "../env/accessors.js";
import { checkCreated, Gym2600Error, toGym2600Error } from "../errors.js";
import { type Box, commonSpace, Discrete, MultiDiscrete, spaceOf } from "../spaces.js";
import type {
  ActionValue,
  ConsoleSwitches,
  Frame,
  GameDescription,
  Observation,
  Picture,
  ResetResult,
  VectorBatch,
  VectorResetResult,
  VectorStepResult,
} from "../types.js";
import type { LaneReset } from "../worker/protocol.js";
import { type BatchLayout, batchSpace, checkInto, dealt, gather, joined, lanesError, seedsOf } from "./batch.js";
import { checkActions, checkEnvIds, checkMask, checkSteps } from "./checks.js";
import type { Failure } from "./in-flight.js";
import type { GroupStepOptions, LaneGroup, LaneResults } from "./lane-group.js";
import { type Asked, LaneGroups } from "./lane-groups.js";
import { openGroups } from "./opening.js";
import type {
  RecvOptions,
  StepManyOptions,
  VectorEnvOptions,
  VectorResetOptions,
  VectorReviveResult,
  VectorStepManyResult,
  VectorStepOptions,
} from "./vector-types.js";

/**
 * Several environments of one game, in this thread or spread over workers, stepped together into one batch.
 *
 * ```ts
 * import { VectorEnv, wallop } from "gym2600";
 *
 * const envs = await VectorEnv.create({ rom: wallop, numEnvs: 8, preset: "gymnasium", seed: 0, autoreset: "next-step" });
 * const { observations } = await envs.reset();
 * const { rewards, terminated, truncated, infos } = await envs.step([0, 1, 2, 3, 0, 1, 2, 3]);
 * await envs.close();
 * ```
 *
 * Environments reset in the step after an end, unless `autoreset` or the preset says otherwise. A refused call changes
 * nothing.
 *
 * **Asynchronous mode.** {@link send} gives actions to some lanes and {@link recv} waits for the lanes that are ready first.
 * Lanes of one `send` that share a worker get ready together.
 *
 * **When a worker dies,** the pending call is rejected with `worker-died`, or with `wasm-failed` if its WebAssembly instance has
 * trapped; `error.lane` and `error.lanes` number its lanes and `error.rest` has the results of the others. Later calls that need a
 * dead lane are refused with the same code. The other lanes can be stepped with `send`, and {@link revive} replaces the worker.
 *
 * **Who owns a buffer.** The arrays of a result are the caller's until they are given back with {@link recycle}. An array passed
 * as `into` stays the caller's and is written before the promise settles; until then it must not be transferred.
 *
 * **Pictures.** A lane that has a canvas ({@link VectorEnvOptions.canvases}, {@link setCanvas}) paints its picture in its
 * worker after every reset, step and restore, so no picture crosses threads.
 */
export class VectorEnv {
  /** The description of the game, as plain data; the same for all lanes. */
  readonly description: GameDescription;
  readonly singleObservationSpace: Box;
  readonly singleActionSpace: Discrete;
  /** (numEnvs, ...) */
  readonly observationSpace: Box;
  /** Seeds of the environments seed its samples too, by the first of them. */
  readonly actionSpace: MultiDiscrete;

  readonly #groups: LaneGroups;
  /** The arrays of a step of all lanes. */
  readonly #layout: BatchLayout;
  #closed: Promise<void> | undefined;

  private constructor(groups: readonly LaneGroup[], pool: BufferPool) {
    checkCreated(Array.isArray(groups));
    const descriptions = groups.map(({ description }) => description);
    this.#groups = new LaneGroups(groups);
    this.description = descriptions[0] as GameDescription;
    this.singleObservationSpace = commonSpace(descriptions.map(spaceOf));
    this.singleActionSpace = commonSpace(descriptions.map(({ actions }) => new Discrete(actions.length)));
    this.observationSpace = batchSpace(this.singleObservationSpace, this.numEnvs);
    this.actionSpace = new MultiDiscrete(new Array<number>(this.numEnvs).fill(this.singleActionSpace.n));
    const [space, rows] = [this.observationSpace, this.numEnvs];
    this.#layout = { space, rows, numEnvs: rows, laneBytes: observationBytes(this.description), pool };
  }

  /**
   * Loads the games.
   *
   * @throws Gym2600Error as `GameWorker.create`; `bad-option` for a wrong number of environments, workers or seeds
   */
  static async create(options: VectorEnvOptions): Promise<VectorEnv> {
    const { seed, groups, pool, canvases } = await openGroups(options);
    const envs = new VectorEnv(groups, pool);
    envs.#seedActions(seed);
    try {
      for (const [lane, canvas] of canvases.entries()) if (canvas !== undefined) await envs.setCanvas(lane, canvas);
    } catch (error) {
      await envs.close();
      throw error;
    }
    return envs;
  }

  /** How many environments there are. */
  get numEnvs(): number {
    return this.#groups.lanes.length;
  }

  /** The lanes whose worker has died; see {@link revive}. */
  get deadLanes(): number[] {
    if (this.#closed !== undefined) return [];
    return this.#groups.dead;
  }

  /**
   * Starts episodes, in all lanes or in those of `mask`.
   *
   * @throws Gym2600Error `bad-option`, `bad-action` for a mask of the wrong length, `bad-buffer`, `bad-state` while something
   * is to be received, `closed`, `worker-died`
   */
  async reset(options: VectorResetOptions = {}): Promise<VectorResetResult> {
    this.#checkOpen();
    const { seed, mask, into } = namedOptions(options, "seed", "mask", "into");
    const flags = mask === undefined ? undefined : checkMask(mask, this.numEnvs);
    const seeds = seed === undefined ? undefined : seedsOf(seed, this.numEnvs, this.description.spec.seeding);
    const target = checkInto(into, this.#layout);
    this.#groups.checkAlive(this.#groups.lanes.filter((lane) => flags === undefined || flags[lane]));
    this.#groups.checkReceived(this.#groups.lanes);
    const resetOf = (lane: number): LaneReset => {
      if (flags !== undefined && !flags[lane]) return "leave";
      return seeds === undefined ? "continue" : expected(seeds[lane], "each lane has a seed");
    };
    const alive = this.#groups.everyone.filter(({ group }) => !group.dead);
    const parts = await this.#together(alive, ({ group, lanes }) =>
      group.reset(lanes, lanes.map(resetOf), { into: target.observations }),
    );
    this.#seedActions(seeds?.[0]);
    const { observations, infos } = joined(parts, this.#layout, target);
    return { observations, infos };
  }

  /**
   * Takes a step in every lane; `actions` has one for each.
   *
   * The observations are a new array, or `into` if that is given. A loop that needs only the latest ones passes the same array
   * each time. If `into` is an earlier result, all its arrays are filled again and the promise gives that object.
   *
   * @throws Gym2600Error `bad-action`, `bad-buffer`, `bad-state` before a reset or while lanes are in flight, `closed`, `worker-died`;
   * with `lane` if it concerns one lane
   */
  async step(actions: ArrayLike<ActionValue>, options: VectorStepOptions = {}): Promise<VectorStepResult> {
    const { into, paint } = namedOptions(options, "into", "paint");
    return this.#steps([actions], this.#layout, { paint }, into);
  }

  /**
   * Takes several steps in every lane with one message to each worker, for actions that are known beforehand. `actions` has a
   * list for each step, with one action for each lane.
   *
   * Lanes that reset by themselves play on in the next episode; the action of the step that resets is ignored, as in
   * {@link step}. Other lanes stop where their episode ends; see `taken`.
   *
   * @throws Gym2600Error as {@link step}; `bad-action` too if there is no step; `bad-option`, also for more than three million results
   */
  async stepMany(
    actions: ReadonlyArray<ArrayLike<ActionValue>>,
    options: StepManyOptions = {},
  ): Promise<VectorStepManyResult> {
    this.#checkOpen();
    const checked = checkSteps(actions, options, this.observationSpace.byteLength, this.numEnvs);
    const { every, paint, into } = checked;
    const steps = checked.actions.length;
    const space = every ? batchSpace(this.singleObservationSpace, steps, this.numEnvs) : this.observationSpace;
    const layout = { ...this.#layout, space, rows: steps * this.numEnvs };
    const batch = await this.#steps(checked.actions, layout, { every, paint }, into);
    const taken = new Int32Array(this.numEnvs).fill(steps);
    for (let index = batch.rewards.length - 1; index >= 0; index--) {
      const ended = batch.terminated[index] === 1 || batch.truncated[index] === 1;
      if (ended && !this.description.resetsItself) taken[index % this.numEnvs] = Math.floor(index / this.numEnvs) + 1;
    }
    return { ...batch, steps, taken };
  }

  /**
   * Sends actions to all lanes, or to those of `envIds`; {@link recv} gives the results. A lane has to be received before it is
   * sent another action. Returns at once.
   *
   * @throws Gym2600Error as {@link step}; `bad-option` for an unknown or repeated lane
   */
  send(actions: ArrayLike<ActionValue>, envIds?: ArrayLike<number>): void {
    this.#checkOpen();
    const chosen = this.#chosen(envIds);
    const checked = checkActions(actions, chosen, this.singleActionSpace);
    this.#groups.checkSteppable(chosen);
    for (const { group, lanes, places } of this.#groups.by(chosen)) {
      this.#groups.inFlight.add(lanes, group.step(lanes, dealt([checked], places)));
    }
  }

  /**
   * Resets all lanes, or those of `envIds`; {@link recv} gives their first observations with reward 0 and no flags.
   *
   * @throws Gym2600Error as {@link send}
   */
  sendReset(envIds?: ArrayLike<number>): void {
    this.#checkOpen();
    const chosen = this.#chosen(envIds);
    this.#groups.checkAlive(chosen);
    this.#groups.checkReceived(chosen);
    for (const { group, lanes } of this.#groups.by(chosen)) {
      this.#groups.inFlight.add(lanes, group.reset(lanes, new Array<LaneReset>(lanes.length).fill("continue")));
    }
  }

  /**
   * Waits until at least `minimum` of the lanes in flight are ready, and gives all that are, in the order in which they got
   * ready; with 0 perhaps none. With `into` the observations are a view of that array.
   *
   * When a worker has died, one `recv` is rejected with `worker-died` and its lanes; the other lanes can still be received.
   *
   * @throws Gym2600Error `bad-option`, `bad-buffer`, `bad-state` if fewer lanes are in flight or another `recv` is pending,
   * `closed`, `worker-died`
   */
  async recv(minimum = 1, options: RecvOptions = {}): Promise<VectorBatch> {
    this.#checkOpen();
    checkCount("minimum", minimum, 0);
    const { into } = namedOptions(options, "into");
    const target = checkInto(into, this.#layout);
    const parts = await this.#groups.inFlight.receive(minimum).catch((failures: readonly Failure[]) => {
      const [first] = failures;
      const lanes = failures.flatMap((failure) => failure.lanes);
      throw lanesError(lanes, toGym2600Error(first?.error));
    });
    return this.#gathered(parts, target.observations);
  }

  /**
   * A lane's complete state after the calls made so far, as bytes; see `Game.save`, whose states are the same. The array is
   * the caller's; a copy is kept for {@link revive}.
   *
   * @throws Gym2600Error `bad-option`, `closed`, `worker-died`
   */
  async save(lane: number): Promise<Uint8Array<ArrayBuffer>> {
    const state = await this.#call(lane, "save");
    this.#groups.of(lane).keep(lane, state);
    return state;
  }

  /**
   * Restores a lane to a state that {@link save}, `Game.save` or `GameWorker.save` gave with the same ROM and options, and
   * gives its observation. The bytes are copied, and kept for {@link revive}.
   *
   * @throws Gym2600Error `bad-saved-state` for bytes of another ROM, other options or no state at all; `bad-option`,
   * `bad-state` while the lane is to be received, `closed`, `worker-died`
   */
  async restore(lane: number, state: Uint8Array): Promise<ResetResult> {
    const [, part] = await this.#ofLane(lane, (group) => {
      checkState(state);
      this.#groups.checkReceived([lane]);
      return Promise.all([group.restore(lane, state), group.observe([lane])]);
    });
    const { observations, infos } = this.#gathered([part]);
    return { observation: observations, info: expected(infos[0], "an observed lane has an info") };
  }

  /**
   * Copies the complete state of lane `from` into lane `to`, after the calls made so far, and gives the observation of `to`. Each lane plays
   * on by itself then. It takes microseconds if both lanes have the same worker, or the batch none. Otherwise the state crosses as the bytes
   * that {@link save} gives.
   *
   * @throws Gym2600Error `bad-option`, `bad-state` while one of the lanes is to be received, `closed`, `worker-died`
   */
  async copyLane(from: number, to: number): Promise<ResetResult> {
    this.#checkOpen();
    const source = this.#groups.of(from);
    const part = await this.#ofLane(to, async (group) => {
      this.#groups.checkAlive([from, to]);
      this.#groups.checkReceived([from, to]);
      const copied = group === source ? group.copy(from, to) : group.restore(to, await this.save(from));
      const [, observed] = await Promise.all([copied, group.observe([to])]);
      return observed;
    });
    const { observations, infos } = this.#gathered([part]);
    return { observation: observations, info: expected(infos[0], "an observed lane has an info") };
  }

  /**
   * Replaces the dead worker of a lane. All lanes of that worker go back to their last kept state, which {@link save},
   * {@link restore} and every `keepStates` steps store; lanes without one are reset with their last seed. The steps since then
   * are lost, and so are the lanes' canvases: give them new ones with {@link setCanvas}.
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
   * A lane's picture as it is after the calls made so far; see `Game.render`. It is the caller's.
   *
   * @throws Gym2600Error `bad-option`, `closed`, `worker-died`
   */
  async render(lane: number): Promise<Picture> {
    return this.#ofLane(lane, (group) => group.render(lane));
  }

  /**
   * Has a lane paint its picture on `canvas` from here on. The canvas is moved to the lane's worker and gets the picture's size.
   *
   * @throws Gym2600Error `bad-option`; `bad-message` for a canvas that was moved before; `closed`, `worker-died`
   */
  async setCanvas(lane: number, canvas: OffscreenCanvas): Promise<void> {
    checkCanvas(canvas);
    return this.#ofLane(lane, (group) => group.setCanvas(lane, canvas));
  }

  /**
   * Paints a lane's canvas as its picture is after the calls made so far, for steps taken with `paint: false`.
   *
   * @throws Gym2600Error `bad-option`, `closed`, `worker-died`
   */
  async paint(lane: number): Promise<void> {
    return this.#call(lane, "paint");
  }

  /**
   * A lane's memory after the calls made so far, 128 bytes; see `Game.ram`. The array is the caller's.
   *
   * @throws Gym2600Error `bad-option`, `closed`, `worker-died`
   */
  ram(lane: number): Promise<Uint8Array<ArrayBuffer>> {
    return this.#call(lane, "ram");
  }

  /** Writes a byte of it; see `Game.setRam`. @throws Gym2600Error as {@link ram} */
  async setRam(lane: number, index: number, value: number): Promise<void> {
    checkRam(index, value);
    return this.#call(lane, "setRam", index, value);
  }

  /** Sets a lane's buttons and switches of the console; see `Game.setSwitches`. @throws Gym2600Error as {@link ram} */
  async setSwitches(lane: number, switches: ConsoleSwitches): Promise<void> {
    return this.#call(lane, "setSwitches", switchesOf(switches));
  }

  /** A lane's picture as palette indices, height * width. @throws Gym2600Error as {@link ram} */
  screen(lane: number): Promise<Uint8Array<ArrayBuffer>> {
    return this.#call(lane, "screen");
  }

  /** A lane's picture in ALE's grey, height * width. @throws Gym2600Error as {@link ram} */
  screenGrey(lane: number): Promise<Uint8Array<ArrayBuffer>> {
    return this.#call(lane, "screenGrey");
  }

  /** A lane's picture as red, green and blue, height * width * 3. @throws Gym2600Error as {@link ram} */
  screenRgb(lane: number): Promise<Uint8Array<ArrayBuffer>> {
    return this.#call(lane, "screenRgb");
  }

  /** The sound of the frames of a lane's last step; see `Game.audio`. @throws Gym2600Error as {@link ram} */
  audio(lane: number): Promise<Uint8Array<ArrayBuffer>> {
    return this.#call(lane, "audio");
  }

  /**
   * Keeps the frames of each later step and reset of a lane; see `Game.keepFrames`. A lane that is revived keeps none.
   *
   * @throws Gym2600Error as {@link ram}
   */
  keepFrames(lane: number): Promise<void> {
    return this.#call(lane, "keepFrames");
  }

  /** The frames of a lane's last step or reset; see `Game.frames`. @throws Gym2600Error as {@link ram} */
  frames(lane: number): Promise<Frame[]> {
    return this.#call(lane, "frames");
  }

  /** The colours of a lane's palette indices; see `Game.palette`. @throws Gym2600Error as {@link ram} */
  palette(lane: number): Promise<Uint8Array<ArrayBuffer>> {
    return this.#call(lane, "palette");
  }

  /** The action that a lane's console executed in its last frame. @throws Gym2600Error as {@link ram} */
  lastAction(lane: number): Promise<ActionName> {
    return this.#call(lane, "lastAction");
  }

  /** The variables of a lane's rules by name; see `Game.variables`. @throws Gym2600Error as {@link ram} */
  variables(lane: number): Promise<Record<string, number>> {
    return this.#call(lane, "variables");
  }

  /**
   * Gives the memory of a result's observations back, to be filled by a later result. From this call on the array belongs to
   * the package, which may transfer or fill it at any time.
   *
   * With a single worker and recycled results, no observation is copied.
   *
   * @throws Gym2600Error `bad-buffer` if the array is no whole buffer of a size that results have
   */
  recycle(observations: Observation): void {
    const { laneBytes, pool } = this.#layout;
    pool.add(recyclable(observations, (bytes) => bytes > 0 && bytes % laneBytes === 0));
  }

  /** Waits for the calls made so far, then ends the workers. Calls after the first give the same promise. */
  close(): Promise<void> {
    this.#closed ??= Promise.all(this.#groups.groups.map((group) => group.close())).then(() => undefined);
    return this.#closed;
  }

  /** {@link close}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Takes steps in all lanes. */
  async #steps(
    given: ReadonlyArray<ArrayLike<ActionValue>>,
    layout: BatchLayout,
    options: Pick<GroupStepOptions, "every" | "paint">,
    into: Observation | VectorStepResult | undefined,
  ): Promise<VectorStepResult> {
    this.#checkOpen();
    const actions = Array.from(given, (list) => checkActions(list, this.#groups.lanes, this.singleActionSpace));
    this.#groups.checkSteppable(this.#groups.lanes);
    const target = checkInto(into, layout);
    const parts = await this.#together(this.#groups.everyone, ({ group, lanes, places }) =>
      group.step(lanes, dealt(actions, places), { ...options, into: target.observations }),
    );
    return joined(parts, layout, target);
  }

  /**
   * Asks groups at the same time and waits for all of them. If some fail, it is rejected with their lanes and the results of the
   * others.
   */
  async #together(asked: readonly Asked[], ask: (asked: Asked) => Promise<LaneResults>): Promise<LaneResults[]> {
    const parts: LaneResults[] = [];
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

  /** The results of parts, one after the other. */
  #gathered(parts: readonly LaneResults[], into?: Observation): VectorBatch {
    return gather(parts, this.singleObservationSpace, this.#layout.pool, into);
  }

  /** Makes a call of `accessors.ts` on a lane. */
  #call<N extends LaneCallName>(lane: number, name: N, ...args: LaneCallArguments<N>): Promise<LaneCallResult<N>> {
    return this.#ofLane(lane, (group) => group.call(lane, name, ...args));
  }

  /** Asks the group of one lane. */
  async #ofLane<T>(lane: number, ask: (group: LaneGroup) => Promise<T>): Promise<T> {
    this.#checkOpen();
    const group = this.#groups.of(lane);
    try {
      return await ask(group);
    } catch (error) {
      throw lanesError([lane], toGym2600Error(error));
    }
  }

  #chosen(envIds: ArrayLike<number> | undefined): readonly number[] {
    return envIds === undefined ? this.#groups.lanes : checkEnvIds(envIds, this.numEnvs);
  }

  #seedActions(seed: number | undefined): void {
    if (seed === undefined) return;
    this.actionSpace.seed(seed);
    this.singleActionSpace.seed(seed);
  }

  #checkOpen(): void {
    if (this.#closed !== undefined) throw new Gym2600Error("closed", "the environments have been closed");
  }
}
