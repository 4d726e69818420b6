/** The inside of a worker of a trainer: holds its shards and answers one request after the other. */

import { Gym2600Error, toGym2600Error } from "../errors.js";
import type { LearnReply, LearnRequest } from "./protocol.js";
import { LocalShards } from "./shards.js";
import { instantiateModules } from "./wasm.js";

/** Tells the trainer that this thread's death can be noticed; it answers no request. */
const ALIVE: LearnReply = { type: "alive", id: -1 };

/** How a host answers. */
export interface LearnHostPort {
  post(reply: LearnReply, transfer: Transferable[]): void;
  /** Resolves when the other side would notice this thread's death. */
  live(name: string): Promise<void>;
}

/** Answers requests. */
export class LearnHost {
  readonly #port: LearnHostPort;
  #shards: LocalShards | undefined;

  constructor(port: LearnHostPort) {
    this.#port = port;
  }

  /** Answers a request with its result, or with the error that it failed with. */
  async message(request: LearnRequest): Promise<void> {
    try {
      const result = await this.#answer(request);
      this.#port.post({ type: "answered", id: request.id, result }, buffersOf(result));
    } catch (error) {
      const { code, message, details } = toGym2600Error(error);
      this.#port.post({ type: "error", id: request.id, code, message, details }, []);
    }
  }

  async #answer(request: LearnRequest): Promise<unknown> {
    if (request.type === "create") {
      await this.#port.live(request.name);
      this.#port.post(ALIVE, []);
      await instantiateModules(request.modules);
      this.#shards = new LocalShards(request.options);
      return undefined;
    }
    const shards = this.#shards;
    if (shards === undefined) throw new Gym2600Error("bad-state", "the shards have not been created");
    switch (request.type) {
      case "begin":
        return shards.begin(request.update);
      case "advance":
        return shards.advance(request.half, request.step, request.outputs);
      case "play":
        return shards.play(request.parameters, request.update, request.hasBegun);
      case "gradient":
        return shards.gradient(request.parameters, request.at);
      case "save":
        return shards.save();
      case "restore":
        return shards.restore(request.games);
      default:
        throw new Gym2600Error("unknown-command", `there is no command ${JSON.stringify(request)}`);
    }
  }
}

/** The buffers of a result, which are handed over instead of copied. */
function buffersOf(result: unknown): ArrayBuffer[] {
  if (ArrayBuffer.isView(result)) return [result.buffer as ArrayBuffer];
  return typeof result === "object" && result !== null ? Object.values(result).flatMap(buffersOf) : [];
}
