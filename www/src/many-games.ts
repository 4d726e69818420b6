/** Several games over several workers. Those of a worker that died are left out until they are revived. */

import {
  type GameDescription,
  Gym2600Error,
  type Info,
  type Observation,
  type Picture,
  type VectorBatch,
  VectorEnv,
} from "gym2600";
import { type Games, gameOptions, type Setup, type Started, type Taken, type Viewer } from "./games.js";

/** How often lanes' states are kept for a revival. */
const KEEP_EVERY_STEPS = 60;

type Rows = ReadonlyArray<readonly number[]>;

export class ManyGames implements Games {
  readonly numEnvs: number;
  readonly rowsPerRequest = 8;
  /** The more games, the more there is to draw. */
  readonly pictureEveryMs: number;

  readonly #envs: VectorEnv;
  readonly #all: readonly number[];
  /** The latest observations of all lanes, filled again and again. */
  readonly #observations: Observation;
  /** Those that are to be shown. */
  readonly #shown: Observation;
  /** The latest pictures, also of lanes that have died since. */
  readonly #pictures: (Picture | undefined)[];
  /** The lanes whose observation, or picture, has not been shown yet. */
  readonly #fresh = new Set<number>();
  readonly #freshPictures = new Set<number>();

  private constructor(envs: VectorEnv) {
    this.#envs = envs;
    this.numEnvs = envs.numEnvs;
    this.pictureEveryMs = Math.max(100, 12 * envs.numEnvs);
    this.#all = Array.from({ length: envs.numEnvs }, (_, lane) => lane);
    const { size, dtype } = envs.observationSpace;
    this.#observations = dtype === "uint8" ? new Uint8Array(size) : new Float32Array(size);
    this.#shown = this.#observations.slice();
    this.#pictures = new Array<Picture | undefined>(envs.numEnvs).fill(undefined);
  }

  static async open(setup: Setup): Promise<ManyGames> {
    const { numEnvs, workers } = setup;
    const options = { ...gameOptions(setup), seed: 0, numEnvs, workers, keepStates: KEEP_EVERY_STEPS };
    return new ManyGames(await VectorEnv.create(options));
  }

  get description(): GameDescription {
    return this.#envs.description;
  }

  get deadLanes(): readonly number[] {
    return this.#envs.deadLanes;
  }

  /** What is sent to single lanes has to be received before the next. */
  get depth(): number {
    return this.deadLanes.length === 0 ? 2 : 1;
  }

  async reset(): Promise<Started> {
    const lanes = this.#alive();
    const mask = this.#all.map((lane) => lanes.includes(lane));
    const [{ infos }] = await Promise.all([this.#envs.reset({ mask, into: this.#observations }), this.#render(lanes)]);
    this.#refresh(lanes);
    return { lanes, infos: lanes.map((lane) => infos[lane] as Info) };
  }

  async step(rows: Rows, pictures: boolean): Promise<Taken> {
    const asked = this.deadLanes.length === 0 ? this.#stepAll(rows) : this.#stepSome(rows);
    if (!pictures) return asked;
    // Frame stacks are shown with the pictures that belong to them: they are copied before the next steps write over them.
    const copied = asked.then((taken) => {
      this.#copy(taken.lanes);
      return taken;
    });
    const [taken] = await Promise.all([copied, this.#render(this.#alive())]);
    for (const lane of taken.lanes) this.#fresh.add(lane);
    return taken;
  }

  async look(): Promise<void> {
    await this.#render(this.#alive());
    this.#refresh(this.#all);
    for (const lane of this.#all) this.#freshPictures.add(lane);
  }

  async revive(lane: number): Promise<Started & { readonly restored: boolean }> {
    const { envIds, infos, observations, restored } = await this.#envs.revive(lane);
    const lanes = Array.from(envIds);
    this.#keep(lanes, observations);
    this.#refresh(lanes);
    await this.#render(lanes);
    return { lanes, infos, restored: restored.every(Boolean) };
  }

  view(viewer: Viewer): void {
    const { size } = this.#envs.singleObservationSpace;
    for (const lane of new Set([...this.#fresh, ...this.#freshPictures])) {
      const fresh = this.#fresh.has(lane);
      const observation = fresh ? this.#shown.subarray(lane * size, (lane + 1) * size) : undefined;
      viewer(lane, observation, this.#freshPictures.has(lane) ? this.#pictures[lane] : undefined);
    }
    this.#fresh.clear();
    this.#freshPictures.clear();
  }

  close(): void {
    void this.#envs.close();
  }

  #alive(): number[] {
    const dead = this.deadLanes;
    return this.#all.filter((lane) => !dead.includes(lane));
  }

  async #stepAll(rows: Rows): Promise<Taken> {
    try {
      const result = await this.#envs.stepMany(rows, { observations: "last", into: this.#observations });
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

  /** Has the lanes' latest observations shown. */
  #refresh(lanes: readonly number[]): void {
    this.#copy(lanes);
    for (const lane of lanes) this.#fresh.add(lane);
  }

  #copy(lanes: readonly number[]): void {
    const { size } = this.#envs.singleObservationSpace;
    for (const lane of lanes) {
      this.#shown.set(this.#observations.subarray(lane * size, (lane + 1) * size), lane * size);
    }
  }

  async #render(lanes: readonly number[]): Promise<void> {
    const answers = lanes.map(async (lane) => {
      this.#pictures[lane] = await this.#envs.render(lane);
      this.#freshPictures.add(lane);
    });
    // A worker that dies now is told by the next step.
    for (const answer of await Promise.allSettled(answers)) {
      if (answer.status === "rejected") deathOf(answer.reason);
    }
  }
}

/** The lanes that died and what the others did; any other error is thrown on. */
function deathOf(error: unknown): { readonly lanes: readonly number[]; readonly rest: VectorBatch | undefined } {
  if (!(error instanceof Gym2600Error) || error.code !== "worker-died") throw error;
  return { lanes: error.lanes ?? [], rest: error.rest };
}
