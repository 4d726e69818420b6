/** Lanes that live and die together: in one worker, or in this thread. */

import type { BufferPool } from "../buffers/buffer-pool.js";
import { pictureOver } from "../buffers/observation-buffers.js";
import type { LaneOptions } from "../env/lane.js";
import { countOf, flagsOf, type Outcomes } from "../env/step-record.js";
import type { GameDescription, Observation, Picture } from "../types.js";
import { InlinePort } from "../worker/inline-port.js";
import type { LaneReset, ReplyWishes, WorkerCommand } from "../worker/protocol.js";
import { expectAnswer, startWorker, type WorkerClient } from "../worker/worker-client.js";

/** What a request brought to some lanes of a group. */
export interface Part {
  /** By their number in the batch. */
  readonly lanes: readonly number[];
  /** One for each lane, for each step: all of the first step, then all of the second. */
  readonly outcomes: Outcomes;
  /** The lanes' observations, one after the other; several rounds of them if every step was asked for. */
  readonly observations: ArrayBuffer;
}

/** What is known about a lane. */
interface LaneState {
  readonly options: LaneOptions;
  /** What it was last seeded with. */
  seed: number;
  /** Where a revival takes it back to. */
  kept: Uint8Array | undefined;
}

/** Where and how a group's lanes play. */
export interface GroupSetup {
  readonly rom: Uint8Array<ArrayBuffer>;
  readonly place: "worker" | "here";
  /** Every so many steps the lanes' states are kept; 0 for never. */
  readonly keepStates: number;
  /** Bytes of a lane's observation. */
  readonly laneBytes: number;
  /** Memory for observations; what it brings may be put there. */
  readonly pool: BufferPool;
}

/** See the module. Lanes are given by their number in the batch; arguments have been checked. */
export class LaneGroup {
  readonly description: GameDescription;
  /** The number of its first lane, and of all. */
  readonly start: number;
  readonly lanes: readonly number[];
  /** Those that need a reset before the next step. */
  readonly unready: Set<number>;

  /** Its lanes as its worker numbers them. */
  readonly #numbers: readonly number[];
  readonly #setup: GroupSetup;
  readonly #states: readonly LaneState[];
  #client: WorkerClient;
  #stepsSinceKept = 0;
  #revival: Promise<boolean[]> | undefined;

  private constructor(
    setup: GroupSetup,
    start: number,
    states: readonly LaneState[],
    { client, description }: { client: WorkerClient; description: GameDescription },
  ) {
    this.#setup = setup;
    this.#states = states;
    this.#client = client;
    this.start = start;
    this.#numbers = Array.from(states.keys());
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
    const states = lanes.map((options) => ({ options, seed: options.seed, kept: undefined }));
    return new LaneGroup(setup, start, states, await connect(setup, lanes));
  }

  /** Whether its worker has died, and no other has taken its place yet. */
  get dead(): boolean {
    return this.#client.over !== undefined || this.#revival !== undefined;
  }

  /**
   * Steps some of its lanes; `actions` has one for each of them, for each step. In this thread the observations are written
   * to `room`, if that is given and all that its buffer has.
   */
  step(lanes: readonly number[], actions: readonly number[], every: boolean, room?: Observation): Promise<Part> {
    const states = this.#timeToKeep(actions.length / lanes.length);
    const spareObservations = this.#spare(every ? actions.length : lanes.length, room);
    return this.#observed({ type: "step", lanes: this.#own(lanes), actions, every, states, spareObservations }, lanes);
  }

  reset(lanes: readonly number[], resets: readonly LaneReset[], room?: Observation): Promise<Part> {
    for (const [index, lane] of lanes.entries()) {
      const state = this.#state(lane);
      const reset = resets[index] ?? "leave";
      if (typeof reset === "number") state.seed = reset;
      if (reset !== "leave") this.unready.delete(lane);
    }
    return this.#observed(
      { type: "reset", lanes: this.#own(lanes), resets, spareObservations: this.#spare(lanes.length, room) },
      lanes,
    );
  }

  /** What some of its lanes show. */
  observe(lanes: readonly number[]): Promise<Part> {
    return this.reset(
      lanes,
      lanes.map(() => "leave"),
    );
  }

  async render(lane: number): Promise<Picture> {
    const answer = await this.#client.ask({ type: "render", lane: lane - this.start });
    return pictureOver(expectAnswer(answer, "rendered").picture, this.description);
  }

  async save(lane: number): Promise<Uint8Array<ArrayBuffer>> {
    const state = await this.#client.call(lane - this.start, "save");
    this.#state(lane).kept = state.slice();
    return state;
  }

  async restore(lane: number, state: Uint8Array): Promise<void> {
    const known = this.#state(lane);
    const copy = state instanceof Uint8Array ? state.slice() : state;
    if (await this.#client.call(lane - this.start, "restore", copy)) this.unready.add(lane);
    else this.unready.delete(lane);
    known.kept = copy;
  }

  /** Starts again after its worker's death; says of each lane whether it went back to a kept state. */
  revive(): Promise<boolean[]> {
    this.#revival ??= this.#revive().finally(() => {
      this.#revival = undefined;
    });
    return this.#revival;
  }

  /** Waits for what it was asked, then ends its worker. */
  async close(): Promise<void> {
    await this.#revival?.catch(() => undefined);
    await this.#client.close();
  }

  async #revive(): Promise<boolean[]> {
    const dead = this.#client;
    const lanes = this.#states.map(({ options, seed }) => ({ ...options, seed }));
    const { client } = await connect(this.#setup, lanes);
    this.#client = client;
    try {
      const restored: boolean[] = [];
      for (const [index, { kept }] of this.#states.entries()) {
        const lane = this.start + index;
        if (kept === undefined) await this.reset([lane], ["continue"]);
        else await this.restore(lane, kept);
        restored.push(kept !== undefined);
      }
      return restored;
    } catch (error) {
      client.terminate();
      this.#client = dead;
      throw error;
    }
  }

  #timeToKeep(steps: number): boolean {
    const { keepStates } = this.#setup;
    this.#stepsSinceKept += steps;
    if (keepStates === 0 || this.#stepsSinceKept < keepStates) return false;
    this.#stepsSinceKept = 0;
    return true;
  }

  #state(lane: number): LaneState {
    return this.#states[lane - this.start] as LaneState;
  }

  #own(lanes: readonly number[]): readonly number[] {
    return lanes === this.lanes ? this.#numbers : lanes.map((lane) => lane - this.start);
  }

  /** Asks for observations of `lanes`, and notes what the answer says about them. */
  async #observed(request: WorkerCommand & ReplyWishes, lanes: readonly number[]): Promise<Part> {
    const answer = expectAnswer(await this.#client.ask(request, request.spareObservations), "observed");
    answer.states?.forEach((state, index) => {
      this.#state(lanes[index] as number).kept = state;
    });
    if (!this.description.resetsItself) {
      for (let row = 0; row < countOf(answer); row++) {
        if (flagsOf(answer, row) !== 0) this.unready.add(lanes[row % lanes.length] as number);
      }
    }
    return { lanes, outcomes: answer, observations: answer.observations };
  }

  /** What `count` observations are to be written to. */
  #spare(count: number, room: Observation | undefined): ArrayBuffer | undefined {
    const { place, laneBytes, pool } = this.#setup;
    const usable = place === "here" && room?.byteLength === room?.buffer.byteLength;
    return (usable && room?.buffer) || pool.take(count * laneBytes);
  }
}

function connect({ rom, place }: GroupSetup, lanes: readonly LaneOptions[]): ReturnType<typeof startWorker> {
  return startWorker(rom, lanes, place === "here" ? () => new InlinePort() : undefined);
}
