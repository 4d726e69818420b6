/** What differs between a browser and Node: finding the WebAssembly file, and starting a worker. */

/** A worker as the client of the protocol sees it, be it a Web Worker or a worker thread. */
export interface WorkerPort {
  /** Sends a message; throws if it cannot be cloned. */
  post(message: unknown, transfer: ArrayBuffer[]): void;
  /** Sets who hears of what the worker does; called once, before anything is posted. */
  listen(listener: WorkerListener): void;
  /** Tells the port whether an answer is awaited: a worker nobody waits for does not keep a program running. */
  awaited(awaited: boolean): void;
  /** Ends the worker at once. Once is enough; more does no harm. */
  terminate(): void;
}

/** What a worker does, seen from outside. */
export interface WorkerListener {
  message(data: unknown): void;
  /** A message came that could not be read. */
  messageError(): void;
  /** The worker threw, or could not be started, or ended; it will not answer any more. */
  died(reason: string): void;
}

/** See the module. */
export interface Platform {
  /** How many threads can run at once. */
  readonly processors: number;
  /** Fetches and compiles the WebAssembly module. */
  compile(): Promise<WebAssembly.Module>;
  /** Starts the package's worker; `name` is unique and known to both sides. */
  startWorker(name: string): WorkerPort;
}

let current: Platform | undefined;

/** Called once by the entry module that the environment chose. */
export function setPlatform(platform: Platform): void {
  current = platform;
}

/** The platform of this thread. */
export function platform(): Platform {
  if (current === undefined) throw new Error("import gym2600 by its entry module");
  return current;
}
