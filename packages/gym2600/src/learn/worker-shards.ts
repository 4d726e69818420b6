/** Shards in a worker, as the trainer sees them. */

import type { WorkerPort } from "../platform.js";
import { started, WorkerClient } from "../worker/worker-client.js";
import { uniqueWorkerName } from "../worker/worker-death.js";
import type { Shown } from "./card.js";
import type { LearnAnswer, LearnCommand } from "./protocol.js";
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

/** Shards in a worker. */
export class WorkerShards implements Shards {
  readonly #client: WorkerClient<LearnCommand, LearnAnswer>;

  private constructor(client: WorkerClient<LearnCommand, LearnAnswer>) {
    this.#client = client;
  }

  /** Starts a worker and makes its games. */
  static async create(options: ShardOptions): Promise<WorkerShards> {
    const modules = await compiledModules();
    const start = startWorker;
    if (start === undefined) throw new Error("import gym2600/learn by its entry module");
    const name = uniqueWorkerName();
    const who = "the learner's worker";
    const port = started(who, () => start(name, workerAddress));
    const client = new WorkerClient<LearnCommand, LearnAnswer>(port, 0, who);
    try {
      await client.create({ type: "create", name, modules, options });
    } catch (error) {
      client.terminate();
      throw error;
    }
    return new WorkerShards(client);
  }

  begin(update: number): Promise<Shown[]> {
    return this.#ask({ type: "begin", update });
  }

  advance(half: number, step: number, outputs: Float32Array<ArrayBuffer>): Promise<Shown> {
    return this.#ask({ type: "advance", half, step, outputs }, outputs.buffer);
  }

  play(parameters: Float32Array<ArrayBuffer>, update: number, hasBegun: boolean): Promise<Rollout> {
    return this.#ask({ type: "play", parameters, update, hasBegun }, parameters.buffer);
  }

  gradient(parameters: Float32Array<ArrayBuffer>, at: MinibatchAt): Promise<Gradient> {
    return this.#ask({ type: "gradient", parameters, at }, parameters.buffer);
  }

  save(): Promise<Uint8Array[]> {
    return this.#ask({ type: "save" });
  }

  restore(games: readonly Uint8Array[]): Promise<void> {
    return this.#ask({ type: "restore", games });
  }

  close(): void {
    this.#client.terminate();
  }

  async #ask<Result>(command: LearnCommand, transfer?: ArrayBuffer): Promise<Result> {
    const { result } = await this.#client.ask(command, transfer);
    return result as Result;
  }
}
