/** Several games over several workers. The lanes of a dead worker are left out until they are revived. */

import { type GameDescription, Gym2600Error, type Info, type Observation, type VectorBatch, VectorEnv } from "gym2600";
import { laneCanvas } from "./dom.js";
import { type Games, gameOptions, type Setup, type Started, type Taken, type Viewer } from "./games.js";

/** After how many steps the lanes' states are kept for a revival. */
const KEEP_EVERY_STEPS = 60;

type Rows = ReadonlyArray<readonly number[]>;

export class ManyGames implements Games {
  readonly numEnvs: number;
  readonly rowsPerRequest = 8;
  /** More games take longer to paint. */
  readonly pictureEveryMs: number;

  readonly #envs: VectorEnv;
  readonly #all: readonly number[];
  /** The latest observations of all lanes; steps write to it. */
  readonly #observations: Observation;
  /** A copy that no step writes to. */
  readonly #shown: Observation;
  readonly #canvases: HTMLCanvasElement[];
  /** The lanes whose observation in the copy has not been shown. */
  readonly #fresh = new Set<number>();

  private constructor(envs: VectorEnv, canvases: HTMLCanvasElement[]) {
    this.#envs = envs;
    this.#canvases = canvases;
    this.numEnvs = envs.numEnvs;
    this.pictureEveryMs = Math.max(100, 12 * envs.numEnvs);
    this.#all = Array.from({ length: envs.numEnvs }, (_, lane) => lane);
    const { size, dtype } = envs.observationSpace;
    this.#observations = dtype === "uint8" ? new Uint8Array(size) : new Float32Array(size);
    this.#shown = this.#observations.slice();
  }

  static async open(setup: Setup): Promise<ManyGames> {
    const { numEnvs, workers } = setup;
    const canvasElements = Array.from({ length: numEnvs }, laneCanvas);
    const canvases = canvasElements.map((canvas) => canvas.transferControlToOffscreen());
    const options = { ...gameOptions(setup), seed: 0, numEnvs, workers, keepStates: KEEP_EVERY_STEPS, canvases };
    return new ManyGames(await VectorEnv.create(options), canvasElements);
  }

  get description(): GameDescription {
    return this.#envs.description;
  }

  get deadLanes(): readonly number[] {
    return this.#envs.deadLanes;
  }

  /** A lane that was sent an action has to be received before the next one. */
  get depth(): number {
    return this.deadLanes.length === 0 ? 2 : 1;
  }

  async reset(): Promise<Started> {
    const lanes = this.#alive();
    const mask = this.#all.map((lane) => lanes.includes(lane));
    const { infos } = await this.#envs.reset({ mask, into: this.#observations });
    this.#refresh(lanes);
    return { lanes, infos: lanes.map((lane) => infos[lane] as Info) };
  }

  async step(rows: Rows, paint: boolean): Promise<Taken> {
    const taken = await (this.deadLanes.length === 0 ? this.#stepAll(rows, paint) : this.#stepSome(rows));
    // Frame stacks are shown with the pictures of the same step.
    if (paint) this.#refresh(taken.lanes);
    return taken;
  }

  canvasOf(lane: number): HTMLCanvasElement {
    return this.#canvases[lane] as HTMLCanvasElement;
  }

  async look(): Promise<void> {
    const painted = this.#alive().map((lane) => this.#envs.paint(lane));
    // The next step reports a worker that dies here.
    for (const answer of await Promise.allSettled(painted)) if (answer.status === "rejected") deathOf(answer.reason);
    this.#refresh(this.#all);
  }

  async revive(lane: number): Promise<Started & { readonly restored: boolean }> {
    const { envIds, infos, observations, restored } = await this.#envs.revive(lane);
    const lanes = Array.from(envIds);
    this.#keep(lanes, observations);
    this.#refresh(lanes);
    for (const one of lanes) {
      // The canvas of a dead worker cannot be moved to another one.
      const canvas = laneCanvas();
      await this.#envs.setCanvas(one, canvas.transferControlToOffscreen());
      this.#canvases[one] = canvas;
    }
    return { lanes, infos, restored: restored.every(Boolean) };
  }

  view(viewer: Viewer): void {
    const { size } = this.#envs.singleObservationSpace;
    for (const lane of this.#fresh) viewer(lane, this.#shown.subarray(lane * size, (lane + 1) * size));
    this.#fresh.clear();
  }

  close(): void {
    void this.#envs.close();
  }

  #alive(): number[] {
    const dead = this.deadLanes;
    return this.#all.filter((lane) => !dead.includes(lane));
  }

  async #stepAll(rows: Rows, paint: boolean): Promise<Taken> {
    try {
      const result = await this.#envs.stepMany(rows, { observations: "last", into: this.#observations, paint });
      return { ...result, lanes: this.#all, rows };
    } catch (error) {
      const { rest } = deathOf(error);
      return this.#takenOf(rows, rest === undefined ? [] : [rest]);
    }
  }

  /** One step of the lanes that are alive; more come with the next requests. */
  async #stepSome(rows: Rows): Promise<Taken> {
    const lanes = this.#alive();
    const row = rows[0] ?? [];
    const waiting = new Set(lanes);
    const batches: VectorBatch[] = [];
    if (lanes.length > 0)
      this.#envs.send(
        lanes.map((lane) => row[lane] ?? 0),
        lanes,
      );
    while (waiting.size > 0) {
      try {
        const batch = await this.#envs.recv(waiting.size);
        batches.push(batch);
        for (const lane of batch.envIds) waiting.delete(lane);
      } catch (error) {
        for (const lane of deathOf(error).lanes) waiting.delete(lane);
      }
    }
    return this.#takenOf([row], batches);
  }

  /** The batches, each of which has one row for every step or is the only one. */
  #takenOf(rows: Rows, batches: readonly VectorBatch[]): Taken {
    for (const { envIds, observations } of batches) this.#keep(Array.from(envIds), observations);
    return {
      lanes: batches.flatMap(({ envIds }) => Array.from(envIds)),
      rows,
      rewards: batches.flatMap(({ rewards }) => Array.from(rewards)),
      terminated: batches.flatMap(({ terminated }) => Array.from(terminated)),
      truncated: batches.flatMap(({ truncated }) => Array.from(truncated)),
      infos: batches.flatMap(({ infos }) => infos),
    };
  }

  #keep(lanes: readonly number[], observations: Observation): void {
    const { size } = this.#envs.singleObservationSpace;
    for (const [index, lane] of lanes.entries()) {
      this.#observations.set(observations.subarray(index * size, (index + 1) * size), lane * size);
    }
  }

  /** Copies the lanes' latest observations for the next {@link view}. */
  #refresh(lanes: readonly number[]): void {
    const { size } = this.#envs.singleObservationSpace;
    for (const lane of lanes) {
      this.#shown.set(this.#observations.subarray(lane * size, (lane + 1) * size), lane * size);
      this.#fresh.add(lane);
    }
  }
}

/** The lanes that died and what the others did; any other error is thrown on. */
function deathOf(error: unknown): { readonly lanes: readonly number[]; readonly rest: VectorBatch | undefined } {
  if (!(error instanceof Gym2600Error) || error.code !== "worker-died") throw error;
  return { lanes: error.lanes ?? [], rest: error.rest };
}
