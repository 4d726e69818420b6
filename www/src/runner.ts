/**
 * Runs one game in its worker at the chosen speed.
 *
 * The page's thread only hands out actions and takes in results. Steps are asked for from the browser's animation
 * frames; at full speed many are under way at once, and one in a while brings the console's picture along.
 */

import type { GameWorker, Observation, Picture, WorkerResetResult, WorkerStepResult } from "gym2600";
import type { Agent } from "./agent.js";
import { framesPerStep } from "./presets.js";

export type Speed = "slow" | "real-time" | "fast";

/** What a runner tells. */
export interface RunnerListener {
  /** A step is done. The result's arrays stay the runner's. */
  stepped(action: number, result: WorkerStepResult): void;
  /** An episode was started by a reset. */
  restarted(result: WorkerResetResult): void;
  /** Something new may be drawn; the arrays are lent until this returns. */
  draw(observation: Observation | undefined, picture: Picture | undefined): void;
  /** Started or paused. */
  runningChanged(running: boolean): void;
  /** The game is lost: its worker failed. */
  failed(error: unknown): void;
}

const CONSOLE_FRAMES_PER_SECOND = 60;
const SLOW_STEPS_PER_SECOND = 3;

/** At full speed: enough that the worker never waits for the page's thread, few enough that a pause is felt at once. */
const STEPS_UNDER_WAY = 24;

/** After a hiccup, how many missed steps are made up for at most. */
const CATCH_UP_STEPS = 3;

export class Runner {
  agent: Agent;
  speed: Speed = "real-time";

  readonly #listener: RunnerListener;
  #game: GameWorker | undefined;
  /** What the game says about its steps. */
  #framesPerStep = 1;
  #resetsItself = false;
  #running = false;
  #underWay = 0;
  /** A reset has to come before the next step. */
  #mustReset = false;
  /** A picture is on its way. */
  #pictureAsked = false;
  /** How many steps are due, and when that was worked out. */
  #due = 0;
  #dueAt = 0;
  /** What came last and is not drawn yet. */
  #observation: Observation | undefined;
  #picture: Picture | undefined;

  constructor(agent: Agent, listener: RunnerListener) {
    this.agent = agent;
    this.#listener = listener;
    const onFrame = (now: number): void => {
      this.#advance(now);
      this.#draw();
      requestAnimationFrame(onFrame);
    };
    requestAnimationFrame(onFrame);
  }

  get running(): boolean {
    return this.#running;
  }

  get game(): GameWorker | undefined {
    return this.#game;
  }

  /** Plays another game from its first reset on, and ends the worker of the one before. */
  async play(game: GameWorker): Promise<void> {
    this.#drop();
    this.#game = game;
    this.#framesPerStep = framesPerStep(game.description.spec);
    this.#resetsItself = game.description.resetsItself;
    await this.reset();
  }

  start(): void {
    if (this.#running || this.#game === undefined) return;
    this.#running = true;
    this.#due = 1;
    this.#dueAt = performance.now();
    this.#listener.runningChanged(true);
  }

  pause(): void {
    if (!this.#running) return;
    this.#running = false;
    this.#listener.runningChanged(false);
    // At full speed the picture lags behind. The last step brings the one that belongs to the last observation.
    if (this.speed === "fast" && !this.#mustReset) this.#step(true);
  }

  /** One step, if none is under way. */
  stepOnce(): void {
    if (this.#underWay > 0) return;
    if (this.#mustReset) void this.reset();
    else this.#step(true);
  }

  /** Starts a new episode now. */
  async reset(): Promise<void> {
    const game = this.#game;
    if (game === undefined) return;
    this.#underWay += 1;
    await this.#answered(game, game.reset({ picture: true }), (result) => {
      this.#mustReset = false;
      this.#listener.restarted(result);
    });
  }

  /** Asks for the steps that are due by now. */
  #advance(now: number): void {
    if (!this.#running) return;
    if (this.speed === "fast") {
      this.#due = 0;
      this.#dueAt = now;
      this.#fill();
      return;
    }
    const perSecond = this.speed === "slow" ? SLOW_STEPS_PER_SECOND : CONSOLE_FRAMES_PER_SECOND / this.#framesPerStep;
    this.#due = Math.min(this.#due + ((now - this.#dueAt) * perSecond) / 1000, CATCH_UP_STEPS);
    this.#dueAt = now;
    while (this.#due >= 1 && this.#underWay < this.#limit()) {
      this.#due -= 1;
      this.#next(true);
    }
  }

  /** Keeps as many steps under way as may be. A page that nobody sees does not use the processor. */
  #fill(): void {
    while (this.#underWay < this.#limit() && !document.hidden)
      this.#next(!this.#pictureAsked && this.#picture === undefined);
  }

  #limit(): number {
    if (this.#game === undefined) return 0;
    return this.agent.looksAhead && this.#resetsItself ? STEPS_UNDER_WAY : 1;
  }

  #next(picture: boolean): void {
    if (this.#mustReset) void this.reset();
    else this.#step(picture);
  }

  #step(picture: boolean): void {
    const game = this.#game;
    if (game === undefined) return;
    const action = this.agent.choose(game.description.actions);
    if (picture) this.#pictureAsked = true;
    this.#underWay += 1;
    void this.#answered(game, game.step(action, { picture }), (result) => {
      if (picture) this.#pictureAsked = false;
      this.#mustReset = !this.#resetsItself && (result.terminated || result.truncated);
      this.#listener.stepped(action, result);
    });
  }

  async #answered<T extends WorkerResetResult>(
    game: GameWorker,
    answer: Promise<T>,
    use: (result: T) => void,
  ): Promise<void> {
    try {
      const result = await answer;
      if (game !== this.#game) return;
      this.#underWay -= 1;
      this.#keep(game, result);
      use(result);
      if (this.#running && this.speed === "fast") this.#fill();
    } catch (error) {
      // All requests to a dead worker fail: the first failure is told. Those of a game that was replaced mean nothing.
      if (game !== this.#game) return;
      this.#drop();
      this.#running = false;
      this.#listener.runningChanged(false);
      this.#listener.failed(error);
    }
  }

  /** Keeps the newest arrays until they are drawn and gives the ones they replace back. */
  #keep(game: GameWorker, { observation, picture }: WorkerResetResult): void {
    if (this.#observation !== undefined) game.recycle(this.#observation);
    this.#observation = observation;
    if (picture === undefined) return;
    if (this.#picture !== undefined) game.recycle(this.#picture.data);
    this.#picture = picture;
  }

  #draw(): void {
    const observation = this.#observation;
    const picture = this.#picture;
    this.#observation = undefined;
    this.#picture = undefined;
    this.#listener.draw(observation, picture);
    if (observation !== undefined) this.#game?.recycle(observation);
    if (picture !== undefined) this.#game?.recycle(picture.data);
  }

  /** Lets go of the game and of all that belongs to it. */
  #drop(): void {
    void this.#game?.close();
    this.#game = undefined;
    this.#observation = undefined;
    this.#picture = undefined;
    this.#underWay = 0;
    this.#pictureAsked = false;
    this.#mustReset = false;
  }
}
