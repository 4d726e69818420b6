/** Games of an evaluation: in this thread, or in workers that have this program too. */

import { fileURLToPath } from "node:url";
import { parentPort, Worker, workerData } from "node:worker_threads";
import { WasmEvaluation } from "../../wasm-learn/gym2600_learn.js";
import { type ErrorCode, Gym2600Error, toGym2600Error } from "../errors.js";
import { LearnerRom } from "../learn/game.js";
import { instantiateModules, LearnerObject, optionsOf } from "../learn/wasm.js";
import { setLearnerPlatform } from "../learn-platform-node.js";
import type { GameOptions } from "../types.js";

/** What a game is made from. `options` stand in the place of training's. */
export interface EvaluationRequest {
  readonly rom: Uint8Array;
  readonly weights: Uint8Array;
  readonly options: Readonly<Record<string, unknown>>;
  readonly seed: number;
  readonly greedy: boolean;
}

/** A game that ended. */
export interface GameResult {
  readonly reward: number;
  readonly length: number;
  readonly actions: Uint32Array;
}

/** A policy in a game in this thread. */
export class HereEvaluation {
  readonly #wasm: LearnerObject<WasmEvaluation>;
  readonly seed: number;
  /** The options that differ from training's, as JSON. */
  readonly differences: string;
  /** The options of the game, defaults resolved. */
  readonly options: Omit<GameOptions, "rom" | "seed">;
  #actions: Uint32Array = new Uint32Array();

  constructor({ rom, weights, options, seed, greedy }: EvaluationRequest) {
    this.#wasm = new LearnerObject(() => new WasmEvaluation(weights, new LearnerRom(rom), options, seed, greedy));
    this.seed = seed;
    this.differences = this.#wasm.run((games) => games.differences());
    const { seed: _, ...resolved } = this.#wasm.run((games) => optionsOf(games.options())) as GameOptions;
    this.options = resolved;
  }

  /** The actions of the last game. */
  get actions(): Uint32Array {
    return this.#actions;
  }

  /** Takes the actions of a game that was played elsewhere. */
  played(actions: Uint32Array): void {
    this.#actions = actions;
  }

  /** Plays to the end of a game. */
  episode(): GameResult {
    const [reward = 0, length = 0] = this.#wasm.run((games) => games.episode());
    this.#actions = this.#wasm.run((games) => games.actions());
    return { reward, length, actions: this.#actions };
  }
}

/** What a worker plays: the games `numbers` of `count`, each game the episodes of its number and every `count` further on. */
interface WorkerRequest extends EvaluationRequest {
  readonly numbers: readonly number[];
  readonly count: number;
  readonly episodes: number;
}

type WorkerReply =
  | { readonly episode: number; readonly result: GameResult }
  | { readonly episode: number; readonly code: ErrorCode; readonly message: string };

/** Several games in workers. */
export class WorkerEvaluation {
  readonly #workers: Worker[] = [];
  /** The episodes that have been played or asked for, until they are given. */
  readonly #episodes = new Map<number, PromiseWithResolvers>();
  /** Why a worker has ended before its time. */
  #failure: Error | undefined;

  constructor(
    request: EvaluationRequest,
    { count, workers, episodes }: { readonly count: number; readonly workers: number; readonly episodes: number },
  ) {
    for (let worker = 0; worker < workers; worker++) {
      const numbers = Array.from({ length: count }, (_, number) => number).filter(
        (number) => number % workers === worker,
      );
      const data: WorkerRequest = { ...request, numbers, count, episodes };
      const thread = new Worker(fileURLToPath(new URL("./cli.js", import.meta.url)), { workerData: data });
      thread.on("message", (reply: WorkerReply) => {
        const { resolve, reject } = this.#of(reply.episode);
        if ("result" in reply) resolve(reply.result);
        else reject(new Gym2600Error(reply.code, reply.message));
      });
      thread.on("error", (error: Error) => {
        this.#failure = error;
        for (const { reject } of this.#episodes.values()) reject(error);
      });
      this.#workers.push(thread);
    }
  }

  /** The result of an episode, counted from 0. Each is given once. */
  async episode(number: number): Promise<GameResult> {
    try {
      return await this.#of(number).promise;
    } finally {
      this.#episodes.delete(number);
    }
  }

  #of(episode: number): PromiseWithResolvers {
    const known = this.#episodes.get(episode);
    if (known !== undefined) return known;
    const made = withResolvers();
    if (this.#failure !== undefined) made.reject(this.#failure);
    this.#episodes.set(episode, made);
    return made;
  }

  /** Ends the workers. */
  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}

interface PromiseWithResolvers {
  readonly promise: Promise<GameResult>;
  readonly resolve: (result: GameResult) => void;
  readonly reject: (error: Error) => void;
}

function withResolvers(): PromiseWithResolvers {
  let settle: Pick<PromiseWithResolvers, "resolve" | "reject"> | undefined;
  const promise = new Promise<GameResult>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // The run may end before an episode does.
  promise.catch(() => {});
  return { promise, ...(settle as Pick<PromiseWithResolvers, "resolve" | "reject">) };
}

/** In a worker: plays the games that the program has asked for. */
export async function playForProgram(): Promise<void> {
  const { numbers, count, episodes, ...request } = workerData as WorkerRequest;
  const post = (reply: WorkerReply) => parentPort?.postMessage(reply);
  let episode = numbers[0] ?? 0;
  try {
    setLearnerPlatform();
    await instantiateModules();
    const games = numbers.map((number) => new HereEvaluation({ ...request, seed: request.seed + number }));
    for (let first = 0; first < episodes; first += count) {
      for (const [index, number] of numbers.entries()) {
        episode = first + number;
        const game = games[index];
        if (game !== undefined && episode < episodes) post({ episode, result: game.episode() });
      }
    }
  } catch (error) {
    const { code, message } = toGym2600Error(error);
    post({ episode, code, message });
  }
}
