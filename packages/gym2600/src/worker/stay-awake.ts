/**
 * Keeps a worker's thread awake between requests that follow each other closely.
 *
 * Waking a sleeping thread can take as long as a step of a game. A worker that answered a request therefore polls its
 * message queue for {@link POLL_MS} before it sleeps, if the client allows it (`RequestHints.awake`) and the request itself
 * followed the answer before it as closely.
 */

import type { RequestHints } from "./protocol.js";

/** How long a worker polls, in milliseconds. */
const POLL_MS = 0.3;

/** Decides after each answer whether to poll. */
export class StayAwake {
  readonly #nextTurn: (then: () => void) => void;
  #answeredAt = Number.NEGATIVE_INFINITY;
  #expectsRequest = false;
  #polling = false;

  /** `nextTurn` calls its argument after the messages that have already arrived. */
  constructor(nextTurn: (then: () => void) => void) {
    this.#nextTurn = nextTurn;
  }

  /** A request has arrived. */
  asked(request: unknown): void {
    const allowed = (request as RequestHints | null | undefined)?.awake === true;
    this.#expectsRequest = allowed && this.#isRecent();
  }

  /** The request has been answered. */
  answered(): void {
    this.#answeredAt = performance.now();
    if (!this.#expectsRequest || this.#polling) return;
    this.#polling = true;
    this.#nextTurn(this.#poll);
  }

  readonly #poll = (): void => {
    this.#polling = this.#isRecent();
    if (this.#polling) this.#nextTurn(this.#poll);
  };

  #isRecent(): boolean {
    return performance.now() - this.#answeredAt < POLL_MS;
  }
}
