/** A worker's host in this thread, for the lanes of a `VectorEnv` with `workers: 0`. */

import type { WorkerListener, WorkerPort } from "../platform.js";
import { WorkerHost } from "./worker-host.js";

/**
 * Passes messages on without copying or transferring: a posted buffer belongs to the other side by agreement. As with a
 * worker, `post` returns before the answer arrives.
 */
export class InlinePort implements WorkerPort {
  #listener: WorkerListener | undefined;
  readonly #host = new WorkerHost({
    post: (reply) => this.#listener?.message(reply),
    live: () => Promise.resolve(),
  });

  post(message: unknown): void {
    queueMicrotask(() => this.#host.message(message));
  }

  listen(listener: WorkerListener): void {
    this.#listener = listener;
  }

  awaited(): void {}

  /** Frees the games. */
  terminate(): void {
    this.#host.message({ type: "close", id: -1 });
  }
}
