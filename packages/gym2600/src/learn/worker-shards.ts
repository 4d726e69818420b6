/** Shards in a worker, as the trainer sees them. Every pending request settles: by its reply, by the worker's death, or by close. */

import { Gym2600Error, messageOf } from "../errors.js";
import type { WorkerPort } from "../platform.js";
import { START_LIMIT_MS, uniqueWorkerName } from "../worker/worker-death.js";
import type { LearnCommand, LearnReply } from "./protocol.js";
import type { Gradient, MinibatchAt, Rollout, ShardOptions, Shards } from "./shards.js";
import { compiledModules } from "./wasm.js";

/** Starts a worker, from an address if `init` set one. */
type StartWorker = (name: string, address: string | URL | undefined) => WorkerPort;

/** Starts a worker of the learner; set by the entry module that the environment chose. */
let startWorker: StartWorker | undefined;

/** The address of the worker's script, if `init` set one. */
let workerAddress: string | URL | undefined;

/** Called once by an entry module. */
export function setLearnerWorker(start: StartWorker): void {
  startWorker = start;
}

/** Starts workers from another address than the package's own. */
export function setLearnerWorkerAddress(address: string | URL): void {
  workerAddress = address;
}

function started(start: StartWorker, name: string): WorkerPort {
  try {
    return start(name, workerAddress);
  } catch (error) {
    throw new Gym2600Error("worker-died", `the learner's worker could not be started: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

interface Pending {
  resolve(result: unknown): void;
  reject(reason: Gym2600Error): void;
}

/** Shards in a worker. */
export class WorkerShards implements Shards {
  readonly #port: WorkerPort;
  readonly #pending = new Map<number, Pending>();
  #nextId = 0;
  #over: Gym2600Error | undefined;

  private constructor(port: WorkerPort) {
    this.#port = port;
    port.listen({
      message: (data) => this.#settle(data as LearnReply),
      messageError: () => this.#end(new Gym2600Error("bad-message", "a message of the worker could not be read")),
      died: (reason) => this.#end(new Gym2600Error("worker-died", `the worker died: ${reason}`)),
    });
    port.awaited(false);
  }

  /** Starts a worker and makes its games. */
  static async create(options: ShardOptions): Promise<WorkerShards> {
    const modules = await compiledModules();
    if (startWorker === undefined) throw new Error("import gym2600/learn by its entry module");
    const name = uniqueWorkerName();
    const shards = new WorkerShards(started(startWorker, name));
    const limit = setTimeout(() => {
      const seconds = START_LIMIT_MS / 1000;
      shards.#end(new Gym2600Error("worker-died", `the worker has not loaded its games within ${seconds} s`));
    }, START_LIMIT_MS);
    try {
      await shards.#ask({ type: "create", name, modules, options });
    } catch (error) {
      shards.close();
      throw error;
    } finally {
      clearTimeout(limit);
    }
    return shards;
  }

  play(parameters: Float32Array, update: number): Promise<Rollout> {
    return this.#ask({ type: "play", parameters, update }, [parameters.buffer]) as Promise<Rollout>;
  }

  gradient(parameters: Float32Array, at: MinibatchAt): Promise<Gradient> {
    return this.#ask({ type: "gradient", parameters, at }, [parameters.buffer]) as Promise<Gradient>;
  }

  save(): Promise<Uint8Array[]> {
    return this.#ask({ type: "save" }) as Promise<Uint8Array[]>;
  }

  async restore(games: readonly Uint8Array[]): Promise<void> {
    await this.#ask({ type: "restore", games });
  }

  close(): void {
    this.#end(new Gym2600Error("closed", "the trainer has been closed"));
  }

  #ask(command: LearnCommand, transfer: ArrayBufferLike[] = []): Promise<unknown> {
    if (this.#over !== undefined) return Promise.reject(this.#over);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      try {
        this.#port.post({ ...command, id }, transfer as ArrayBuffer[]);
      } catch (error) {
        reject(new Gym2600Error("bad-message", `the request cannot be sent: ${messageOf(error)}`, { cause: error }));
        return;
      }
      this.#port.awaited(true);
      this.#pending.set(id, { resolve, reject });
    });
  }

  #settle(reply: LearnReply): void {
    const pending = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    if (this.#pending.size === 0) this.#port.awaited(false);
    if ("error" in reply) {
      const error = new Gym2600Error(reply.error.code, reply.error.message);
      pending?.reject(error);
      // An instance that has trapped is of no more use.
      if (error.code === "wasm-failed") this.#end(error);
    } else {
      pending?.resolve(reply.result);
    }
  }

  #end(reason: Gym2600Error): void {
    if (this.#over !== undefined) return;
    this.#over = reason;
    this.#port.terminate();
    for (const pending of this.#pending.values()) pending.reject(reason);
    this.#pending.clear();
  }
}
