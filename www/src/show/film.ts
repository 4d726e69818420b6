/** The pictures of the last game, for a file. */

import type { Film } from "./protocol.js";

/** Pictures that are kept of a game: the last 40 seconds at 15 a second. */
const KEPT = 600;

export class FilmRecorder {
  #pictures: Uint8Array<ArrayBuffer>[] = [];
  #last: Uint8Array<ArrayBuffer>[] = [];

  /** Adds a picture of palette indices. */
  add(screen: Uint8Array<ArrayBuffer>): void {
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
  film(facts: Omit<Film, "pictures">): Film | undefined {
    const pictures = this.#last.length > 0 ? this.#last : this.#pictures;
    return pictures.length === 0 ? undefined : { ...facts, pictures };
  }
}
