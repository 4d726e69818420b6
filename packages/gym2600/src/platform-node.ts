/** Node: files beside this one, and worker threads. */

import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { Platform, WorkerListener, WorkerPort } from "./platform.js";

/** The platform of Node. */
export const node: Platform = {
  processors: availableParallelism(),
  async compile() {
    return WebAssembly.compile(await readFile(new URL("../wasm/gym2600_wasm_bg.wasm", import.meta.url)));
  },
  startWorker(name) {
    return new NodePort(new Worker(new URL("./worker-node.js", import.meta.url), { name }));
  },
};

class NodePort implements WorkerPort {
  readonly #worker: Worker;

  constructor(worker: Worker) {
    this.#worker = worker;
  }

  post(message: unknown, transfer: ArrayBuffer[]): void {
    this.#worker.postMessage(message, transfer);
  }

  listen(listener: WorkerListener): void {
    this.#worker.on("message", (data: unknown) => listener.message(data));
    this.#worker.on("messageerror", () => listener.messageError());
    this.#worker.on("error", (error: Error) => listener.died(error.message));
    this.#worker.on("exit", (status) => listener.died(`it ended with status ${status}`));
  }

  awaited(awaited: boolean): void {
    if (awaited) this.#worker.ref();
    else this.#worker.unref();
  }

  terminate(): void {
    void this.#worker.terminate();
  }
}
