/** Keeps a worker's thread awake for the next request where that comes soon: to be woken can take as long as a step of a game. */

import type { Attention } from "./protocol.js";

/** Milliseconds that are soon. */
const SOON = 0.3;

/** See the module. */
export class Lookout {
  readonly #turn: (then: () => void) => void;
  #answeredAt = Number.NEGATIVE_INFINITY;
  /** The next request is expected soon. */
  #soon = false;
  #looking = false;

  /** `turn` goes on with what it is given after those messages that have come. */
  constructor(turn: (then: () => void) => void) {
    this.#turn = turn;
  }

  /** A request has come. Where that was soon, and it says that the thread may stay awake, it does for the next one. */
  asked(request: unknown): void {
    const mayStay = (request as Attention | null | undefined)?.awake === true;
    this.#soon = mayStay && this.#isSoon();
  }

  /** It has been answered. */
  answered(): void {
    this.#answeredAt = performance.now();
    if (!this.#soon || this.#looking) return;
    this.#looking = true;
    this.#turn(this.#look);
  }

  readonly #look = (): void => {
    this.#looking = this.#isSoon();
    if (this.#looking) this.#turn(this.#look);
  };

  #isSoon(): boolean {
    return performance.now() - this.#answeredAt < SOON;
  }
}
