/**
 * One environment in this thread, as the WebAssembly side has it: numbers go in, numbers and bytes come out.
 *
 * `Game`, workers and `VectorEnv` are all made of lanes. A lane never keeps an array that it was given; it keeps a canvas.
 */

import { WasmCanvas, WasmGame } from "../../wasm/gym2600_wasm.js";
import { flagOf, frozen } from "../arguments.js";
import { observationBytes, observationOver } from "../buffers/observation-buffers.js";
import { checkDefinition } from "../definition.js";
import type { GameDescription, GameOptions, Labels, Observation } from "../types.js";
import { Handle } from "../wasm-instance.js";
import { instance, instantiated } from "../wasm-module.js";
import { isAt, type StepRecords } from "./step-record.js";

/** A game's options without its ROM: plain data that crosses to the WebAssembly side and to workers. */
export type LaneOptions = Omit<GameOptions, "rom">;

/** A state of a lane in the instance's memory, until it is closed. */
export class LaneState extends Handle<WasmGame> {
  constructor(make: () => WasmGame) {
    super(instance, make);
  }

  /** {@link close}, for `using`. */
  [Symbol.dispose](): void {
    this.close();
  }
}

/** An environment, until it is closed. What can be asked of it besides the methods here is in `accessors.ts`. */
export class Lane extends Handle<WasmGame> {
  readonly description: GameDescription;
  /** How many bytes an observation has. */
  readonly observationBytes: number;

  #canvas: WasmCanvas | undefined;
  /** Whether records have labels. */
  readonly #isLabelled: boolean;

  private constructor(make: () => WasmGame, isLabelled: boolean, description?: GameDescription) {
    super(instance, make);
    this.#isLabelled = isLabelled;
    this.description = description ?? frozen(this.run((game) => game.description() as GameDescription));
    this.observationBytes = observationBytes(this.description);
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
    const { labels, ...environment } = options;
    const isLabelled = flagOf("labels", labels);
    checkDefinition(options.game);
    return new Lane(() => new WasmGame(rom, environment), isLabelled);
  }

  /** A lane in the same instance that goes on as this one. It has no canvas. */
  clone(): Lane {
    return new Lane(() => this.run((game) => game.fork()), this.#isLabelled, this.description);
  }

  /** The state in the instance's memory. */
  cloneState(): LaneState {
    return new LaneState(() => this.run((game) => game.fork()));
  }

  /** Continues from the state of a lane with the same ROM and options. */
  copyFrom(other: Handle<WasmGame>): void {
    // The other's handle refuses a state of another instance.
    other.run((state) =>
      this.run((game) => {
        if (game !== state) game.copyFrom(state);
      }),
    );
    this.paint();
  }

  /** Starts an episode and writes its record as row `row`. */
  reset(seed: number | undefined, records: StepRecords, row: number): void {
    this.run((game) => game.reset(seed, records.numbers, row));
    this.#label(records, row);
  }

  /** Takes a step and writes its record as row `row`. `strength`, 0 to 1, is that of paddles. */
  step(action: number, records: StepRecords, row: number, strength = 1): void {
    this.run((game) => game.step(action, strength, records.numbers, row));
    this.#label(records, row);
    if (!isAt(records, row, "finalInfo")) return;
    records.finalObservations ??= new Map();
    records.finalObservations.set(row, this.#finalObservation());
    if (!this.#isLabelled) return;
    records.finalLabels ??= new Map();
    records.finalLabels.set(row, this.run((game) => game.finalVariables()) as Labels);
  }

  /** Writes a record of the present state: no reward, no flags. */
  info(records: StepRecords, row: number): void {
    this.run((game) => game.info(records.numbers, row));
    this.#label(records, row);
  }

  /** Writes the bytes of the last observation to `target`, which has `observationBytes` of them. */
  observe(target: Uint8Array): void {
    this.run((game) => game.observe(target));
  }

  /**
   * Paints the picture on `canvas` from here on, which the lane owns. The canvas gets the picture's size.
   *
   * @throws Gym2600Error `bad-option` if it has another kind of context
   */
  setCanvas(canvas: OffscreenCanvas): void {
    const { width, height } = this.description.screen;
    this.#canvas = instance.call(() => new WasmCanvas(canvas, width, height));
    this.paint();
  }

  /** Paints the picture, if the lane has a canvas. */
  paint(): void {
    const canvas = this.#canvas;
    if (canvas !== undefined) this.run((game) => canvas.paint(game));
  }

  /** Restores a state that a save gave; its observation is then the last one. Says whether a reset has to come next. */
  restore(state: Uint8Array): boolean {
    this.run((game) => game.restore(state));
    this.paint();
    return this.needsReset;
  }

  /** Whether a reset has to come before the next step. */
  get needsReset(): boolean {
    return this.run((game) => game.needsReset());
  }

  /** Writes the labels of the present state. */
  #label(records: StepRecords, row: number): void {
    if (!this.#isLabelled) return;
    records.labels ??= new Map();
    records.labels.set(row, this.run((game) => game.variables()) as Labels);
  }

  /** The last observation of the episode that the last step ended. */
  #finalObservation(): Observation {
    const bytes = new Uint8Array(this.observationBytes);
    this.run((game) => game.finalObservation(bytes));
    return observationOver(bytes.buffer, this.description.observation.dtype);
  }
}
