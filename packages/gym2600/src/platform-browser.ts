/** Web pages and their workers. */

import { Gym2600Error } from "./errors.js";
import type { Platform, WorkerListener, WorkerPort } from "./platform.js";

/** The platform of pages and Web Workers. */
export const browser: Platform = {
  processors: navigator.hardwareConcurrency,
  async compile() {
    const address = new URL("../wasm/gym2600_wasm_bg.wasm", import.meta.url);
    const response = await fetch(address);
    if (!response.ok)
      throw new Gym2600Error("wasm-failed", `${address.href}: ${response.status} ${response.statusText}`);
    // Not compileStreaming: it refuses a server that does not send application/wasm.
    return WebAssembly.compile(await response.arrayBuffer());
  },
  startWorker(name) {
    // Written as bundlers look for it: nothing but constants.
    return new BrowserPort(new Worker(new URL("./worker.js", import.meta.url), { type: "module" }), name);
  },
};

class BrowserPort implements WorkerPort {
  readonly #worker: Worker;
  readonly #name: string;
  #watched = false;
  readonly #stopWatching = new AbortController();

  constructor(worker: Worker, name: string) {
    this.#worker = worker;
    this.#name = name;
  }

  post(message: unknown, transfer: ArrayBuffer[]): void {
    this.#worker.postMessage(message, transfer);
  }

  listen(listener: WorkerListener): void {
    this.#worker.addEventListener("message", (event) => {
      listener.message(event.data);
      this.#watch(listener);
    });
    this.#worker.addEventListener("messageerror", () => listener.messageError());
    this.#worker.addEventListener("error", (event) => listener.died(event.message || "its script could not be loaded"));
  }

  awaited(): void {}

  terminate(): void {
    this.#stopWatching.abort();
    this.#worker.terminate();
  }

  /**
   * A browser tells nobody when it ends a worker, for want of memory say; but it gives the worker's locks back.
   * The worker takes the lock of its name before its first reply, so whoever gets that lock later knows that it is gone.
   */
  #watch(listener: WorkerListener): void {
    if (this.#watched) return;
    this.#watched = true;
    navigator.locks
      ?.request(this.#name, { signal: this.#stopWatching.signal }, () => listener.died("it was ended from outside"))
      .catch(() => undefined);
  }
}
