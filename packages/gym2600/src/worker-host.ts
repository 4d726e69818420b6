/** The inside of a worker: answers requests with its games. */

import { Gym2600Error, toGym2600Error } from "./errors.js";
import { Lane } from "./lane.js";
import type { LaneReset, ReplyWishes, WorkerReply, WorkerRequest } from "./protocol.js";
import type { GameDescription } from "./types.js";

/** How a worker reaches whoever started it. */
export interface HostPort {
  post(reply: WorkerReply, transfer: ArrayBuffer[]): void;
  /** Takes the lock that tells others that this worker lives; see platform-browser. */
  live(name: string): Promise<void>;
}

/** See the module. */
export class WorkerHost {
  readonly #port: HostPort;
  #lanes: readonly Lane[] = [];
  #closed = false;
  /** Requests are answered one after the other, also while one of them waits. */
  #last: Promise<void> = Promise.resolve();

  constructor(port: HostPort) {
    this.#port = port;
  }

  /** A message came. */
  message(data: unknown): void {
    this.#last = this.#last.then(() => this.#answer(data));
  }

  /** A message came that could not be read. */
  messageError(): void {
    this.#fail(null, new Gym2600Error("bad-message", "the worker could not read a message"));
  }

  async #answer(data: unknown): Promise<void> {
    const id = idOf(data);
    if (id === undefined) {
      this.#fail(null, new Gym2600Error("bad-message", "a request has to be an object with a number for its id"));
      return;
    }
    try {
      await this.#perform(data as WorkerRequest);
    } catch (error) {
      this.#fail(id, toGym2600Error(error));
    }
  }

  async #perform(request: WorkerRequest): Promise<void> {
    switch (request.type) {
      case "create":
        this.#port.post({ type: "created", id: request.id, description: await this.#create(request) }, []);
        return;
      case "reset":
        this.#reset(request.resets);
        this.#observed(request);
        return;
      case "step":
        this.#step(request.actions);
        this.#observed(request);
        return;
      case "render": {
        const picture = this.#picture(request.lane, request.sparePicture);
        this.#port.post({ type: "rendered", id: request.id, picture }, [picture]);
        return;
      }
      case "save": {
        const state = this.#lane(request.lane).save();
        this.#port.post({ type: "saved", id: request.id, state }, [state.buffer]);
        return;
      }
      case "restore":
        this.#lane(request.lane).restore(request.state);
        this.#port.post({ type: "restored", id: request.id }, []);
        return;
      case "close":
        for (const lane of this.#lanes) lane.close();
        this.#lanes = [];
        this.#closed = true;
        this.#port.post({ type: "closed", id: request.id }, []);
        return;
      default: {
        const { type } = request as { readonly type: unknown };
        throw new Gym2600Error("unknown-command", `the worker knows no command ${JSON.stringify(type)}`);
      }
    }
  }

  async #create(request: Extract<WorkerRequest, { type: "create" }>): Promise<GameDescription> {
    if (this.#lanes.length > 0 || this.#closed) throw new Gym2600Error("bad-state", "this worker has had its games");
    await this.#port.live(request.name);
    const { rom, module } = request;
    const lanes: Lane[] = [];
    for (const options of request.lanes) lanes.push(await Lane.open(rom, options, module));
    this.#lanes = lanes;
    return this.#lane(0).description;
  }

  #reset(resets: readonly LaneReset[]): void {
    this.#checkCount("resets", resets.length);
    for (const [index, reset] of resets.entries()) {
      if (reset !== "leave") this.#lane(index).reset(reset === "continue" ? undefined : reset);
    }
  }

  #step(actions: readonly number[]): void {
    this.#checkCount("actions", actions.length);
    for (const [index, action] of actions.entries()) this.#lane(index).checkAction(action);
    for (const [index, action] of actions.entries()) this.#lane(index).step(action);
  }

  #observed(request: { readonly id: number } & ReplyWishes): void {
    const { id, pictureOf, spareObservations, sparePicture } = request;
    const bytes = this.#lane(0).observationBytes;
    const observations = buffer(spareObservations, bytes * this.#lanes.length);
    for (const [index, lane] of this.#lanes.entries()) lane.observe(new Uint8Array(observations, index * bytes, bytes));
    const outcomes = this.#lanes.map(({ outcome }) => outcome);
    const transfer = [observations];
    const picture = pictureOf === undefined ? undefined : this.#picture(pictureOf, sparePicture);
    if (picture !== undefined) transfer.push(picture);
    this.#port.post({ type: "observed", id, observations, outcomes, picture }, transfer);
  }

  #picture(index: number, spare: ArrayBuffer | undefined): ArrayBuffer {
    const lane = this.#lane(index);
    const picture = buffer(spare, lane.pictureBytes);
    lane.picture(new Uint8Array(picture));
    return picture;
  }

  #lane(index: number): Lane {
    const lane = this.#lanes[index];
    if (lane !== undefined) return lane;
    if (this.#closed) throw new Gym2600Error("closed", "the environment has been closed");
    throw new Gym2600Error("bad-state", `this worker has no game ${index}; it has ${this.#lanes.length}`);
  }

  #checkCount(what: string, given: number): void {
    this.#lane(0);
    const lanes = this.#lanes.length;
    if (given === lanes) return;
    throw new Gym2600Error("bad-action", `${given} ${what} were given for ${lanes} environments`);
  }

  #fail(id: number | null, error: Gym2600Error): void {
    this.#port.post({ type: "error", id, code: error.code, message: error.message }, []);
  }
}

function idOf(data: unknown): number | undefined {
  if (typeof data !== "object" || data === null) return undefined;
  const id = (data as { readonly id?: unknown }).id;
  return typeof id === "number" ? id : undefined;
}

function buffer(spare: ArrayBuffer | undefined, bytes: number): ArrayBuffer {
  return spare?.byteLength === bytes ? spare : new ArrayBuffer(bytes);
}
