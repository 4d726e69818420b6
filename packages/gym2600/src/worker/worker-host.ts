/**
 * The inside of a worker: answers requests with its games.
 *
 * Requests are answered in order. `create` takes time; requests that arrive in the meantime wait for it.
 */

import { expected } from "../arguments.js";
import { ACCESSORS, LANE_CALLS, type LaneCall, type LaneCallResult } from "../env/accessors.js";
import { Lane } from "../env/lane.js";
import { newRecords, type StepRecords } from "../env/step-record.js";
import { Gym2600Error, toGym2600Error } from "../errors.js";
import type { ReplyOptions, WorkerReply, WorkerRequest } from "./protocol.js";

/** A worker's connection to its client. */
export interface HostPort {
  post(reply: WorkerReply, transfer: ArrayBuffer[]): void;
  /** Takes the lock by which the client notices the worker's death; see `worker-death.ts`. */
  live(name: string): Promise<void>;
}

/** What the script of a worker throws where there is no worker. */
export function noWorker(): Gym2600Error {
  return new Gym2600Error(
    "bad-state",
    "gym2600/worker is the script of a worker: give its address to init({ worker }) and do not import it",
  );
}

/** Lanes, and the requests that wait for an answer. */
export class WorkerHost {
  readonly #port: HostPort;
  #lanes: readonly Lane[] = [];
  #closed = false;
  /** The answer under way, if there is one. */
  #last: Promise<void> | undefined;

  constructor(port: HostPort) {
    this.#port = port;
  }

  /** A message has arrived. */
  message(data: unknown): void {
    const answered = this.#last === undefined ? this.#answer(data) : this.#last.then(() => this.#answer(data));
    const last = answered?.then(() => {
      if (this.#last === last) this.#last = undefined;
    });
    this.#last = last;
  }

  /** A message could not be deserialised. */
  messageError(): void {
    this.#fail(null, new Gym2600Error("bad-message", "the worker could not read a message"));
  }

  /** Answers a request; gives a promise where that takes time. */
  #answer(data: unknown): Promise<void> | undefined {
    const id = idOf(data);
    if (id === undefined) {
      this.#fail(null, new Gym2600Error("bad-message", "a request has to be an object with a number for its id"));
      return undefined;
    }
    const fail = (error: unknown) => this.#fail(id, toGym2600Error(error));
    try {
      const request = data as WorkerRequest;
      if (request.type === "create") return this.#create(request).catch(fail);
      this.#perform(request);
    } catch (error) {
      fail(error);
    }
    return undefined;
  }

  #perform(request: Exclude<WorkerRequest, { type: "create" }>): void {
    switch (request.type) {
      case "reset":
        this.#reset(request);
        return;
      case "step":
        this.#step(request);
        return;
      case "call": {
        const result = this.#call(request);
        this.#port.post({ type: "called", id: request.id, result }, ArrayBuffer.isView(result) ? [result.buffer] : []);
        return;
      }
      case "copy": {
        const to = this.#lane(request.to);
        to.copyFrom(this.#lane(request.from));
        this.#port.post({ type: "called", id: request.id, result: to.needsReset }, []);
        return;
      }
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

  async #create(request: Extract<WorkerRequest, { type: "create" }>): Promise<void> {
    if (this.#lanes.length > 0 || this.#closed)
      throw new Gym2600Error("bad-state", "this worker has already been given its games");
    await this.#port.live(request.name);
    const { rom, module } = request;
    const lanes: Lane[] = [];
    for (const options of request.lanes) lanes.push(await Lane.open(rom, options, module));
    this.#lanes = lanes;
    this.#port.post({ type: "created", id: request.id, description: this.#lane(0).description }, []);
  }

  #reset(request: Extract<WorkerRequest, { type: "reset" }>): void {
    const lanes = this.#chosen(request.lanes);
    const observations = request.observationBuffer ?? new ArrayBuffer(lanes.length * this.#lane(0).observationBytes);
    const records = newRecords(lanes.length);
    for (const [index, lane] of lanes.entries()) {
      const reset = expected(request.resets[index], "each lane of a request has a reset");
      if (reset === "leave") lane.info(records, index);
      else lane.reset(reset === "continue" ? undefined : reset, records, index);
      observe(lane, observations, index);
      if (request.paint !== false && reset !== "leave") lane.paint();
    }
    this.#observed(request, records, observations, undefined);
  }

  #step(request: Extract<WorkerRequest, { type: "step" }>): void {
    const lanes = this.#chosen(request.lanes);
    const { actions, strength = 1, every, states, observationBuffer } = request;
    const count = lanes.length;
    const unseen = every ? 0 : actions.length - count;
    const observations =
      observationBuffer ?? new ArrayBuffer((actions.length - unseen) * this.#lane(0).observationBytes);
    const records = newRecords(actions.length);
    for (const [row, action] of actions.entries()) {
      const lane = lanes[row % count] as Lane;
      const stopped = row >= count && lane.needsReset;
      if (stopped) lane.info(records, row);
      else lane.step(action, records, row, strength);
      if (row >= unseen) observe(lane, observations, row - unseen);
    }
    if (request.paint !== false) for (const lane of lanes) lane.paint();
    this.#observed(request, records, observations, states ? lanes.map((lane) => ACCESSORS.save(lane)) : undefined);
  }

  #observed(
    { id, pictureOf, pictureBuffer }: { readonly id: number } & ReplyOptions,
    records: StepRecords,
    observations: ArrayBuffer,
    states: ReadonlyArray<Uint8Array<ArrayBuffer>> | undefined,
  ): void {
    const transfer = [observations];
    const recycled = pictureBuffer && new Uint8ClampedArray(pictureBuffer);
    const picture = pictureOf === undefined ? undefined : ACCESSORS.render(this.#lane(pictureOf), recycled).buffer;
    if (picture !== undefined) transfer.push(picture);
    for (const { buffer } of states ?? []) transfer.push(buffer);
    this.#port.post({ type: "observed", id, observations, ...records, states, picture }, transfer);
  }

  #call({ lane, method, args }: { readonly lane: number } & LaneCall): LaneCallResult {
    if (!Object.hasOwn(LANE_CALLS, method)) {
      throw new Gym2600Error("unknown-command", `a game has no ${JSON.stringify(method)}`);
    }
    const call = LANE_CALLS[method] as (lane: Lane, ...args: unknown[]) => LaneCallResult;
    return call(this.#lane(lane), ...args);
  }

  #lane(index: number): Lane {
    const lane = this.#lanes[index];
    if (lane !== undefined) return lane;
    if (this.#closed) throw new Gym2600Error("closed", "the environment has been closed");
    throw new Gym2600Error("bad-state", `this worker has no game ${index}; it has ${this.#lanes.length}`);
  }

  #chosen(lanes: readonly number[]): Lane[] {
    this.#lane(0);
    return lanes.map((index) => this.#lane(index));
  }

  #fail(id: number | null, error: Gym2600Error): void {
    this.#port.post({ type: "error", id, code: error.code, message: error.message, details: error.details }, []);
  }
}

function idOf(data: unknown): number | undefined {
  if (typeof data !== "object" || data === null) return undefined;
  const id = (data as { readonly id?: unknown }).id;
  return typeof id === "number" ? id : undefined;
}

/** Writes a lane's observation into a row of `target`. */
function observe(lane: Lane, target: ArrayBuffer, row: number): void {
  const bytes = lane.observationBytes;
  lane.observe(new Uint8Array(target, row * bytes, bytes));
}
