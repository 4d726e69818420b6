/**
 * Runs games in their workers at the chosen speed.
 *
 * The page's thread only hands out actions and takes in results. Steps are asked for from the browser's animation
 * frames; at full speed many are under way at once, and one in a while brings the console's pictures along.
 */

import { type Agent, randomAgent } from "./agent.js";
import type { Games, Started, Taken } from "./games.js";
import { realTimeSteps } from "./presets.js";

export type Speed = "slow" | "real-time" | "fast";

/** How long a long run is. */
export interface Goal {
  /** Steps that every game takes, or episodes that all games together finish. */
  readonly unit: "steps" | "episodes";
  readonly count: number;
}

/** What a runner tells. */
export interface RunnerListener {
  /** Steps are done. Says how many episodes they ended. */
  stepped(taken: Taken): number;
  /** Episodes were started by a reset. */
  restarted(started: Started): void;
  /** Something new may be drawn. */
  draw(): void;
  /** Started or paused. */
  runningChanged(running: boolean): void;
  /** Some games' workers died; the others go on, if there are any. */
  died(lanes: readonly number[]): void;
  /** A long run has come to its end. */
  arrived(goal: Goal): void;
  /** The games are lost: their worker failed. */
  failed(error: unknown): void;
}

const SLOW_STEPS_PER_SECOND = 3;

/** After a hiccup, how many missed steps are made up for at most. */
const CATCH_UP_STEPS = 3;

export class Runner {
  /** Who plays the watched lane; the others are the random agent's. */
  agent: Agent = randomAgent;
  watched = 0;
  /** The chosen speed. A long run is as fast as can be whatever is chosen. */
  speed: Speed = "real-time";

  readonly #listener: RunnerListener;
  #games: Games | undefined;
  #running = false;
  #underWay = 0;
  /** Nothing may be asked for: something is being changed. */
  #held = false;
  #lastHold: Promise<void> = Promise.resolve();
  /** Are told when nothing is under way any more. */
  #waiting: (() => void)[] = [];
  /** A reset has to come before the next step. */
  #mustReset = false;
  /** The lanes whose death has been told. */
  #dead: readonly number[] = [];
  #picturesAt = 0;
  #picturesAsked = false;
  #picturesThere = false;
  /** How many steps are due, and when that was worked out. */
  #due = 0;
  #dueAt = 0;
  #goal: Goal | undefined;
  /** How much of the goal has been asked for, and how much is done. */
  #asked = 0;
  #done = 0;

  constructor(listener: RunnerListener) {
    this.#listener = listener;
    const onFrame = (now: number): void => {
      this.#noticeDeaths();
      this.#advance(now);
      listener.draw();
      this.#picturesThere = false;
      requestAnimationFrame(onFrame);
    };
    requestAnimationFrame(onFrame);
  }

  get running(): boolean {
    return this.#running;
  }

  get games(): Games | undefined {
    return this.#games;
  }

  /** Plays at the speed of the console. */
  get atRealTime(): boolean {
    return this.#running && this.#speed === "real-time";
  }

  /** The long run that is under way or paused, and how much of it is done. */
  get goal(): (Goal & { readonly done: number }) | undefined {
    return this.#goal === undefined ? undefined : { ...this.#goal, done: Math.min(this.#done, this.#goal.count) };
  }

  /** Plays other games from their first reset on, and ends the workers of those before. */
  async play(games: Games): Promise<void> {
    this.#drop();
    this.#games = games;
    await this.reset();
  }

  start(): void {
    if (this.#running || this.#games === undefined) return;
    this.#running = true;
    this.#due = 1;
    this.#dueAt = performance.now();
    this.#listener.runningChanged(true);
  }

  pause(): void {
    if (!this.#running) return;
    const behind = this.#speed === "fast";
    this.#running = false;
    this.#listener.runningChanged(false);
    // At full speed the pictures lag behind the observations.
    if (behind) void this.look();
  }

  /** Brings the pictures up to date. */
  look(): Promise<void> {
    return this.#ask((games) => games.look());
  }

  /** Starts a long run of the random agent, as fast as can be. */
  run(goal: Goal): void {
    this.#goal = goal;
    this.#asked = 0;
    this.#done = 0;
    this.start();
  }

  /** Ends a long run before its end, and pauses. */
  stopRun(): void {
    this.pause();
    this.#goal = undefined;
  }

  /** One step, if none is under way. */
  stepOnce(): void {
    if (this.#underWay === 0 && this.#limit() > 0) this.#next(true);
  }

  /** Starts new episodes now. */
  async reset(): Promise<void> {
    await this.#ask(
      (games) => games.reset(),
      (started) => {
        this.#mustReset = false;
        this.#listener.restarted(started);
      },
    );
  }

  /** Changes the games while nothing is under way, one change after the other; a running game goes on afterwards. */
  hold(change: (games: Games) => Promise<void>): Promise<void> {
    const held = this.#lastHold.then(() => this.#hold(change));
    this.#lastHold = held.catch(() => undefined);
    return held;
  }

  async #hold(change: (games: Games) => Promise<void>): Promise<void> {
    const games = this.#games;
    if (games === undefined) return;
    this.#held = true;
    try {
      if (this.#underWay > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
      if (games === this.#games) await change(games);
    } finally {
      this.#held = false;
    }
  }

  get #speed(): Speed {
    return this.#goal === undefined ? this.speed : "fast";
  }

  /** Tells of lanes that died since the last time, which may happen while nobody asks them anything. */
  #noticeDeaths(): void {
    if (this.#games === undefined) return;
    const dead = this.#games.deadLanes;
    const died = dead.filter((lane) => !this.#dead.includes(lane));
    this.#dead = dead;
    if (died.length === 0) return;
    if (dead.length === this.#games.numEnvs) this.pause();
    this.#listener.died(died);
  }

  /** Asks for the steps that are due by now. */
  #advance(now: number): void {
    if (!this.#running || this.#games === undefined) return;
    if (this.#speed === "fast") {
      this.#due = 0;
      this.#dueAt = now;
      this.#fill();
      return;
    }
    const perSecond = this.#speed === "slow" ? SLOW_STEPS_PER_SECOND : realTimeSteps(this.#games.description);
    this.#due = Math.min(this.#due + ((now - this.#dueAt) * perSecond) / 1000, CATCH_UP_STEPS);
    this.#dueAt = now;
    while (this.#due >= 1 && this.#underWay < this.#limit()) {
      this.#due -= 1;
      this.#next(true);
    }
  }

  /** Keeps as many steps under way as may be. A page that nobody sees does not use the processor, but for a long run. */
  #fill(): void {
    while (this.#underWay < this.#limit() && (this.#goal !== undefined || !document.hidden)) {
      const since = performance.now() - this.#picturesAt;
      const pictures = !this.#picturesAsked && !this.#picturesThere && since >= (this.#games?.pictureEveryMs ?? 0);
      this.#next(pictures && !document.hidden);
    }
  }

  #limit(): number {
    const games = this.#games;
    if (games === undefined || this.#held || games.deadLanes.length === games.numEnvs) return 0;
    if (this.#goal?.unit === "steps" && this.#asked >= this.#goal.count) return 0;
    return this.#looksAhead(games) ? games.depth : 1;
  }

  #looksAhead({ description }: Games): boolean {
    return this.#player.looksAhead && description.resetsItself;
  }

  get #player(): Agent {
    return this.#goal === undefined ? this.agent : randomAgent;
  }

  #next(pictures: boolean): void {
    if (this.#mustReset) void this.reset();
    else this.#step(pictures);
  }

  #step(pictures: boolean): void {
    const games = this.#games;
    if (games === undefined) return;
    const goal = this.#goal;
    const rows = Array.from({ length: this.#rows(games) }, () => this.#actions(games));
    this.#asked += rows.length;
    if (pictures) {
      this.#picturesAsked = true;
      this.#picturesAt = performance.now();
    }
    void this.#ask(
      () => games.step(rows, pictures),
      (taken) => {
        if (pictures) {
          this.#picturesAsked = false;
          this.#picturesThere = true;
        }
        this.#take(games, taken, goal);
      },
    );
  }

  /** How many steps the next request has. */
  #rows(games: Games): number {
    if (!this.#running || this.#speed !== "fast" || !this.#looksAhead(games) || games.deadLanes.length > 0) return 1;
    const left = this.#goal?.unit === "steps" ? this.#goal.count - this.#asked : Number.POSITIVE_INFINITY;
    return Math.min(games.rowsPerRequest, left);
  }

  #actions({ description: { actions }, numEnvs }: Games): number[] {
    const player = this.#player;
    return Array.from({ length: numEnvs }, (_, lane) => (lane === this.watched ? player : randomAgent).choose(actions));
  }

  /** Uses what was asked for on the way to `goal`, if to any. */
  #take(games: Games, taken: Taken, goal: Goal | undefined): void {
    const ended = games.description.resetsItself ? false : taken.terminated[0] || taken.truncated[0];
    this.#mustReset = Boolean(ended);
    const episodes = this.#listener.stepped(taken);
    if (goal === undefined || goal !== this.#goal) return;
    this.#done += goal.unit === "steps" ? taken.rows.length : episodes;
    if (this.#done < goal.count) return;
    this.pause();
    this.#goal = undefined;
    this.#listener.arrived(goal);
  }

  /** Asks the games for something and uses the answer, unless other games are played by then. */
  async #ask<T>(request: (games: Games) => Promise<T>, use: (answer: T) => void = () => undefined): Promise<void> {
    const games = this.#games;
    if (games === undefined) return;
    this.#underWay += 1;
    try {
      const answer = await request(games);
      if (games !== this.#games) return;
      this.#underWay -= 1;
      this.#tellIfIdle();
      use(answer);
      if (this.#running && this.#speed === "fast") this.#fill();
    } catch (error) {
      // All requests to a dead worker fail: the first failure is told. Those of games that were replaced mean nothing.
      if (games !== this.#games) return;
      this.#drop();
      this.#running = false;
      this.#listener.runningChanged(false);
      this.#listener.failed(error);
    }
  }

  #tellIfIdle(): void {
    if (this.#underWay > 0) return;
    for (const tell of this.#waiting.splice(0)) tell();
  }

  /** Lets go of the games and of all that belongs to them. */
  #drop(): void {
    this.#games?.close();
    this.#games = undefined;
    this.#underWay = 0;
    this.#tellIfIdle();
    this.#picturesAsked = false;
    this.#picturesThere = false;
    this.#mustReset = false;
    this.#dead = [];
    this.#goal = undefined;
  }
}
