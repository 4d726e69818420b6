/** A bare console, as the Arcade Learning Environment has it: what `gym2600 trace` runs. Not part of the public interface. */

import { WasmArcade } from "../wasm/gym2600_wasm.js";
import { toGym2600Error } from "./errors.js";
import { instantiated } from "./wasm.js";

/** What a console is set up with. */
export interface ArcadeOptions {
  readonly rom: Uint8Array;
  readonly seed: number;
  readonly sticky: number;
  /** A game definition's text and the file it is from, for a ROM that the catalogue lacks. */
  readonly game?: { readonly text: string; readonly file: string } | undefined;
  readonly mode?: number | undefined;
  readonly difficulty?: number | undefined;
}

/** See the module. */
export class Arcade {
  readonly #console: WasmArcade;
  readonly #memory: WebAssembly.Memory;

  private constructor(console: WasmArcade, memory: WebAssembly.Memory) {
    this.#console = console;
    this.#memory = memory;
  }

  static async load(options: ArcadeOptions): Promise<Arcade> {
    const memory = await instantiated();
    const { rom, seed, sticky, game, mode, difficulty } = options;
    try {
      const console = new WasmArcade(rom, seed, sticky, game?.text, game?.file);
      if (mode !== undefined) console.setMode(mode);
      if (difficulty !== undefined) console.setDifficulty(difficulty);
      return new Arcade(console, memory);
    } catch (error) {
      throw toGym2600Error(error);
    }
  }

  resetGame(): void {
    this.#console.resetGame();
  }

  /** Plays one of the eighteen actions for a frame and gives its reward. */
  act(action: number): number {
    return this.#console.act(action);
  }

  get lives(): number {
    return this.#console.lives();
  }

  get gameOver(): boolean {
    return this.#console.gameOver();
  }

  /** The 128 bytes of memory; valid until the next call. */
  ram(): Uint8Array {
    return new Uint8Array(this.#memory.buffer, this.#console.ramAddress(), 128);
  }

  /** The screen as palette indices, line by line; valid until the next call. */
  screen(): Uint8Array {
    const address = this.#console.screenAddress();
    const length = this.#console.screenLength();
    return new Uint8Array(this.#memory.buffer, address, length);
  }
}
