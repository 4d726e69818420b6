/**
 * One environment in this thread, as the WebAssembly side has it: numbers go in, numbers and bytes come out.
 *
 * `Game`, the worker and `VectorEnv` are all made of lanes. A lane never keeps an array that it was given.
 */

import { WasmGame } from "../wasm/gym2600_wasm.js";
import { Handle, SCREENS } from "./console.js";
import { withDefinition } from "./definition.js";
import { Gym2600Error } from "./errors.js";
import { observationOver } from "./observation.js";
import { checkSeed } from "./spaces.js";
import type { GameDescription, GameOptions, Observation, StepResult } from "./types.js";
import { instantiated } from "./wasm.js";

/** A step's result without its observation. */
export type Outcome = Omit<StepResult, "observation">;

/** A game's options without its ROM: plain data that crosses to the WebAssembly side and to workers. */
export type LaneOptions = Omit<GameOptions, "rom">;

const NOTHING_YET: Outcome = {
  reward: 0,
  terminated: false,
  truncated: false,
  info: { lives: 0, frameNumber: 0, episodeFrameNumber: 0 },
};

/** See the module. */
export class Lane {
  readonly description: GameDescription;
  /** How many bytes an observation has. */
  readonly observationBytes: number;
  /** How many bytes a picture has. */
  readonly pictureBytes: number;

  /** What the last step, reset or restore brought. */
  outcome: Outcome = NOTHING_YET;

  /** The console in it, for those who want to look at it. */
  readonly handle: Handle<WasmGame>;

  readonly #observationAddress: number;
  readonly #outcomeAddress: number;
  #numbers: Float64Array;

  private constructor(game: WasmGame, memory: WebAssembly.Memory) {
    this.handle = new Handle(game, memory);
    this.description = game.description() as GameDescription;
    const { width, height } = this.description.screen;
    this.observationBytes = game.observationLength();
    this.pictureBytes = width * height * 4;
    this.#observationAddress = game.observationAddress();
    this.#outcomeAddress = game.outcomeAddress();
    this.#numbers = this.#viewNumbers();
  }

  /** Loads a game; `module` for a thread that got it compiled. */
  static async open(rom: Uint8Array, options: LaneOptions, module?: WebAssembly.Module): Promise<Lane> {
    const memory = await instantiated(module && Promise.resolve(module));
    const { game, ...rest } = options;
    return new Lane(
      withDefinition(game, (text) => new WasmGame(rom, { ...rest, game: text })),
      memory,
    );
  }

  /** Starts an episode. */
  reset(seed: number | undefined): void {
    const { console } = this.handle;
    if (seed !== undefined) checkSeed(seed);
    this.handle.run(() => console.reset(seed));
    this.outcome = this.#readOutcome();
  }

  /** Takes a step. */
  step(action: number): void {
    const { console } = this.handle;
    this.checkAction(action);
    this.handle.run(() => console.step(action));
    this.outcome = this.#readOutcome();
  }

  /** Writes the bytes of the last observation to `target`, which has `observationBytes` of them. */
  observe(target: Uint8Array): void {
    this.handle.copy(this.#observationAddress, target);
  }

  /** Writes the console's picture to `target`, which has `pictureBytes`: red, green, blue, 255 for each pixel. */
  picture(target: Uint8Array | Uint8ClampedArray): void {
    this.handle.screen("rgba", this.pictureBytes / 4, target);
  }

  /** The complete state, as bytes. */
  save(): Uint8Array<ArrayBuffer> {
    return this.handle.run((console) => console.save()) as Uint8Array<ArrayBuffer>;
  }

  /** Goes back to a state that `save` gave, whose observation is then the last one. Says whether it needs a reset next. */
  restore(state: Uint8Array): boolean {
    this.handle.run((console) => console.restore(Handle.state(state)));
    this.outcome = this.#readOutcome();
    return this.needsReset;
  }

  /** Whether a reset has to come before the next step. */
  get needsReset(): boolean {
    return this.handle.console.needsReset();
  }

  /** The console's memory. */
  ram(): Uint8Array<ArrayBuffer> {
    return this.handle.ram();
  }

  /** Writes a byte of it. */
  setRam(index: number, value: number): void {
    this.handle.setRam(index, value);
  }

  /** The console's picture in one of the ways. */
  screen(way: keyof typeof SCREENS): Uint8Array<ArrayBuffer> {
    const pixels = this.pictureBytes / SCREENS.rgba.bytes;
    return this.handle.screen(way, pixels, new Uint8Array(pixels * SCREENS[way].bytes));
  }

  /** The samples of the last step's frames. */
  audio(): Uint8Array<ArrayBuffer> {
    return this.handle.audio();
  }

  /** The number of the action that the last frame really executed. */
  lastAction(): number {
    return this.handle.console.lastAction();
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
    this.handle.close();
  }

  /** Numbers where the WebAssembly side leaves them: see its `Outcome`. */
  #readOutcome(): Outcome {
    // The memory's buffer is another one after it has grown.
    if (this.#numbers.buffer !== this.handle.memory.buffer) this.#numbers = this.#viewNumbers();
    const at = (index: number) => this.#numbers[index] as number;
    const flags = at(1);
    const frames = (from: number) => ({ lives: at(from), frameNumber: at(from + 1), episodeFrameNumber: at(from + 2) });
    const ended = (flags & 3) !== 0;
    const episode = flags & 4 ? { episode: { reward: at(5), length: at(6) } } : undefined;
    const about = { ...episode, ...(ended ? { realDone: (flags & 8) !== 0 } : undefined) };
    const last = flags & 16 ? { finalObservation: this.#last(), finalInfo: { ...frames(7), ...about } } : undefined;
    return {
      reward: at(0),
      terminated: (flags & 1) !== 0,
      truncated: (flags & 2) !== 0,
      info: { ...frames(2), ...about, ...last },
    };
  }

  /** The observation that an episode ended with. */
  #last(): Observation {
    const { console } = this.handle;
    const bytes = this.handle.copy(console.finalObservationAddress(), new Uint8Array(this.observationBytes));
    return observationOver(bytes.buffer, this.description.observation.dtype);
  }

  #viewNumbers(): Float64Array {
    return new Float64Array(this.handle.memory.buffer, this.#outcomeAddress, 10);
  }
}
