/**
 * The outside of a worker: sends requests and settles every one of them: by its reply, by an error of the worker, by a message
 * that cannot be read, by the worker's death (see `worker-death.ts`), or by `close`.
 *
 * A `wasm-failed` reply ends the worker: its instance has trapped, and no game in it can be used again.
 */

import { frozen } from "../arguments.js";
import { describeLane } from "../env/description.js";
import type { LaneOptions } from "../env/lane.js";
import { Gym2600Error, messageOf, shown } from "../errors.js";
import { platform, type WorkerPort } from "../platform.js";
import type { GameDescription } from "../types.js";
import { compiledModule } from "../wasm-module.js";
import type { RequestHints, WorkerCommand, WorkerReply } from "./protocol.js";
import { START_LIMIT_MS, uniqueWorkerName } from "./worker-death.js";

/** A reply to a request that is not an error. */
export type WorkerAnswer = Exclude<WorkerReply, { readonly type: "error" | "alive" }>;

/** A request whose answer is pending. */
interface Pending<Answer> {
  resolve(answer: Answer): void;
  reject(reason: unknown): void;
}

/** Threads that this thread has started and that have not ended. */
let threads = 0;

/** The address of the worker's script, if `init` set one. */
let workerAddress: string | URL | undefined;

/** Starts workers from another address than the package's own, or with undefined from that again. */
export function setWorkerAddress(address: string | URL | undefined): void {
  workerAddress = address;
}

/** The worker in messages, with its address if the caller set one. */
function who(): string {
  return workerAddress === undefined ? "the worker" : `the worker ${shown(workerAddress)}`;
}

/** A worker and its pending requests: one of games, or one that is asked other commands and gives other answers. */
export class WorkerClient<Command extends { readonly type: string } = WorkerCommand, Answer = WorkerAnswer> {
  readonly #port: WorkerPort;
  /** How many threads can run at once, for a worker with a thread of its own; 0 for a host in this thread. */
  readonly #processors: number;
  readonly #pending = new Map<number, Pending<Answer>>();
  /** The worker in messages. */
  readonly #who: string;
  #nextId = 0;
  /** The error for all requests after the worker's end. */
  #over: Gym2600Error | undefined;
  #closing: Promise<void> | undefined;

  constructor(port: WorkerPort, processors = 0, name: string = who()) {
    this.#port = port;
    this.#processors = processors;
    this.#who = name;
    if (processors > 0) threads++;
    port.listen({
      message: (data) => this.#settle(data as WorkerReply | null | undefined),
      messageError: () => this.#end(new Gym2600Error("bad-message", "a message of the worker could not be read")),
      died: (reason) => this.#end(new Gym2600Error("worker-died", `${this.#who} died: ${reason}`)),
    });
    port.awaited(false);
  }

  /** Sends a request. `command` gets its id; the worker owns the objects in `transfer` from here on. */
  ask(command: Command, ...transfer: Array<Transferable | undefined>): Promise<Answer> {
    if (this.#over !== undefined) return Promise.reject(this.#over);
    if (this.#closing !== undefined) return Promise.reject(closed());
    return this.#ask(
      command,
      transfer.filter((buffer) => buffer !== undefined),
    );
  }

  /** Sends the first request, the only one with a time limit; see {@link START_LIMIT_MS}. */
  async create(command: Command): Promise<Answer> {
    const limit = setTimeout(() => {
      const seconds = START_LIMIT_MS / 1000;
      this.#end(new Gym2600Error("worker-died", `${this.#who} has not loaded its games within ${seconds} s`));
    }, START_LIMIT_MS);
    try {
      return await this.ask(command);
    } finally {
      clearTimeout(limit);
    }
  }

  /** The error for all further requests, if the worker has ended. */
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
  }

  #ask(command: { readonly type: string; id?: number } & RequestHints, transfer: Transferable[]): Promise<Answer> {
    const id = this.#nextId++;
    // Into the object itself: a copy would double the cost of a request.
    command.id = id;
    // A polling worker needs a processor of its own, and so does this thread.
    command.awake = threads < this.#processors;
    return new Promise((resolve, reject) => {
      try {
        this.#port.post(command, transfer);
      } catch (error) {
        reject(new Gym2600Error("bad-message", `the request cannot be sent: ${messageOf(error)}`, { cause: error }));
        return;
      }
      if (this.#pending.size === 0) this.#port.awaited(true);
      this.#pending.set(id, { resolve, reject });
    });
  }

  async #close(): Promise<void> {
    if (this.#over === undefined) {
      // A worker that dies instead of closing has ended too.
      await this.#ask({ type: "close" }, []).catch(() => undefined);
    }
    this.#end(closed());
    this.#over = closed();
  }

  /** Another script than the package's may send anything. What is no reply has no effect. */
  #settle(reply: WorkerReply | null | undefined): void {
    if (!reply || reply.type === "alive") return;
    const failure = reply.type === "error" ? new Gym2600Error(reply.code, reply.message, reply) : undefined;
    if (reply.id === null || failure?.code === "wasm-failed") {
      this.#end(failure ?? closed());
      return;
    }
    const pending = this.#pending.get(reply.id);
    if (pending === undefined) return;
    this.#pending.delete(reply.id);
    if (this.#pending.size === 0) this.#port.awaited(false);
    if (reply.type === "error") pending.reject(failure);
    else pending.resolve(reply as Answer);
  }

  /** Ends the worker; rejects pending and later requests. */
  #end(reason: Gym2600Error): void {
    if (this.#over !== undefined) return;
    this.#over = reason;
    if (this.#processors > 0) threads--;
    this.#port.terminate();
    for (const pending of this.#pending.values()) pending.reject(reason);
    this.#pending.clear();
  }
}

/**
 * Starts a worker with a game for each of `lanes`, or with `inline` a host in this thread. The WebAssembly module is compiled
 * once in this thread and handed over.
 */
export async function startWorker(
  rom: Uint8Array<ArrayBuffer>,
  lanes: readonly LaneOptions[],
  inline?: () => WorkerPort,
): Promise<{ client: WorkerClient; description: GameDescription }> {
  const module = await compiledModule();
  const name = uniqueWorkerName();
  const client = inline
    ? new WorkerClient(inline())
    : new WorkerClient(
        started(who(), () => platform().startWorker(name, workerAddress)),
        platform().processors,
      );
  try {
    const created = await client.create({ type: "create", name, module, rom, lanes });
    return { client, description: frozen(expectAnswer(created, "created").description) };
  } catch (error) {
    client.terminate();
    // The options cannot be sent. This thread's module names the one at fault.
    if (error instanceof Gym2600Error && error.code === "bad-message" && lanes[0]) await describeLane(rom, lanes[0]);
    throw error;
  }
}

/** The worker that `start` starts, called `who` in messages. */
export function started(who: string, start: () => WorkerPort): WorkerPort {
  try {
    return start();
  } catch (error) {
    if (error instanceof Gym2600Error) throw error;
    throw new Gym2600Error("worker-died", `${who} could not be started: ${messageOf(error)}`, { cause: error });
  }
}

/** `answer`, which is of this type. @throws Gym2600Error `bad-message` for one of another script than the package's */
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
