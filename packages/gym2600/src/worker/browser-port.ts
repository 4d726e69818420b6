/** Web Workers as the client of the protocol sees them. */

import type { WorkerListener, WorkerPort } from "../platform.js";
import { watchDeath } from "./worker-death.js";

/** Browsers do not say why. */
const UNREACHABLE =
  "its script was not loaded: see its address (init({ worker })), CORS, COEP, worker-src of the policy: 'self' blob:, the package's origin, " +
  "in sandboxed frames data:";

/**
 * A worker that runs a text, in a Blob. Sandboxed frames and pages from files have the origin "null", where Chromium starts no module from
 * a Blob; there the text is the address.
 */
export function workerOfText(text: string): Worker {
  const address =
    origin === "null"
      ? `data:text/javascript,${encodeURIComponent(text)}`
      : URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  const worker = started(address);
  // A Blob's address is needed until the worker has fetched its script, and its first message comes after that.
  const revoke = () => URL.revokeObjectURL(address);
  worker.addEventListener("message", revoke, { once: true });
  worker.addEventListener("error", revoke, { once: true });
  return worker;
}

/** Some browsers throw where others report an event. */
function started(address: string): Worker {
  try {
    return new Worker(address, { type: "module" });
  } catch {
    throw new Error(UNREACHABLE);
  }
}

/** A Web Worker. */
export class BrowserPort implements WorkerPort {
  readonly #worker: Worker;
  readonly #name: string;
  #watched = false;
  readonly #stopWatching = new AbortController();

  constructor(worker: Worker, name: string) {
    this.#worker = worker;
    this.#name = name;
  }

  post(message: unknown, transfer: Transferable[]): void {
    this.#worker.postMessage(message, transfer);
  }

  listen(listener: WorkerListener): void {
    this.#worker.addEventListener("message", (event) => {
      listener.message(event.data);
      if (this.#watched) return;
      this.#watched = true;
      watchDeath(this.#name, this.#stopWatching.signal, (reason) => listener.died(reason));
    });
    this.#worker.addEventListener("messageerror", () => listener.messageError());
    this.#worker.addEventListener("error", (event) => listener.died(event.message || UNREACHABLE));
  }

  awaited(): void {}

  terminate(): void {
    this.#stopWatching.abort();
    this.#worker.terminate();
  }
}
