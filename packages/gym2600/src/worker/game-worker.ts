/** One environment in a worker of its own. */

import { type ActionName, actionNames } from "../actions.js";
import { copyOptions, namedOptions } from "../arguments.js";
import { BufferPool, type RecyclableArray, recyclable } from "../buffers/buffer-pool.js";
import { observationOver, pictureBytes, pictureOver } from "../buffers/observation-buffers.js";
import { checkRam, checkState, checkStrength } from "../env/handle.js";
import { badAction, checkCanvas } from "../env/lane.js";
import { resultAt } from "../env/step-record.js";
import { checkCreated } from "../errors.js";
import { romBytes } from "../rom.js";
import { Box, checkSeed, Discrete } from "../spaces.js";
import type {
  GameDescription,
  GameOptions,
  Picture,
  PictureRequest,
  WorkerResetResult,
  WorkerStepOptions,
  WorkerStepResult,
} from "../types.js";
import type { ReplyOptions, WorkerCommand } from "./protocol.js";
import { callLane, expectAnswer, setCanvas, startWorker, type WorkerAnswer, WorkerClient } from "./worker-client.js";

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

/** Recycled buffers that are kept: as many as requests that a program has pending, each of which takes one. */
const MAX_RECYCLED = 64;

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
  /** The space of its actions: numbers, named by `description.actions`. */
  readonly actionSpace: Discrete;

  readonly #client: WorkerClient;
  readonly #pictureBytes: number;
  readonly #observationPool = new BufferPool(MAX_RECYCLED);
  readonly #picturePool = new BufferPool(MAX_RECYCLED);

  private constructor(client: WorkerClient, description: GameDescription) {
    checkCreated(client instanceof WorkerClient);
    this.#client = client;
    this.description = description;
    this.observationSpace = new Box(description.observation.shape, description.observation.dtype);
    this.actionSpace = new Discrete(description.actions.length);
    this.#pictureBytes = pictureBytes(description);
  }

  /**
   * Starts a worker and loads a game in it. The WebAssembly module is compiled once in this thread and handed over.
   *
   * @throws Gym2600Error `bad-rom`, `bad-rom-size`, `unknown-rom`, `bad-game`, `bad-option`, `wasm-failed`, `worker-died`
   */
  static async create(options: GameWorkerOptions): Promise<GameWorker> {
    const { rom: source, canvas, ...rest } = copyOptions(options);
    if (canvas !== undefined) checkCanvas(canvas);
    const { client, description } = await startWorker(await romBytes(source), [rest]);
    const worker = new GameWorker(client, description);
    try {
      if (canvas !== undefined) await setCanvas(client, 0, canvas);
    } catch (error) {
      worker.terminate();
      throw error;
    }
    return worker;
  }

  /**
   * Starts an episode and gives its first observation.
   *
   * @throws Gym2600Error `bad-option`, `closed`, `worker-died`, `bad-message`
   */
  async reset(options: WorkerResetOptions = {}): Promise<WorkerResetResult> {
    const { seed = "continue", ...request } = namedOptions(options, "seed", "picture", "paint");
    if (seed !== "continue") checkSeed(seed);
    const answer = await this.#ask({ type: "reset", lanes: [0], resets: [seed] }, request);
    const { observation, info, picture } = this.#result(answer);
    return picture === undefined ? { observation, info } : { observation, info, picture };
  }

  /**
   * Takes one step. The preset decides what a step after an episode's end does.
   *
   * @throws Gym2600Error `bad-action`, `bad-state`, `closed`, `worker-died`, `bad-message`
   */
  async step(action: number, options: WorkerStepOptions = {}): Promise<WorkerStepResult> {
    const { paddleStrength: strength = 1, ...request } = namedOptions(options, "paddleStrength", "picture", "paint");
    if (!this.actionSpace.contains(action)) throw badAction(action, this.actionSpace.n);
    checkStrength(strength);
    const actions = [action];
    const step = { type: "step", lanes: [0], actions, strength, every: false, states: false } as const;
    return this.#result(await this.#ask({ ...step }, request));
  }

  /**
   * Paints the canvas as the picture is after the requests made so far, for steps taken with `paint: false`.
   *
   * @throws Gym2600Error as {@link save}
   */
  paint(): Promise<void> {
    return callLane(this.#client, 0, "paint");
  }

  /**
   * The console's picture as it is after the requests made so far; see `Game.render`. It is the caller's; see {@link recycle}.
   *
   * @throws Gym2600Error `closed`, `worker-died`, `bad-message`
   */
  async render(): Promise<Picture> {
    const pictureBuffer = this.#picturePool.take(this.#pictureBytes);
    const answer = await this.#client.ask({ type: "render", lane: 0, pictureBuffer }, pictureBuffer);
    return pictureOver(expectAnswer(answer, "rendered").picture, this.description.screen);
  }

  /**
   * The complete state after the requests made so far, as bytes; see `Game.save`, whose states are the same. The array is
   * the caller's.
   *
   * @throws Gym2600Error `closed`, `worker-died`, `bad-message`
   */
  async save(): Promise<Uint8Array<ArrayBuffer>> {
    return callLane(this.#client, 0, "save");
  }

  /**
   * Restores a state that {@link save} or `Game.save` gave. The next observation is that of the next step or reset. The
   * bytes are copied, so they stay the caller's.
   *
   * @throws Gym2600Error `bad-saved-state` for bytes of another ROM, other options or no state at all; `closed`,
   * `worker-died`, `bad-message`
   */
  async restore(state: Uint8Array): Promise<void> {
    await callLane(this.#client, 0, "restore", checkState(state));
  }

  /** The console's memory after the requests made so far; see `Game.ram`. @throws Gym2600Error as {@link save} */
  ram(): Promise<Uint8Array<ArrayBuffer>> {
    return callLane(this.#client, 0, "ram");
  }

  /** Writes a byte of it; see `Game.setRam`. @throws Gym2600Error `bad-option`, and as {@link save} */
  async setRam(index: number, value: number): Promise<void> {
    checkRam(index, value);
    return callLane(this.#client, 0, "setRam", index, value);
  }

  /** The console's picture as palette indices, height * width. @throws Gym2600Error as {@link save} */
  screen(): Promise<Uint8Array<ArrayBuffer>> {
    return callLane(this.#client, 0, "screen", "indices");
  }

  /** The console's picture in ALE's grey, height * width. @throws Gym2600Error as {@link save} */
  screenGrey(): Promise<Uint8Array<ArrayBuffer>> {
    return callLane(this.#client, 0, "screen", "grey");
  }

  /** The console's picture as red, green and blue, height * width * 3. @throws Gym2600Error as {@link save} */
  screenRgb(): Promise<Uint8Array<ArrayBuffer>> {
    return callLane(this.#client, 0, "screen", "rgb");
  }

  /** The sound of the last step's frames; see `Game.audio`. @throws Gym2600Error as {@link save} */
  audio(): Promise<Uint8Array<ArrayBuffer>> {
    return callLane(this.#client, 0, "audio");
  }

  /** The action that the console's last frame executed. @throws Gym2600Error as {@link save} */
  async lastAction(): Promise<ActionName> {
    return actionNames[await callLane(this.#client, 0, "lastAction")] as ActionName;
  }

  /**
   * Gives the memory of an observation, or of a picture's `data`, back to be filled again. From this call on the array belongs
   * to the package: the next request transfers its buffer, which leaves the array empty.
   *
   * @throws Gym2600Error `bad-buffer` if the array is no whole buffer of a size that results of this game have
   */
  recycle(array: RecyclableArray): void {
    const isPicture = array instanceof Uint8ClampedArray;
    const expected = isPicture ? this.#pictureBytes : this.observationSpace.byteLength;
    const pool = isPicture ? this.#picturePool : this.#observationPool;
    pool.add(recyclable(array, (bytes) => bytes === expected));
  }

  /**
   * Waits for the requests made so far, then ends the worker. Never throws; calls after the first do nothing more.
   * Requests made after it are rejected with `closed`.
   */
  close(): Promise<void> {
    return this.#client.close();
  }

  /** Ends the worker at once: pending requests are rejected with `worker-died`, later ones with `closed`. */
  terminate(): void {
    this.#client.terminate();
  }

  /** {@link close}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #ask(command: WorkerCommand & ReplyOptions, { picture = false, paint }: PictureRequest): Promise<WorkerAnswer> {
    command.observationBuffer = this.#observationPool.take(this.observationSpace.byteLength);
    command.paint = paint !== false;
    if (picture) {
      command.pictureOf = 0;
      command.pictureBuffer = this.#picturePool.take(this.#pictureBytes);
    }
    return this.#client.ask(command, command.observationBuffer, command.pictureBuffer);
  }

  #result(answer: WorkerAnswer): WorkerStepResult {
    const observed = expectAnswer(answer, "observed");
    const { observations, picture } = observed;
    const observation = observationOver(observations, this.observationSpace.dtype);
    const result = { observation, ...resultAt(observed, 0) };
    return picture === undefined ? result : { ...result, picture: pictureOver(picture, this.description.screen) };
  }
}
