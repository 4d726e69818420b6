/**
 * The outside of a worker: sends requests and sees to it that every one of them is settled, whatever happens: by its
 * reply, by an error of the worker, by a message that cannot be read, by the worker's end, or by `close`.
 */

import type { Lane, LaneOptions } from "../env/lane.js";
import { Gym2600Error } from "../errors.js";
import { platform, type WorkerPort } from "../platform.js";
import type { GameDescription } from "../types.js";
import { compiledModule } from "../wasm-module.js";
import type { LaneMethod, LaneResult, RequestHints, WorkerCommand, WorkerReply } from "./protocol.js";

/** A reply that is no error. */
export type WorkerAnswer = Exclude<WorkerReply, { readonly type: "error" }>;

/** Who waits for an answer. */
interface Waiting {
  resolve(answer: WorkerAnswer): void;
  reject(reason: unknown): void;
}

/** Threads that this one has started. */
let threads = 0;

/** See the module. */
export class WorkerClient {
  readonly #port: WorkerPort;
  /** See the constructor. */
  readonly #processors: number;
  readonly #pending = new Map<number, Waiting>();
  #nextId = 0;
  /** Why nothing can be asked any more. */
  #over: Gym2600Error | undefined;
  #closing: Promise<void> | undefined;

  /** Of a worker that has a thread of its own `processors` says how many of these can run at once; for one in this thread it is 0. */
  constructor(port: WorkerPort, processors = 0) {
    this.#port = port;
    this.#processors = processors;
    if (processors > 0) threads++;
    port.listen({
      message: (data) => this.#settle(data as WorkerReply),
      messageError: () => this.#end(new Gym2600Error("bad-message", "a message of the worker could not be read")),
      died: (reason) => this.#end(new Gym2600Error("worker-died", `the worker died: ${reason}`)),
    });
    port.awaited(false);
  }

  /** Asks the worker; `command` gets its number, and the buffers there are of `transfer` are then the worker's. */
  ask(command: WorkerCommand, ...transfer: Array<ArrayBuffer | undefined>): Promise<WorkerAnswer> {
    if (this.#over !== undefined) return Promise.reject(this.#over);
    if (this.#closing !== undefined) return Promise.reject(closed());
    return this.#ask(
      command,
      transfer.filter((buffer) => buffer !== undefined),
    );
  }

  /** Calls a method of a lane. */
  async call<M extends LaneMethod>(lane: number, method: M, ...args: Parameters<Lane[M]>): Promise<LaneResult<M>> {
    const answer = await this.ask({ type: "call", lane, method, args } as WorkerCommand);
    return expectAnswer(answer, "called").result as LaneResult<M>;
  }

  /** Why nothing can be asked any more, if so. */
  get over(): Gym2600Error | undefined {
    return this.#over;
  }

  /** Waits for the requests made so far, then ends the worker. Calls after the first give the same promise. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Ends the worker now. Pending requests are rejected with `worker-died`, later ones with `closed`. */
  terminate(): void {
    this.#end(new Gym2600Error("worker-died", "the worker was terminated"));
    this.#over = closed();
    this.#closing ??= Promise.resolve();
  }

  #ask(command: WorkerCommand & RequestHints & { id?: number }, transfer: ArrayBuffer[]): Promise<WorkerAnswer> {
    const id = this.#nextId++;
    // Not into a copy: making one takes as long as all the rest of this.
    command.id = id;
    // It would keep others from running if there were not a processor for each, and for this thread.
    command.awake = threads < this.#processors;
    return new Promise((resolve, reject) => {
      try {
        this.#port.post(command, transfer);
      } catch (error) {
        const text = error instanceof Error ? error.message : String(error);
        reject(new Gym2600Error("bad-message", `the request cannot be sent: ${text}`, { cause: error }));
        return;
      }
      if (this.#pending.size === 0) this.#port.awaited(true);
      this.#pending.set(id, { resolve, reject });
    });
  }

  async #close(): Promise<void> {
    if (this.#over === undefined) {
      // A worker that dies instead of closing is as closed as can be.
      await this.#ask({ type: "close" }, []).catch(() => undefined);
    }
    this.#end(closed());
    this.#over = closed();
  }

  #settle(reply: WorkerReply): void {
    const failure = reply.type === "error" ? new Gym2600Error(reply.code, reply.message) : undefined;
    if (reply.id === null) {
      this.#end(failure ?? closed());
      return;
    }
    const waiting = this.#pending.get(reply.id);
    if (waiting === undefined) return;
    this.#pending.delete(reply.id);
    if (this.#pending.size === 0) this.#port.awaited(false);
    if (reply.type === "error") waiting.reject(failure);
    else waiting.resolve(reply);
  }

  /** Nothing more will come: rejects what is pending and what will be asked. */
  #end(reason: Gym2600Error): void {
    if (this.#over !== undefined) return;
    this.#over = reason;
    if (this.#processors > 0) threads--;
    this.#port.terminate();
    for (const waiting of this.#pending.values()) waiting.reject(reason);
    this.#pending.clear();
  }
}

/**
 * Starts a worker with a game for each of `lanes`; or, if it is to be `inline`, something like one in this thread. The
 * WebAssembly module is compiled once in this thread and handed over.
 */
export async function startWorker(
  rom: Uint8Array<ArrayBuffer>,
  lanes: readonly LaneOptions[],
  inline?: () => WorkerPort,
): Promise<{ client: WorkerClient; description: GameDescription }> {
  const module = await compiledModule();
  const name = `gym2600-${crypto.randomUUID()}`;
  const { processors } = platform();
  const client = inline ? new WorkerClient(inline()) : new WorkerClient(platform().startWorker(name), processors);
  try {
    const answer = await client.ask({ type: "create", name, module, rom, lanes });
    return { client, description: expectAnswer(answer, "created").description };
  } catch (error) {
    client.terminate();
    throw error;
  }
}

/** `answer`, if it is of this type. */
export function expectAnswer<T extends WorkerAnswer["type"]>(
  answer: WorkerAnswer,
  type: T,
): Extract<WorkerAnswer, { type: T }> {
  if (answer.type !== type) throw new Gym2600Error("bad-message", `the worker answered ${answer.type}, not ${type}`);
  return answer as Extract<WorkerAnswer, { type: T }>;
}

function closed(): Gym2600Error {
  return new Gym2600Error("closed", "the environment has been closed");
}
