/** The functions that pages, Node and the inline build implement differently: to read files and to start workers. */

import { Gym2600Error } from "./errors.js";

/** A worker as the client of the protocol sees it: a Web Worker, a worker thread, or a host in this thread. */
export interface WorkerPort {
  /** Sends a message; throws if it cannot be cloned. */
  post(message: unknown, transfer: Transferable[]): void;
  /** Sets the listener. Called once, before any message is posted. */
  listen(listener: WorkerListener): void;
  /** Says whether an answer is pending. Node exits when no worker has a pending answer. */
  awaited(awaited: boolean): void;
  /** Ends the worker at once. Idempotent. */
  terminate(): void;
}

/** Events of a worker. */
export interface WorkerListener {
  message(data: unknown): void;
  /** A message could not be deserialised. */
  messageError(): void;
  /** The worker threw, could not be started, or ended. It answers nothing from here on. */
  died(reason: string): void;
}

/** The bytes of a WebAssembly file of the package, and its name in messages. */
export interface PackagedBytes {
  readonly bytes: BufferSource;
  readonly from: string;
}

/** The package's own WebAssembly file, or the module where the platform compiles files itself. */
export type PackagedModule =
  | (PackagedBytes & { readonly module?: undefined })
  | { readonly module: WebAssembly.Module; readonly bytes?: undefined; readonly from?: undefined };

/** How the package's files are read, which depends on where it runs. */
export interface PlatformFiles {
  /** Reads the package's own WebAssembly file. */
  readModule(): Promise<PackagedModule>;
  /** What to do where the file is missing, unless that is what pages do. */
  readonly remedy?: string;
  /** Reads the file at an address given to `init`. */
  read(address: string | URL): Promise<BufferSource>;
}

/** The parts of the package that depend on where it runs. */
export interface Platform extends PlatformFiles {
  /** How many threads can run at once. */
  readonly processors: number;
  /**
   * Starts the package's worker, from `address` if `init` set one. `name` is unique and known to both sides; see
   * `worker/worker-death.ts`.
   */
  startWorker(name: string, address: string | URL | undefined): WorkerPort;
}

/** The refusal where there is nothing to start a worker with: in workerd, in the edge runtimes of hosts, in service workers. */
export function noWorkers(): Gym2600Error {
  return new Gym2600Error(
    "worker-died",
    "this platform has no workers: use Game, or VectorEnv and Trainer with workers: 0",
  );
}

let current: Platform | undefined;
let files: PlatformFiles | undefined;

/** Called once by the entry module that the environment chose. */
export function setPlatform(platform: Platform): void {
  current = platform;
}

/** Called once by an entry module of the learner, which starts no worker of games. What {@link setPlatform} was given counts more. */
export function setFiles(given: PlatformFiles): void {
  files = given;
}

/** How this thread reads files. */
export function platformFiles(): PlatformFiles {
  return current ?? files ?? platform();
}

/** The platform of this thread. */
export function platform(): Platform {
  if (current === undefined) throw new Error("import gym2600 by its entry module");
  return current;
}
