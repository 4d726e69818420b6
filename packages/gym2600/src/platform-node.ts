/**
 * Node: files beside this one, and worker threads.
 *
 * Each file is named by a literal `new URL("...", import.meta.url)` in a call that reads it or starts it: tools that trace the files of a
 * server look for these. Files that a caller names are read by functions that such tools do not follow, because they would take every file of
 * this folder for one that may be named.
 */

import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { messageOf } from "./errors.js";
import type { PackagedBytes, Platform, WorkerListener, WorkerPort } from "./platform.js";
import { responseBytes } from "./wasm-module.js";

/** What to do where a bundler for servers has moved the code away from its files. */
const SERVER_REMEDY =
  'With bun build --compile import the files with { type: "file" } and give them to init({ wasm, worker }). ' +
  'In Nitro 3, with TanStack Start and SolidStart, say traceDeps: ["gym2600"]. ' +
  'A bundle for a server leaves the package out: make "gym2600" external, with esbuild --external:gym2600';

/** The platform of Node. */
export const node: Platform = {
  processors: availableParallelism(),
  readModule: () =>
    readBeside("../wasm/gym2600_wasm_bg.wasm", () =>
      readFile(new URL("../wasm/gym2600_wasm_bg.wasm", import.meta.url)),
    ),
  remedy: SERVER_REMEDY,
  async read(address) {
    if (/^(https?|data|blob):/i.test(String(address))) return responseBytes(await fetch(address));
    return readUntraced(pathOf(address));
  },
  startWorker: (name, address) =>
    address === undefined
      ? startBeside("./worker-node.js", name, () => new Worker(new URL("./worker-node.js", import.meta.url), { name }))
      : startAt(address, name),
};

/** Starts a worker thread with the script at an address that a caller named. */
export function startAt(address: string | URL, name: string): WorkerPort {
  return new NodePort(startUntraced(pathOf(address), name));
}

/**
 * Starts a worker thread with a script of the package. `start` does the same with a literal address, which Node refuses where the URL class is
 * another than its own: in jsdom, and in bundles for servers.
 */
export function startBeside(path: string, name: string, start: () => Worker): WorkerPort {
  try {
    return new NodePort(start());
  } catch {
    return new NodePort(startUntraced(beside(path), name));
  }
}

/** Reads a file of the package. `read` does the same with a literal address, which a bundler changes where it moves the file. */
export async function readBeside(path: string, read: () => Promise<Uint8Array<ArrayBuffer>>): Promise<PackagedBytes> {
  const from = beside(path);
  const bytes = await readUntraced(from).catch((error: unknown) =>
    read().catch(() => {
      throw error;
    }),
  );
  return { bytes, from };
}

function readUntraced(path: string): Promise<Uint8Array<ArrayBuffer>> {
  return process.getBuiltinModule("node:fs/promises").readFile(path);
}

function startUntraced(path: string, name: string): Worker {
  const threads = process.getBuiltinModule("node:worker_threads");
  return new threads.Worker(path, { name });
}

/** The path of a file beside this one. A text, because bundlers of servers and jsdom bring a URL class of their own. */
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
