/**
 * Lanes that share a worker, or a host in this thread: those of a `VectorEnv`, or the one of a `GameWorker`. When their worker dies, all of
 * them are lost; see `revival.ts`.
 */

import { expected } from "../arguments.js";
import type { BufferPool } from "../buffers/buffer-pool.js";
import { observationBytes, pictureBytes, pictureOver } from "../buffers/observation-buffers.js";
import type { LaneCallArguments, LaneCallName, LaneCallResult } from "../env/accessors.js";
import type { LaneOptions } from "../env/lane.js";
import { countOf, endedAt, type StepRecords } from "../env/step-record.js";
import type { Gym2600Error } from "../errors.js";
import type { WorkerPort } from "../platform.js";
import type { GameDescription, Observation, Picture } from "../types.js";
import type { LaneReset, ReplyOptions, WorkerCommand } from "../worker/protocol.js";
import { expectAnswer, startWorker, type WorkerClient } from "../worker/worker-client.js";
import { LaneRevival, reviveLanes } from "./revival.js";

/** The results of one request, of some lanes of a group. */
export interface LaneResults {
  /** The lanes' numbers in the batch. */
  readonly lanes: readonly number[];
  /** One for each lane, for each step: all of the first step, then all of the second. */
  readonly records: StepRecords;
  /** The lanes' observations, one after the other; step by step if the request asks for every step. */
  readonly observations: ArrayBuffer;
  /** That of the first of the lanes, if the request asks for it. */
  readonly picture: Picture | undefined;
}

/** What a request for observations does besides. */
export interface GroupRequest {
  /** False to leave the lanes' canvases as they are. */
  readonly paint?: boolean | undefined;
  /** Whether the result has the picture of the first of the lanes. */
  readonly picture?: boolean | undefined;
  /** A host in this thread writes the observations to it, if it covers a whole buffer. */
  readonly into?: Observation | undefined;
}

/** Options of {@link LaneGroup.step}. */
export interface GroupStepOptions extends GroupRequest {
  /** Whether the observations of every step are wanted; only those of the last unless given. */
  readonly every?: boolean | undefined;
  /** The strength of paddles. */
  readonly strength?: number | undefined;
}

/** Where and how a group's lanes play. */
export interface GroupSetup {
  readonly rom: Uint8Array<ArrayBuffer>;
  /** Makes a host in this thread; without it the lanes are in a worker. */
  readonly inline?: (() => WorkerPort) | undefined;
  /** After how many steps the lanes' states are kept for a revival; 0 for never. */
  readonly keepStates: number;
  /** Recycled buffers for observations and pictures. */
  readonly pool: BufferPool;
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
  readonly #laneBytes: number;
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
    this.#laneBytes = observationBytes(description);
  }

  /** Loads the games; `start` is the number of the first. */
  static async open(setup: GroupSetup, start: number, lanes: readonly LaneOptions[]): Promise<LaneGroup> {
    const revivals = lanes.map((options) => new LaneRevival(options));
    return new LaneGroup(setup, start, revivals, await startWorker(setup.rom, lanes, setup.inline));
  }

  /** Whether its worker has died and has not been replaced. */
  get dead(): boolean {
    return this.over !== undefined || this.#reviving !== undefined;
  }

  /** The error with which its worker ended, if it has. */
  get over(): Gym2600Error | undefined {
    return this.#client.over;
  }

  /** Steps some of its lanes; `actions` has one for each of them, for each step. */
  step(
    lanes: readonly number[],
    actions: readonly number[],
    { every = false, strength, ...wanted }: GroupStepOptions = {},
  ): Promise<LaneResults> {
    const states = this.#isTimeToKeep(lanes, actions.length / lanes.length);
    const request = { type: "step", lanes: this.#own(lanes), actions, strength, every, states } as const;
    return this.#observed({ ...request }, lanes, every ? actions.length : lanes.length, wanted);
  }

  reset(lanes: readonly number[], resets: readonly LaneReset[], wanted: GroupRequest = {}): Promise<LaneResults> {
    for (const [index, lane] of lanes.entries()) {
      const reset = resets[index];
      if (typeof reset === "number") this.#revival(lane).seed = reset;
      if (reset !== "leave") this.unready.delete(lane);
    }
    return this.#observed({ type: "reset", lanes: this.#own(lanes), resets }, lanes, lanes.length, wanted);
  }

  /** The last observations of some of its lanes. */
  observe(lanes: readonly number[]): Promise<LaneResults> {
    return this.reset(
      lanes,
      lanes.map(() => "leave"),
    );
  }

  /** Makes a call of `accessors.ts`, whose arguments are copied. */
  call<N extends LaneCallName>(lane: number, name: N, ...args: LaneCallArguments<N>): Promise<LaneCallResult<N>> {
    return this.#call(lane, name, args);
  }

  /** The lane's picture, in a recycled buffer if there is one. */
  async render(lane: number): Promise<Picture> {
    const { screen } = this.description;
    const buffer = this.#setup.pool.take(pictureBytes(this.description));
    const pixels = await this.#call(lane, "render", [buffer && new Uint8ClampedArray(buffer)], buffer);
    return pictureOver(pixels.buffer, screen);
  }

  /** Moves a canvas to the lane. */
  setCanvas(lane: number, canvas: OffscreenCanvas): Promise<void> {
    return this.#call(lane, "setCanvas", [canvas], canvas);
  }

  /** Keeps a state that the lane has saved for a revival. */
  keep(lane: number, state: Uint8Array): void {
    this.#revival(lane).keep(state.slice());
  }

  /** Restores a lane, and keeps the state. */
  async restore(lane: number, state: Uint8Array): Promise<void> {
    const copy = state.slice();
    if (await this.call(lane, "restore", copy)) this.unready.add(lane);
    else this.unready.delete(lane);
    this.#revival(lane).keep(copy);
  }

  /** Copies the state of one of its lanes into another, and what a revival needs. */
  async copy(from: number, to: number): Promise<void> {
    const [first, second] = this.#own([from, to]) as readonly [number, number];
    const answer = await this.#client.ask({ type: "copy", from: first, to: second });
    if (expectAnswer(answer, "called").result) this.unready.add(to);
    else this.unready.delete(to);
    this.#revival(to).follow(this.#revival(from));
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

  /** Ends the worker at once: pending requests are rejected with `worker-died`, later ones with `closed`. */
  terminate(): void {
    this.#client.terminate();
  }

  async #revive(): Promise<boolean[]> {
    const dead = this.#client;
    const lanes = this.#revivals.map((revival) => revival.laneOptions());
    const { client } = await startWorker(this.#setup.rom, lanes, this.#setup.inline);
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
    return keepStates > 0 && revivals.some((revival) => revival.steps >= keepStates);
  }

  #revival(lane: number): LaneRevival {
    return expected(this.#revivals[lane - this.start], "a group is asked for its own lanes");
  }

  #own(lanes: readonly number[]): readonly number[] {
    return lanes === this.lanes ? this.#numbers : lanes.map((lane) => lane - this.start);
  }

  async #call<N extends LaneCallName>(
    lane: number,
    method: N,
    args: LaneCallArguments<N>,
    ...transfer: Array<Transferable | undefined>
  ): Promise<LaneCallResult<N>> {
    const answer = await this.#client.ask({ type: "call", lane: lane - this.start, method, args }, ...transfer);
    return expectAnswer(answer, "called").result as LaneCallResult<N>;
  }

  /** Sends a request for `count` observations of `lanes`; stores their states and whether they need a reset. */
  async #observed(
    request: WorkerCommand & ReplyOptions,
    lanes: readonly number[],
    count: number,
    { paint, picture, into }: GroupRequest,
  ): Promise<LaneResults> {
    request.paint = paint !== false;
    request.observationBuffer = this.#buffer(count, into);
    if (picture) {
      request.pictureOf = expected(this.#own(lanes)[0], "a request is for at least one lane");
      request.pictureBuffer = this.#setup.pool.take(pictureBytes(this.description));
    }
    const asked = this.#client.ask(request, request.observationBuffer, request.pictureBuffer);
    const answer = expectAnswer(await asked, "observed");
    answer.states?.forEach((state, index) => {
      this.#revival(lanes[index] as number).keep(state);
    });
    if (!this.description.resetsItself) {
      for (let row = 0; row < countOf(answer); row++) {
        if (endedAt(answer, row)) this.unready.add(lanes[row % lanes.length] as number);
      }
    }
    const { observations } = answer;
    const drawn = answer.picture && pictureOver(answer.picture, this.description.screen);
    return { lanes, records: answer, observations, picture: drawn };
  }

  /** A buffer for `count` observations, if there is one: the caller's, or a recycled one. */
  #buffer(count: number, into: Observation | undefined): ArrayBuffer | undefined {
    const { inline, pool } = this.#setup;
    const usable = inline !== undefined && into?.byteLength === into?.buffer.byteLength;
    return (usable && into?.buffer) || pool.take(count * this.#laneBytes);
  }
}
