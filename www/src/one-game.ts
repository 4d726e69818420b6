/** One game in its worker, with many requests under way, and with sound if that is wanted. */

import { type GameDescription, GameWorker, type Observation, type Picture, type WorkerResetResult } from "gym2600";
import { type Games, gameOptions, type Setup, type Started, type Taken, type Viewer } from "./games.js";

const LANES = [0];

export class OneGame implements Games {
  readonly numEnvs = 1;
  readonly deadLanes = [];
  /** Enough that the worker never waits for the page's thread, few enough that a pause is felt at once. */
  readonly depth = 24;
  readonly rowsPerRequest = 1;
  readonly pictureEveryMs = 0;
  /** Hears the samples of every step, if the game has sound. */
  heard: ((samples: Uint8Array) => void) | undefined;

  readonly #setup: Setup;
  #worker: GameWorker;
  #sound: boolean;
  /** What came last and has not been shown yet. */
  #observation: Observation | undefined;
  #picture: Picture | undefined;

  private constructor(setup: Setup, worker: GameWorker, sound: boolean) {
    this.#setup = setup;
    this.#worker = worker;
    this.#sound = sound;
  }

  static async open(setup: Setup, sound: boolean): Promise<OneGame> {
    return new OneGame(setup, await start(setup, sound), sound);
  }

  get description(): GameDescription {
    return this.#worker.description;
  }

  async reset(): Promise<Started> {
    const result = await this.#worker.reset({ picture: true });
    this.#keep(result);
    return { lanes: LANES, infos: [result.info] };
  }

  async step(rows: ReadonlyArray<readonly number[]>, picture: boolean): Promise<Taken> {
    const worker = this.#worker;
    const answer = worker.step(rows[0]?.[0] ?? 0, { picture });
    if (this.#sound && this.heard !== undefined) {
      // Asked for before anything else is, so it is the sound of this step. A dead worker is told by the step itself.
      const heard = this.heard;
      worker.audio().then(heard, () => undefined);
    }
    const result = await answer;
    this.#keep(result);
    const { reward, terminated, truncated, info } = result;
    const numbers = { rewards: [reward], terminated: [terminated], truncated: [truncated], infos: [info] };
    return { lanes: LANES, rows, ...numbers };
  }

  async look(): Promise<void> {
    this.#keepPicture(await this.#worker.render());
  }

  revive(): Promise<never> {
    return Promise.reject(new Error("a single game is loaded again instead"));
  }

  /** Gives the game sound: it goes on, in another worker, from where it is. Nothing may be under way. */
  async addSound(): Promise<void> {
    if (this.#sound) return;
    const state = await this.#worker.save();
    const worker = await start(this.#setup, true);
    try {
      await worker.restore(state);
    } catch (error) {
      void worker.close();
      throw error;
    }
    void this.#worker.close();
    this.#worker = worker;
    this.#sound = true;
  }

  view(viewer: Viewer): void {
    const observation = this.#observation;
    const picture = this.#picture;
    this.#observation = undefined;
    this.#picture = undefined;
    if (observation === undefined && picture === undefined) return;
    viewer(0, observation, picture);
    if (observation !== undefined) this.#worker.recycle(observation);
    if (picture !== undefined) this.#worker.recycle(picture.data);
  }

  close(): void {
    void this.#worker.close();
  }

  /** Keeps the newest arrays until they are shown and gives the ones they replace back. */
  #keep({ observation, picture }: WorkerResetResult): void {
    if (this.#observation !== undefined) this.#worker.recycle(this.#observation);
    this.#observation = observation;
    if (picture !== undefined) this.#keepPicture(picture);
  }

  #keepPicture(picture: Picture): void {
    if (this.#picture !== undefined) this.#worker.recycle(this.#picture.data);
    this.#picture = picture;
  }
}

function start(setup: Setup, soundObs: boolean): Promise<GameWorker> {
  return GameWorker.create({ ...gameOptions(setup), seed: 0, soundObs });
}
