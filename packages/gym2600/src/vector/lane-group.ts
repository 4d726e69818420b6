/** Lanes that share a worker, or a host in this thread. When their worker dies, all of them are lost; see `revival.ts`. */

import type { BufferPool } from "../buffers/buffer-pool.js";
import { pictureOver } from "../buffers/observation-buffers.js";
import { checkState } from "../env/handle.js";
import type { LaneOptions } from "../env/lane.js";
import { countOf, endedAt, type StepRecords } from "../env/step-record.js";
import type { Gym2600Error } from "../errors.js";
import type { GameDescription, Observation, Picture } from "../types.js";
import { InlinePort } from "../worker/inline-port.js";
import type { LaneReset, ReplyOptions, WorkerCommand } from "../worker/protocol.js";
import { callLane, expectAnswer, setCanvas, startWorker, type WorkerClient } from "../worker/worker-client.js";
import { LaneRevival, reviveLanes } from "./revival.js";

/** The results of one request, of some lanes of a group. */
export interface LaneResults {
  /** The lanes' numbers in the batch. */
  readonly lanes: readonly number[];
  /** One for each lane, for each step: all of the first step, then all of the second. */
  readonly records: StepRecords;
  /** The lanes' observations, one after the other; step by step if the request asks for every step. */
  readonly observations: ArrayBuffer;
}

/** Options of {@link LaneGroup.step}. */
export interface GroupStepOptions {
  /** Whether the observations of every step are wanted; only those of the last unless given. */
  readonly every?: boolean | undefined;
  /** False to leave the lanes' canvases as they are. */
  readonly paint?: boolean | undefined;
  readonly into?: Observation | undefined;
}

/** Where and how a group's lanes play. */
export interface GroupSetup {
  readonly rom: Uint8Array<ArrayBuffer>;
  readonly place: "worker" | "here";
  /** After how many steps the lanes' states are kept for a revival; 0 for never. */
  readonly keepStates: number;
  /** Bytes of a lane's observation. */
  readonly laneBytes: number;
  /** Recycled buffers for observations. */
  readonly pool: BufferPool;
}

/** A group, some of its lanes, and the place of each lane in the caller's list. */
export interface Asked {
  readonly group: LaneGroup;
  readonly lanes: readonly number[];
  readonly places: readonly number[];
}

/** The lanes of one worker. They are named by their number in the batch. The caller has checked the arguments. */
export class LaneGroup {
  readonly description: GameDescription;
  /** The number of its first lane, and of all. */
  readonly start: number;
  readonly lanes: readonly number[];
  /** Those that need a reset before the next step. */
  readonly unready: Set<number>;

  /** The numbers that the worker has for them. */
  readonly #numbers: readonly number[];
  readonly #setup: GroupSetup;
  readonly #revivals: readonly LaneRevival[];
  #client: WorkerClient;
  #reviving: Promise<boolean[]> | undefined;

  private constructor(
    setup: GroupSetup,
    start: number,
    revivals: readonly LaneRevival[],
    { client, description }: { client: WorkerClient; description: GameDescription },
  ) {
    this.#setup = setup;
    this.#revivals = revivals;
    this.#client = client;
    this.start = start;
    this.#numbers = Array.from(revivals.keys());
    this.lanes = this.#numbers.map((index) => start + index);
    this.unready = new Set(this.lanes);
    this.description = description;
  }

  /** Loads the games; `start` is the number of the first. */
  static async open(
    setup: GroupSetup,
    start: number,
    lanes: ReadonlyArray<LaneOptions & { readonly seed: number }>,
  ): Promise<LaneGroup> {
    const revivals = lanes.map((options) => new LaneRevival(options));
    return new LaneGroup(setup, start, revivals, await connect(setup, lanes));
  }

  /** Whether its worker has died and has not been replaced. */
  get dead(): boolean {
    return this.over !== undefined || this.#reviving !== undefined;
  }

  /** The error with which its worker ended, if it has. */
  get over(): Gym2600Error | undefined {
    return this.#client.over;
  }

  /**
   * Steps some of its lanes; `actions` has one for each of them, for each step. A host in this thread writes the observations
   * to `into`, if that covers a whole buffer.
   */
  step(
    lanes: readonly number[],
    actions: readonly number[],
    { every = false, paint, into }: GroupStepOptions = {},
  ): Promise<LaneResults> {
    const states = this.#isTimeToKeep(lanes, actions.length / lanes.length);
    const observationBuffer = this.#buffer(every ? actions.length : lanes.length, into);
    const request = {
      type: "step",
      lanes: this.#own(lanes),
      actions,
      every,
      states,
      paint: paint !== false,
      observationBuffer,
    } as const;
    return this.#observed({ ...request }, lanes);
  }

  reset(lanes: readonly number[], resets: readonly LaneReset[], into?: Observation): Promise<LaneResults> {
    for (const [index, lane] of lanes.entries()) {
      const reset = resets[index] ?? "leave";
      if (typeof reset === "number") this.#revival(lane).seed = reset;
      if (reset !== "leave") this.unready.delete(lane);
    }
    return this.#observed(
      { type: "reset", lanes: this.#own(lanes), resets, observationBuffer: this.#buffer(lanes.length, into) },
      lanes,
    );
  }

  /** The last observations of some of its lanes. */
  observe(lanes: readonly number[]): Promise<LaneResults> {
    return this.reset(
      lanes,
      lanes.map(() => "leave"),
    );
  }

  async render(lane: number): Promise<Picture> {
    const answer = await this.#client.ask({ type: "render", lane: lane - this.start });
    return pictureOver(expectAnswer(answer, "rendered").picture, this.description.screen);
  }

  setCanvas(lane: number, canvas: OffscreenCanvas): Promise<void> {
    return setCanvas(this.#client, lane - this.start, canvas);
  }

  paint(lane: number): Promise<void> {
    return callLane(this.#client, lane - this.start, "paint");
  }

  async save(lane: number): Promise<Uint8Array<ArrayBuffer>> {
    const state = await callLane(this.#client, lane - this.start, "save");
    this.#revival(lane).keep(state.slice());
    return state;
  }

  async restore(lane: number, state: Uint8Array): Promise<void> {
    const copy = checkState(state).slice();
    if (await callLane(this.#client, lane - this.start, "restore", copy)) this.unready.add(lane);
    else this.unready.delete(lane);
    this.#revival(lane).keep(copy);
  }

  /** Replaces a dead worker; says of each lane whether it went back to a kept state. */
  revive(): Promise<boolean[]> {
    this.#reviving ??= this.#revive().finally(() => {
      this.#reviving = undefined;
    });
    return this.#reviving;
  }

  /** Waits for the requests made so far, then ends the worker. */
  async close(): Promise<void> {
    await this.#reviving?.catch(() => undefined);
    await this.#client.close();
  }

  async #revive(): Promise<boolean[]> {
    const dead = this.#client;
    const lanes = this.#revivals.map((revival) => revival.laneOptions());
    const { client } = await connect(this.#setup, lanes);
    this.#client = client;
    try {
      return await reviveLanes(this, this.#revivals);
    } catch (error) {
      client.terminate();
      this.#client = dead;
      throw error;
    }
  }

  /** Counts steps of lanes, and says whether their states are to be kept after them. */
  #isTimeToKeep(lanes: readonly number[], steps: number): boolean {
    const { keepStates } = this.#setup;
    const revivals = lanes.map((lane) => this.#revival(lane));
    for (const revival of revivals) revival.steps += steps;
    if (keepStates === 0 || revivals.every((revival) => revival.steps < keepStates)) return false;
    return true;
  }

  #revival(lane: number): LaneRevival {
    return this.#revivals[lane - this.start] as LaneRevival;
  }

  #own(lanes: readonly number[]): readonly number[] {
    return lanes === this.lanes ? this.#numbers : lanes.map((lane) => lane - this.start);
  }

  /** Sends a request for observations of `lanes`; stores their states and whether they need a reset. */
  async #observed(request: WorkerCommand & ReplyOptions, lanes: readonly number[]): Promise<LaneResults> {
    const answer = expectAnswer(await this.#client.ask(request, request.observationBuffer), "observed");
    answer.states?.forEach((state, index) => {
      this.#revival(lanes[index] as number).keep(state);
    });
    if (!this.description.resetsItself) {
      for (let row = 0; row < countOf(answer); row++) {
        if (endedAt(answer, row)) this.unready.add(lanes[row % lanes.length] as number);
      }
    }
    return { lanes, records: answer, observations: answer.observations };
  }

  /** A buffer for `count` observations, if there is one: the caller's, or a recycled one. */
  #buffer(count: number, into: Observation | undefined): ArrayBuffer | undefined {
    const { place, laneBytes, pool } = this.#setup;
    const usable = place === "here" && into?.byteLength === into?.buffer.byteLength;
    return (usable && into?.buffer) || pool.take(count * laneBytes);
  }
}

function connect({ rom, place }: GroupSetup, lanes: readonly LaneOptions[]): ReturnType<typeof startWorker> {
  return startWorker(rom, lanes, place === "here" ? () => new InlinePort() : undefined);
}
