/**
 * One environment in this thread, as the WebAssembly side has it: numbers go in, numbers and bytes come out.
 *
 * `Game`, the worker and `VectorEnv` are all made of lanes. A lane never keeps an array that it was given.
 */

import { WasmGame } from "../wasm/gym2600_wasm.js";
import { Gym2600Error, toGym2600Error } from "./errors.js";
import { checkSeed } from "./spaces.js";
import type { GameDescription, GameOptions, Info, StepResult } from "./types.js";
import { instantiated } from "./wasm.js";

/** A step's result without its observation. */
export type Outcome = Omit<StepResult, "observation">;

/** A game's options without its ROM: plain data that crosses to the WebAssembly side and to workers. */
export type LaneOptions = Omit<GameOptions, "rom">;

/** See the module. */
export class Lane {
  readonly description: GameDescription;
  /** How many bytes an observation has. */
  readonly observationBytes: number;
  /** How many bytes a picture has. */
  readonly pictureBytes: number;

  /** What the last step or reset brought. */
  outcome: Outcome = { reward: 0, terminated: false, truncated: false, info: { lives: 0 } };

  readonly #game: WasmGame;
  readonly #memory: WebAssembly.Memory;
  #closed = false;

  private constructor(game: WasmGame, memory: WebAssembly.Memory) {
    this.#game = game;
    this.#memory = memory;
    this.description = game.description() as GameDescription;
    const { width, height } = this.description.screen;
    this.observationBytes = game.observationLength();
    this.pictureBytes = width * height * 4;
  }

  /** Loads a game; `module` for a thread that got it compiled. */
  static async open(rom: Uint8Array, options: LaneOptions, module?: WebAssembly.Module): Promise<Lane> {
    const memory = await instantiated(module && Promise.resolve(module));
    try {
      return new Lane(new WasmGame(rom, options), memory);
    } catch (error) {
      throw toGym2600Error(error);
    }
  }

  /** Starts an episode. */
  reset(seed: number | undefined): void {
    this.#checkOpen();
    if (seed !== undefined) checkSeed(seed);
    this.#run(() => this.#game.reset(seed));
    const info = this.#game.info() as Info;
    this.outcome = { reward: 0, terminated: false, truncated: false, info };
  }

  /** Takes a step. */
  step(action: number): void {
    this.#checkOpen();
    this.checkAction(action);
    const reward = this.#run(() => this.#game.step(action));
    const info = this.#game.episodeEnded() ? (this.#game.info() as Info) : { lives: this.#game.lives() };
    this.outcome = { reward, terminated: this.#game.terminated(), truncated: this.#game.truncated(), info };
  }

  /** Writes the bytes of the last observation to `target`, which has `observationBytes` of them. */
  observe(target: Uint8Array): void {
    this.#checkOpen();
    this.#copy(this.#game.observationAddress(), target);
  }

  /** Writes the console's picture to `target`, which has `pictureBytes`: red, green, blue, 255 for each pixel. */
  picture(target: Uint8Array | Uint8ClampedArray): void {
    this.#checkOpen();
    const address = this.#run(() => this.#game.picture());
    this.#copy(address, target);
  }

  /** The complete state, as bytes. */
  save(): Uint8Array<ArrayBuffer> {
    this.#checkOpen();
    return this.#run(() => this.#game.save()) as Uint8Array<ArrayBuffer>;
  }

  /** Goes back to a state that `save` gave. */
  restore(state: Uint8Array): void {
    this.#checkOpen();
    if (!(state instanceof Uint8Array)) {
      throw new Gym2600Error("bad-saved-state", `a saved state is a Uint8Array, not ${typeof state}`);
    }
    this.#run(() => this.#game.restore(state));
  }

  /** Refuses an action that is not in the action space. */
  checkAction(action: number): void {
    const count = this.description.actions.length;
    if (Number.isInteger(action) && action >= 0 && action < count) return;
    const range = `this environment has ${count} actions, 0 to ${count - 1}`;
    throw new Gym2600Error("bad-action", `action ${String(action)} is out of range: ${range}`);
  }

  /** Gives the console's memory back. */
  close(): void {
    if (!this.#closed) this.#game.free();
    this.#closed = true;
  }

  #checkOpen(): void {
    if (this.#closed) throw new Gym2600Error("closed", "the environment has been closed");
  }

  #run<T>(call: () => T): T {
    try {
      return call();
    } catch (error) {
      throw toGym2600Error(error);
    }
  }

  #copy(address: number, target: Uint8Array | Uint8ClampedArray): void {
    // Made anew each time: the memory's buffer is another one after it has grown.
    target.set(new Uint8Array(this.#memory.buffer, address, target.length));
  }
}
