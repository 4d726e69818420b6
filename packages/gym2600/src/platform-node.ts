/** Node: files beside this one, and worker threads. */

import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { messageOf } from "./errors.js";
import type { Platform, WorkerListener, WorkerPort } from "./platform.js";
import { responseBytes } from "./wasm-module.js";

/** What to do where a bundler for servers has moved the code away from its files. */
const SERVER_REMEDY =
  'A bundle for a server leaves the package out: make "gym2600" external, with esbuild --external:gym2600';

/** The platform of Node. */
export const node: Platform = {
  processors: availableParallelism(),
  async readModule() {
    const from = beside("../wasm/gym2600_wasm_bg.wasm");
    return { bytes: await readFile(from), from };
  },
  remedy: SERVER_REMEDY,
  async read(address) {
    if (/^(https?|data|blob):/i.test(String(address))) return responseBytes(await fetch(address));
    return readFile(pathOf(address));
  },
  startWorker(name, address) {
    return new NodePort(new Worker(address === undefined ? beside("./worker-node.js") : pathOf(address), { name }));
  },
};

/** The path of a file beside this one. A text, because bundlers of servers bring a URL class of their own. */
function beside(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url).href);
}

function pathOf(address: string | URL): string {
  const text = String(address);
  return /^file:/i.test(text) ? fileURLToPath(text) : text;
}

/** A worker thread. Its `exit` event reports its death. */
class NodePort implements WorkerPort {
  readonly #worker: Worker;

  constructor(worker: Worker) {
    this.#worker = worker;
  }

  post(message: unknown, transfer: Transferable[]): void {
    this.#worker.postMessage(message, transfer as ArrayBuffer[]);
  }

  listen(listener: WorkerListener): void {
    this.#worker.on("message", (data: unknown) => listener.message(data));
    this.#worker.on("messageerror", () => listener.messageError());
    this.#worker.on("error", (error: unknown) => listener.died(messageOf(error)));
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
