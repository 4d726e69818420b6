/** Web pages and their workers. */

import type { Platform, WorkerListener, WorkerPort } from "./platform.js";
import { responseBytes } from "./wasm-module.js";
import { watchDeath } from "./worker/worker-death.js";

/** The platform of pages and Web Workers. */
export const browser: Platform = {
  processors: navigator.hardwareConcurrency,
  async readModule() {
    const address = new URL("../wasm/gym2600_wasm_bg.wasm", import.meta.url);
    return { bytes: await read(address), from: address.href };
  },
  read,
  startWorker: (name, address) => new BrowserPort(createWorker(address), name),
};

async function read(address: string | URL): Promise<ArrayBuffer> {
  return responseBytes(await fetch(address));
}

/** Bundlers look for `new Worker(new URL(constant, import.meta.url), constant)`. */
function createWorker(address: string | URL | undefined): Worker {
  const script = address === undefined ? new URL("./worker.js", import.meta.url) : new URL(address, location.href);
  if (script.origin !== location.origin && script.protocol.startsWith("http")) return foreignWorker(script);
  if (address !== undefined) return new Worker(script, { type: "module" });
  return new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
}

/** Browsers start workers from scripts of the page's own origin only; such a script may import one of another origin. */
function foreignWorker(script: URL): Worker {
  return workerOfText(`import ${JSON.stringify(script.href)};`);
}

/** A worker that runs a text. */
export function workerOfText(text: string): Worker {
  const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  const worker = new Worker(address, { type: "module" });
  // The address is needed until the worker has fetched its script, and its first message comes after that.
  const revoke = () => URL.revokeObjectURL(address);
  worker.addEventListener("message", revoke, { once: true });
  worker.addEventListener("error", revoke, { once: true });
  return worker;
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
    this.#worker.addEventListener("error", (event) => listener.died(event.message || "its script could not be loaded"));
  }

  awaited(): void {}

  terminate(): void {
    this.#stopWatching.abort();
    this.#worker.terminate();
  }
}
