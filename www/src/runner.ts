/**
 * Runs games in their workers at the chosen speed.
 *
 * The page's thread sends actions and receives results. The browser's animation frames request steps; at full speed many
 * requests are in flight at once, and some of them ask for the console's pictures.
 */

import { type Agent, randomAgent } from "./agent.js";
import type { Games, Started, Taken } from "./games.js";
import { realTimeSteps } from "./presets.js";

export type Speed = "slow" | "real-time" | "fast";

/** The length of a long run. */
export interface Goal {
  /** Steps of every game, or finished episodes of all games together. */
  readonly unit: "steps" | "episodes";
  readonly count: number;
}

/** The events of a runner. */
export interface RunnerListener {
  /** Steps are done. Returns the number of episodes that they ended. */
  stepped(taken: Taken): number;
  /** A reset has started episodes. */
  restarted(started: Started): void;
  /** There is something new to draw. */
  draw(): void;
  /** Started or paused. */
  runningChanged(running: boolean): void;
  /** Workers died. The games of other workers continue. */
  died(lanes: readonly number[]): void;
  /** A long run has ended. */
  arrived(goal: Goal): void;
  /** The games are lost, because their worker failed. */
  failed(error: unknown): void;
}

const SLOW_STEPS_PER_SECOND = 3;

/** The largest number of missed steps that are played after a delay. */
const CATCH_UP_STEPS = 3;

export class Runner {
  /** The player of the watched lane. The random agent plays the others. */
  agent: Agent = randomAgent;
  watched = 0;
  /** The selected speed. A long run always has full speed. */
  speed: Speed = "real-time";

  readonly #listener: RunnerListener;
  #games: Games | undefined;
  #running = false;
  #underWay = 0;
  /** Whether a change is in progress, during which no request is sent. */
  #held = false;
  #lastHold: Promise<void> = Promise.resolve();
  /** Called when no request is in flight. */
  #waiting: (() => void)[] = [];
  /** Whether the next step needs a reset first. */
  #mustReset = false;
  /** The dead lanes that have been reported. */
  #dead: readonly number[] = [];
  #picturesAt = 0;
  #picturesAsked = false;
  #picturesThere = false;
  /** Steps that are due, and the time of this count. */
  #due = 0;
  #dueAt = 0;
  #goal: Goal | undefined;
  /** The requested and the finished part of the goal. */
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

  /** The running or paused long run, and its finished part. */
  get goal(): (Goal & { readonly done: number }) | undefined {
    return this.#goal === undefined ? undefined : { ...this.#goal, done: Math.min(this.#done, this.#goal.count) };
  }

  /** Plays other games from their first reset, and ends the workers of the previous games. */
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
    // At full speed pictures are older than observations.
    if (behind) void this.look();
  }

  /** Updates the pictures. */
  look(): Promise<void> {
    return this.#ask((games) => games.look());
  }

  /** Starts a long run of the random agent at full speed. */
  run(goal: Goal): void {
    this.#goal = goal;
    this.#asked = 0;
    this.#done = 0;
    this.start();
  }

  /** Stops a long run and pauses. */
  stopRun(): void {
    this.pause();
    this.#goal = undefined;
  }

  /** Takes a step, unless one is in flight. */
  stepOnce(): void {
    if (this.#underWay === 0 && this.#limit() > 0) this.#next(true);
  }

  /** Starts new episodes. */
  async reset(): Promise<void> {
    await this.#ask(
      (games) => games.reset(),
      (started) => {
        this.#mustReset = false;
        this.#listener.restarted(started);
      },
    );
  }

  /** Changes the games while no request is in flight. Changes run one after the other. A running game continues afterwards. */
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

  /** Reports lanes that died since the last call. A worker can die without a request in flight. */
  #noticeDeaths(): void {
    if (this.#games === undefined) return;
    const dead = this.#games.deadLanes;
    const died = dead.filter((lane) => !this.#dead.includes(lane));
    this.#dead = dead;
    if (died.length === 0) return;
    if (dead.length === this.#games.numEnvs) this.pause();
    this.#listener.died(died);
  }

  /** Requests the steps that are due. */
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

  /** Keeps the allowed number of requests in flight. A hidden page requests steps for a long run only. */
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

  /** The steps of the next request. */
  #rows(games: Games): number {
    if (!this.#running || this.#speed !== "fast" || !this.#looksAhead(games) || games.deadLanes.length > 0) return 1;
    const left = this.#goal?.unit === "steps" ? this.#goal.count - this.#asked : Number.POSITIVE_INFINITY;
    return Math.min(games.rowsPerRequest, left);
  }

  #actions({ description: { actions }, numEnvs }: Games): number[] {
    const player = this.#player;
    return Array.from({ length: numEnvs }, (_, lane) => (lane === this.watched ? player : randomAgent).choose(actions));
  }

  /** Records the results of a request, which count towards `goal`. */
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

  /** Sends a request to the games and uses its result, unless the games are replaced meanwhile. */
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
      // All requests to a dead worker fail. The first failure is reported; failures of replaced games are ignored.
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

  /** Drops the games and their state. */
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
