/** One game in its worker, with many pending requests, and with sound on demand. */

import { type GameDescription, GameWorker, type Observation } from "gym2600";
import { laneCanvas } from "./dom.js";
import { type Games, gameOptions, type Setup, type Started, type Taken, type Viewer } from "./games.js";

const LANES = [0];

export class OneGame implements Games {
  readonly numEnvs = 1;
  readonly deadLanes = [];
  /** Enough that the worker never waits for the page's thread, few enough that a pause takes effect at once. */
  readonly depth = 24;
  readonly rowsPerRequest = 1;
  readonly pictureEveryMs = 0;
  /** Receives the samples of every step, if the game has sound. */
  heard: ((samples: Uint8Array) => void) | undefined;

  readonly #setup: Setup;
  #worker: GameWorker;
  #canvas: HTMLCanvasElement;
  #sound: boolean;
  /** The latest observation, until it is shown. */
  #observation: Observation | undefined;

  private constructor(setup: Setup, { worker, canvas }: Painted, sound: boolean) {
    this.#setup = setup;
    this.#worker = worker;
    this.#canvas = canvas;
    this.#sound = sound;
  }

  static async open(setup: Setup, sound: boolean): Promise<OneGame> {
    return new OneGame(setup, await start(setup, sound), sound);
  }

  get description(): GameDescription {
    return this.#worker.description;
  }

  async reset(): Promise<Started> {
    const { observation, info } = await this.#worker.reset();
    this.#keep(observation);
    return { lanes: LANES, infos: [info] };
  }

  async step(rows: ReadonlyArray<readonly number[]>, paint: boolean): Promise<Taken> {
    const worker = this.#worker;
    const answer = worker.step(rows[0]?.[0] ?? 0, { paint });
    if (this.#sound && this.heard !== undefined) {
      // The next request after the step, so it is the sound of this step. The step itself reports a dead worker.
      const heard = this.heard;
      worker.audio().then(heard, () => undefined);
    }
    const { observation, reward, terminated, truncated, info } = await answer;
    this.#keep(observation);
    const numbers = { rewards: [reward], terminated: [terminated], truncated: [truncated], infos: [info] };
    return { lanes: LANES, rows, ...numbers };
  }

  canvasOf(): HTMLCanvasElement {
    return this.#canvas;
  }

  look(): Promise<void> {
    return this.#worker.paint();
  }

  revive(): Promise<never> {
    return Promise.reject(new Error("a single game is loaded again instead"));
  }

  /** Gives the game sound: another worker continues from its state. No request may be pending. */
  async addSound(): Promise<void> {
    if (this.#sound) return;
    const state = await this.#worker.save();
    const { worker, canvas } = await start(this.#setup, true);
    try {
      await worker.restore(state);
    } catch (error) {
      void worker.close();
      throw error;
    }
    void this.#worker.close();
    this.#worker = worker;
    this.#canvas = canvas;
    this.#sound = true;
  }

  view(viewer: Viewer): void {
    const observation = this.#observation;
    this.#observation = undefined;
    if (observation === undefined) return;
    viewer(0, observation);
    this.#worker.recycle(observation);
  }

  close(): void {
    void this.#worker.close();
  }

  /** Keeps the newest observation until it is shown, and recycles the one that it replaces. */
  #keep(observation: Observation): void {
    if (this.#observation !== undefined) this.#worker.recycle(this.#observation);
    this.#observation = observation;
  }
}

/** A worker and the canvas that it paints on. */
interface Painted {
  readonly worker: GameWorker;
  readonly canvas: HTMLCanvasElement;
}

async function start(setup: Setup, soundObs: boolean): Promise<Painted> {
  const canvas = laneCanvas();
  const offscreen = canvas.transferControlToOffscreen();
  return { canvas, worker: await GameWorker.create({ ...gameOptions(setup), seed: 0, soundObs, canvas: offscreen }) };
}
