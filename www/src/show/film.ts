/** The pictures of the last game, for a file. */

import type { Picture } from "gym2600";
import type { Film } from "./protocol.js";

/** Pictures that are kept of a game: the last 40 seconds at 15 a second. */
const KEPT = 600;

export class FilmRecorder {
  #pictures: Uint8Array<ArrayBuffer>[] = [];
  #last: Uint8Array<ArrayBuffer>[] = [];
  readonly #palette = new Uint8Array(256 * 3);
  /** Whether the colour of each palette index is known. */
  readonly #known = new Uint8Array(256);

  /** Adds a picture: its palette indices, and the same in colour. */
  add(screen: Uint8Array<ArrayBuffer>, { data }: Picture): void {
    for (let pixel = 0; pixel < screen.length; pixel++) {
      const index = screen[pixel] ?? 0;
      if (this.#known[index]) continue;
      this.#known[index] = 1;
      this.#palette.set(data.subarray(4 * pixel, 4 * pixel + 3), 3 * index);
    }
    this.#pictures.push(screen);
    if (this.#pictures.length > KEPT) this.#pictures.shift();
  }

  /** The game has been given up. */
  drop(): void {
    this.#pictures = [];
  }

  /** The game has ended. */
  end(): void {
    this.#last = this.#pictures;
    this.#pictures = [];
  }

  /** The last game that ended, or the running one. */
  film(width: number, height: number, perSecond: number): Film | undefined {
    const pictures = this.#last.length > 0 ? this.#last : this.#pictures;
    if (pictures.length === 0) return undefined;
    return { width, height, pictures, palette: this.#palette, perSecond };
  }
}
