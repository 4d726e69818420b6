/** The inside of a worker without the worker: lanes of a `VectorEnv` in this thread, asked in the same way. */

import type { WorkerListener, WorkerPort } from "../platform.js";
import { WorkerHost } from "./worker-host.js";

/**
 * See the module. Nothing is copied or transferred: a buffer that was posted is the other side's by agreement. As with a
 * worker, posting returns before the answer comes.
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

  /** Gives the consoles' memory back. */
  terminate(): void {
    this.#host.message({ type: "close", id: -1 });
  }
}
