/** One environment in a worker of its own. */

import type { ActionName } from "../actions.js";
import { copyOptions, namedOptions } from "../arguments.js";
import { BufferPool, type RecyclableArray, recyclable } from "../buffers/buffer-pool.js";
import { observationOver, pictureBytes } from "../buffers/observation-buffers.js";
import { checkCanvas, checkRam, checkState, checkStrength, switchesOf } from "../env/accessors.js";
import { resultAt } from "../env/step-record.js";
import { checkCreated } from "../errors.js";
import { romBytes } from "../rom.js";
import { actionNumber, type Box, checkSeed, Discrete, spaceOf } from "../spaces.js";
import type {
  ActionValue,
  ConsoleSwitches,
  Frame,
  GameDescription,
  GameOptions,
  Picture,
  PictureRequest,
  ResetResult,
  WorkerResetResult,
  WorkerStepOptions,
  WorkerStepResult,
} from "../types.js";
import { LaneGroup, type LaneResults } from "../vector/lane-group.js";

/** How a {@link GameWorker} is set up. */
export interface GameWorkerOptions extends GameOptions {
  /**
   * A canvas on which the worker paints the console's picture after every reset, step and restore; see
   * `HTMLCanvasElement.transferControlToOffscreen`. It is moved to the worker and gets the picture's size.
   */
  readonly canvas?: OffscreenCanvas | undefined;
}

/** Options of {@link GameWorker.reset}. */
export interface WorkerResetOptions extends PictureRequest {
  /** Starts the environment's generators from this seed; without one they keep their state. */
  readonly seed?: number | undefined;
}

/** Recycled buffers that are kept: as many as 64 pending requests take, each one for an observation and one for a picture. */
const MAX_RECYCLED = 128;

/** The group's only lane. */
const LANE = 0;

/**
 * One environment in a worker of its own: a Web Worker in a browser, a worker thread in Node.
 *
 * ```ts
 * import { GameWorker, wallop } from "gym2600";
 *
 * const worker = await GameWorker.create({ rom: wallop, preset: "labml", seed: 7 });
 * let { observation } = await worker.reset();
 * for (let step = 0; step < 100; step++) {
 *   const result = await worker.step(step % 4);
 *   worker.recycle(observation);
 *   observation = result.observation;
 * }
 * await worker.close();
 * ```
 *
 * Requests are answered in the order in which they were made, and any number may be pending. Every returned promise settles,
 * also when the worker dies. A refused request changes nothing.
 *
 * **Who owns a buffer.** The arrays of a result are the caller's, without limit of time. An array that is given back with
 * {@link recycle} belongs to the package, and the worker fills it again instead of allocating a new one.
 *
 * **Pictures.** With the option `canvas` the worker paints its picture itself, in the step that it belongs to, and no picture
 * crosses threads. Without it {@link render} and the option `picture` send pictures.
 */
export class GameWorker {
  /** The description of the game, as plain data. */
  readonly description: GameDescription;
  /** The space of its observations. */
  readonly observationSpace: Box;
  /** The space of its actions: numbers, named by `description.actions`. Seeds of the environment seed its samples too. */
  readonly actionSpace: Discrete;

  readonly #group: LaneGroup;
  readonly #pool: BufferPool;

  private constructor(group: LaneGroup, pool: BufferPool, seed: number | undefined) {
    checkCreated(group instanceof LaneGroup);
    const { description } = group;
    this.#group = group;
    this.#pool = pool;
    this.description = description;
    this.observationSpace = spaceOf(description);
    this.actionSpace = new Discrete(description.actions.length);
    // An option may be null for its default, and a bigint.
    if (seed !== undefined && seed !== null) this.actionSpace.seed(Number(seed));
  }

  /**
   * Starts a worker and loads a game in it. The WebAssembly module is compiled once in this thread and handed over.
   *
   * @throws Gym2600Error `bad-rom`, `bad-rom-size`, `unknown-rom`, `bad-game`, `bad-option`, `wasm-failed`, `worker-died`
   */
  static async create(options: GameWorkerOptions): Promise<GameWorker> {
    const { rom: source, canvas, ...game } = copyOptions(options);
    if (canvas !== undefined) checkCanvas(canvas);
    const pool = new BufferPool(MAX_RECYCLED);
    const group = await LaneGroup.open({ rom: await romBytes(source), keepStates: 0, pool }, LANE, [game]);
    try {
      if (canvas !== undefined) await group.setCanvas(LANE, canvas);
    } catch (error) {
      group.terminate();
      throw error;
    }
    return new GameWorker(group, pool, game.seed);
  }

  /**
   * Starts an episode and gives its first observation.
   *
   * @throws Gym2600Error `bad-option`, `closed`, `worker-died`, `bad-message`
   */
  async reset(options: WorkerResetOptions = {}): Promise<WorkerResetResult> {
    const { seed, ...wanted } = namedOptions(options, "seed", "picture", "paint");
    if (seed !== undefined) checkSeed(seed);
    const results = await this.#group.reset(this.#group.lanes, [seed ?? "continue"], wanted);
    if (seed !== undefined) this.actionSpace.seed(seed);
    const { observation, info, picture } = this.#result(results);
    return picture === undefined ? { observation, info } : { observation, info, picture };
  }

  /**
   * Takes one step. The preset decides what a step after an episode's end does.
   *
   * @throws Gym2600Error `bad-action`, `bad-state`, `closed`, `worker-died`, `bad-message`
   */
  async step(action: ActionValue, options: WorkerStepOptions = {}): Promise<WorkerStepResult> {
    const { paddleStrength: strength = 1, ...wanted } = namedOptions(options, "paddleStrength", "picture", "paint");
    const number = actionNumber(action);
    checkStrength(strength);
    return this.#result(await this.#group.step(this.#group.lanes, [number], { ...wanted, strength }));
  }

  /**
   * Paints the canvas as the picture is after the requests made so far, for steps taken with `paint: false`.
   *
   * @throws Gym2600Error as {@link save}
   */
  paint(): Promise<void> {
    return this.#group.call(LANE, "paint");
  }

  /**
   * The console's picture as it is after the requests made so far; see `Game.render`. It is the caller's; see {@link recycle}.
   *
   * @throws Gym2600Error `closed`, `worker-died`, `bad-message`
   */
  render(): Promise<Picture> {
    return this.#group.render(LANE);
  }

  /**
   * The complete state after the requests made so far, as bytes; see `Game.save`, whose states are the same. The array is
   * the caller's.
   *
   * @throws Gym2600Error `closed`, `worker-died`, `bad-message`
   */
  save(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#group.call(LANE, "save");
  }

  /**
   * Restores a state that {@link save} or `Game.save` gave, and gives its observation and info. The bytes are copied, so they stay the
   * caller's.
   *
   * @throws Gym2600Error `bad-saved-state` for bytes of another ROM, other options or no state at all; `closed`,
   * `worker-died`, `bad-message`
   */
  async restore(state: Uint8Array): Promise<ResetResult> {
    checkState(state);
    const group = this.#group;
    const [, results] = await Promise.all([group.restore(LANE, state), group.observe(group.lanes)]);
    const { observation, info } = this.#result(results);
    return { observation, info };
  }

  /** The console's memory after the requests made so far; see `Game.ram`. @throws Gym2600Error as {@link save} */
  ram(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#group.call(LANE, "ram");
  }

  /** Writes a byte of it; see `Game.setRam`. @throws Gym2600Error `bad-option`, and as {@link save} */
  async setRam(index: number, value: number): Promise<void> {
    checkRam(index, value);
    return this.#group.call(LANE, "setRam", index, value);
  }

  /** Sets the console's buttons and switches; see `Game.setSwitches`. @throws Gym2600Error `bad-option`, and as {@link save} */
  async setSwitches(switches: ConsoleSwitches): Promise<void> {
    return this.#group.call(LANE, "setSwitches", switchesOf(switches));
  }

  /** The console's picture as palette indices, height * width. @throws Gym2600Error as {@link save} */
  screen(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#group.call(LANE, "screen");
  }

  /** The console's picture in ALE's grey, height * width. @throws Gym2600Error as {@link save} */
  screenGrey(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#group.call(LANE, "screenGrey");
  }

  /** The console's picture as red, green and blue, height * width * 3. @throws Gym2600Error as {@link save} */
  screenRgb(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#group.call(LANE, "screenRgb");
  }

  /** The sound of the last step's frames; see `Game.audio`. @throws Gym2600Error as {@link save} */
  audio(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#group.call(LANE, "audio");
  }

  /** Keeps the frames of each later step and reset; see `Game.keepFrames`. @throws Gym2600Error as {@link save} */
  keepFrames(): Promise<void> {
    return this.#group.call(LANE, "keepFrames");
  }

  /** The frames of the last step or reset; see `Game.frames`. @throws Gym2600Error as {@link save} */
  frames(): Promise<Frame[]> {
    return this.#group.call(LANE, "frames");
  }

  /** The colours of palette indices; see `Game.palette`. @throws Gym2600Error as {@link save} */
  palette(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#group.call(LANE, "palette");
  }

  /** The action that the console's last frame executed. @throws Gym2600Error as {@link save} */
  lastAction(): Promise<ActionName> {
    return this.#group.call(LANE, "lastAction");
  }

  /** The variables of the game's rules by name; see `Game.variables`. @throws Gym2600Error as {@link save} */
  variables(): Promise<Record<string, number>> {
    return this.#group.call(LANE, "variables");
  }

  /**
   * Gives the memory of an observation, or of a picture's `data`, back to be filled again. From this call on the array belongs
   * to the package: the next request transfers its buffer, which leaves the array empty.
   *
   * @throws Gym2600Error `bad-buffer` if the array is no whole buffer of a size that results of this game have
   */
  recycle(array: RecyclableArray): void {
    const isPicture = array instanceof Uint8ClampedArray;
    const size = isPicture ? pictureBytes(this.description) : this.observationSpace.byteLength;
    this.#pool.add(recyclable(array, (bytes) => bytes === size));
  }

  /**
   * Waits for the requests made so far, then ends the worker. Never throws; calls after the first do nothing more.
   * Requests made after it are rejected with `closed`.
   */
  close(): Promise<void> {
    return this.#group.close();
  }

  /** Ends the worker at once: pending requests are rejected with `worker-died`, later ones with `closed`. */
  terminate(): void {
    this.#group.terminate();
  }

  /** {@link close}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #result({ observations, records, picture }: LaneResults): WorkerStepResult {
    const observation = observationOver(observations, this.observationSpace.dtype);
    const result = { observation, ...resultAt(records, 0) };
    return picture === undefined ? result : { ...result, picture };
  }
}
