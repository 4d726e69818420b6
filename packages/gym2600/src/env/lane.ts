/**
 * One environment in this thread, as the WebAssembly side has it: numbers go in, numbers and bytes come out.
 *
 * `Game`, workers and `VectorEnv` are all made of lanes. A lane never keeps an array that it was given; it keeps a canvas.
 */

import { WasmCanvas, WasmGame, describe as wasmDescribe } from "../../wasm/gym2600_wasm.js";
import { frozen, reading } from "../arguments.js";
import { observationBytes, observationOver, pictureBytes } from "../buffers/observation-buffers.js";
import { checkDefinition } from "../definition.js";
import { Gym2600Error, shown } from "../errors.js";
import { checkSeed } from "../spaces.js";
import type { GameDescription, GameOptions, Observation } from "../types.js";
import { compiledModule, instance, instantiated } from "../wasm-module.js";
import { checkState, Handle, SCREENS } from "./handle.js";
import { isAt, type StepRecords } from "./step-record.js";

/** A game's options without its ROM: plain data that crosses to the WebAssembly side and to workers. */
export type LaneOptions = Omit<GameOptions, "rom">;

/** An environment, until it is closed. */
export class Lane {
  readonly description: GameDescription;
  /** How many bytes an observation has. */
  readonly observationBytes: number;
  /** How many bytes a picture has. */
  readonly pictureBytes: number;

  /** The object on the WebAssembly side. */
  readonly handle: Handle<WasmGame>;
  #canvas: WasmCanvas | undefined;

  private constructor(handle: Handle<WasmGame>) {
    this.handle = handle;
    this.description = frozen(handle.run((game) => game.description() as GameDescription));
    this.observationBytes = observationBytes(this.description);
    this.pictureBytes = pictureBytes(this.description);
  }

  /** Loads a game in this thread's instance, which is made of `module` if there is none. */
  static async open(
    rom: Uint8Array,
    options: LaneOptions,
    module: WebAssembly.Module | Promise<WebAssembly.Module>,
  ): Promise<Lane> {
    await instantiated(module);
    return Lane.openHere(rom, options);
  }

  /** Loads a game in the current instance, which there has to be. */
  static openHere(rom: Uint8Array, options: LaneOptions): Lane {
    checkDefinition(options.game);
    return new Lane(new Handle(() => new WasmGame(rom, options)));
  }

  /** Starts an episode and writes its record as row `row`. */
  reset(seed: number | undefined, records: StepRecords, row: number): void {
    if (seed !== undefined) checkSeed(seed);
    this.handle.run((game) => game.reset(seed, records.numbers, row));
  }

  /** Takes a step and writes its record as row `row`. `strength`, 0 to 1, is that of paddles. */
  step(action: number, records: StepRecords, row: number, strength = 1): void {
    this.handle.run((game) => {
      this.checkAction(action);
      game.step(action, strength, records.numbers, row);
    });
    if (!isAt(records, row, "finalInfo")) return;
    records.finalObservations ??= new Map();
    records.finalObservations.set(row, this.#finalObservation());
  }

  /** Writes a record of the present state: no reward, no flags. */
  info(records: StepRecords, row: number): void {
    this.handle.run((game) => game.info(records.numbers, row));
  }

  /** Writes the bytes of the last observation to `target`, which has `observationBytes` of them. */
  observe(target: Uint8Array): void {
    this.handle.run((game) => game.observe(target));
  }

  /** Writes the console's picture to `target`, which has `pictureBytes`: red, green, blue, 255 for each pixel. */
  picture(target: Uint8Array<ArrayBuffer> | Uint8ClampedArray<ArrayBuffer>): void {
    this.handle.screen("rgba", this.pictureBytes / 4, target);
  }

  /**
   * Paints the picture on `canvas` from here on, which the lane owns. The canvas gets the picture's size.
   *
   * @throws Gym2600Error `bad-option` if it is no canvas, or one with another kind of context
   */
  setCanvas(canvas: OffscreenCanvas): void {
    checkCanvas(canvas);
    const { width, height } = this.description.screen;
    this.#canvas = instance.call(() => new WasmCanvas(canvas, width, height));
    this.paint();
  }

  /** Paints the picture, if the lane has a canvas. */
  paint(): void {
    const canvas = this.#canvas;
    if (canvas !== undefined) this.handle.run((game) => canvas.paint(game));
  }

  /** The complete state, as bytes. */
  save(): Uint8Array<ArrayBuffer> {
    return this.handle.run((game) => game.save()) as Uint8Array<ArrayBuffer>;
  }

  /** Restores a state that `save` gave; its observation is then the last one. Says whether a reset has to come next. */
  restore(state: Uint8Array): boolean {
    const bytes = checkState(state);
    this.handle.run((game) => game.restore(bytes));
    this.paint();
    return this.needsReset;
  }

  /** Whether a reset has to come before the next step. */
  get needsReset(): boolean {
    return this.handle.run((game) => game.needsReset());
  }

  /** The console's memory. */
  ram(): Uint8Array<ArrayBuffer> {
    return this.handle.ram();
  }

  /** Writes a byte of it. */
  setRam(index: number, value: number): void {
    this.handle.setRam(index, value);
  }

  /** The console's picture in one of its forms. */
  screen(form: keyof typeof SCREENS): Uint8Array<ArrayBuffer> {
    const pixels = this.pictureBytes / SCREENS.rgba.bytes;
    return this.handle.screen(form, pixels, new Uint8Array(pixels * SCREENS[form].bytes));
  }

  /** The samples of the last step's frames. */
  audio(): Uint8Array<ArrayBuffer> {
    return this.handle.audio();
  }

  /** The number of the action that the last frame executed. */
  lastAction(): number {
    return this.handle.run((game) => game.lastAction());
  }

  /** Refuses an action that is not in the action space. */
  checkAction(action: number): void {
    const count = this.description.actions.length;
    if (!(Number.isInteger(action) && action >= 0 && action < count)) throw badAction(action, count);
  }

  /** Frees the console's memory. */
  close(): void {
    this.handle.close();
  }

  /** The last observation of the episode that the last step ended. */
  #finalObservation(): Observation {
    const bytes = new Uint8Array(this.observationBytes);
    this.handle.run((game) => game.finalObservation(bytes));
    return observationOver(bytes.buffer, this.description.observation.dtype);
  }
}

/**
 * Refuses what is no `OffscreenCanvas`.
 *
 * @throws Gym2600Error `bad-option`
 */
export function checkCanvas(canvas: unknown): void {
  const isCanvas = () => typeof OffscreenCanvas !== "undefined" && canvas instanceof OffscreenCanvas;
  if (reading("canvas", isCanvas)) return;
  throw new Gym2600Error(
    "bad-option",
    `canvas: an OffscreenCanvas is needed, as transferControlToOffscreen gives, not ${shown(canvas)}`,
  );
}

/** The description of an environment with these options, which is not made. */
export async function describe(rom: Uint8Array, options: LaneOptions): Promise<GameDescription> {
  await instantiated(compiledModule());
  checkDefinition(options.game);
  return instance.call(() => wasmDescribe(rom, options)) as GameDescription;
}

/** Refuses what is no action of an environment that has `count` of them. */
export function badAction(action: unknown, count: number): Gym2600Error {
  const range = `this environment has ${count} actions, 0 to ${count - 1}`;
  return new Gym2600Error("bad-action", `action ${shown(action)} is out of range: ${range}`);
}
