/** Lanes that are stepped together: in this thread, or in one worker. */

import { Lane, type LaneOptions, type Outcome } from "./lane.js";
import { pictureOver } from "./observation.js";
import type { LaneReset } from "./protocol.js";
import type { GameDescription, Picture } from "./types.js";
import { expectAnswer, startWorker, type WorkerAnswer, type WorkerClient } from "./worker-client.js";

/** What a group's step or reset brought. */
export interface GroupResult {
  /** For each lane of the group. */
  readonly outcomes: readonly Outcome[];
  /** Writes the group's observations, one after the other, to `target`. To be called once, and before the group's next step. */
  observe(target: Uint8Array): void;
}

/** See the module. Arguments have been checked. */
export interface LaneGroup {
  readonly description: GameDescription;
  step(actions: readonly number[]): Promise<GroupResult>;
  reset(resets: readonly LaneReset[]): Promise<GroupResult>;
  render(lane: number): Promise<Picture>;
  close(): Promise<void>;
}

/** A group in this thread. */
export class LocalGroup implements LaneGroup {
  readonly description: GameDescription;
  readonly #lanes: readonly Lane[];

  private constructor(lanes: readonly Lane[], description: GameDescription) {
    this.#lanes = lanes;
    this.description = description;
  }

  static async open(rom: Uint8Array, options: readonly LaneOptions[]): Promise<LocalGroup> {
    const [first, ...others] = options;
    const lane = await Lane.open(rom, first ?? {});
    const lanes = [lane];
    for (const other of others) lanes.push(await Lane.open(rom, other));
    return new LocalGroup(lanes, lane.description);
  }

  async step(actions: readonly number[]): Promise<GroupResult> {
    for (const [index, lane] of this.#lanes.entries()) lane.step(actions[index] ?? 0);
    return this.#result();
  }

  async reset(resets: readonly LaneReset[]): Promise<GroupResult> {
    for (const [index, lane] of this.#lanes.entries()) {
      const reset = resets[index] ?? "leave";
      if (reset !== "leave") lane.reset(reset === "continue" ? undefined : reset);
    }
    return this.#result();
  }

  async render(lane: number): Promise<Picture> {
    const { width, height } = this.description.screen;
    const data = new Uint8ClampedArray(width * height * 4);
    this.#lanes[lane]?.picture(data);
    return { width, height, data };
  }

  async close(): Promise<void> {
    for (const lane of this.#lanes) lane.close();
  }

  #result(): GroupResult {
    const observe = (target: Uint8Array) => {
      for (const [index, lane] of this.#lanes.entries()) {
        const start = index * lane.observationBytes;
        lane.observe(target.subarray(start, start + lane.observationBytes));
      }
    };
    return { outcomes: this.#lanes.map(({ outcome }) => outcome), observe };
  }
}

/** A group in a worker. */
export class WorkerGroup implements LaneGroup {
  readonly description: GameDescription;
  readonly #client: WorkerClient;
  /** Buffers of observations that have been copied and may be filled again. */
  readonly #spare: ArrayBuffer[] = [];

  private constructor(client: WorkerClient, description: GameDescription) {
    this.#client = client;
    this.description = description;
  }

  static async open(rom: Uint8Array<ArrayBuffer>, options: readonly LaneOptions[]): Promise<WorkerGroup> {
    const { client, description } = await startWorker(rom, options);
    return new WorkerGroup(client, description);
  }

  async step(actions: readonly number[]): Promise<GroupResult> {
    const spareObservations = this.#spare.pop();
    const wishes = { spareObservations, pictureOf: undefined, sparePicture: undefined };
    return this.#result(await this.#client.ask({ type: "step", actions, ...wishes }, [spareObservations]));
  }

  async reset(resets: readonly LaneReset[]): Promise<GroupResult> {
    const spareObservations = this.#spare.pop();
    const wishes = { spareObservations, pictureOf: undefined, sparePicture: undefined };
    return this.#result(await this.#client.ask({ type: "reset", resets, ...wishes }, [spareObservations]));
  }

  async render(lane: number): Promise<Picture> {
    const answer = await this.#client.ask({ type: "render", lane, sparePicture: undefined });
    return pictureOver(expectAnswer(answer, "rendered").picture, this.description);
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  #result(answer: WorkerAnswer): GroupResult {
    const { observations, outcomes } = expectAnswer(answer, "observed");
    const observe = (target: Uint8Array) => {
      target.set(new Uint8Array(observations));
      this.#spare.push(observations);
    };
    return { outcomes, observe };
  }
}
