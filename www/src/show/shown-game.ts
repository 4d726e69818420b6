/**
 * What the show plays: the environment of a setup, or that of a training game from its state on.
 *
 * A decision is a step of the environment. The frames of the step are what a display shows of it, at the console's rate. What the
 * agent sees at a decision is the step's observation.
 */

import {
  type ConsoleSwitches,
  type Frame,
  Game,
  type GameDescription,
  type Observation,
  type Picture,
  type ResetResult,
} from "gym2600";
import type { GameInfo } from "./protocol.js";
import type { EnvironmentOptions, PlayedLog, PlayedRun, SavedGame } from "./types.js";

/** What a decision did. */
export interface Outcome {
  /** Its frames. */
  readonly frames: readonly Frame[];
  readonly reward: number;
  /** What ended with it. */
  readonly ended: "life" | "game" | undefined;
  /** The game's score after it; undefined if it is not known. */
  readonly score: number | undefined;
  /** The lives after it, before the next game. */
  readonly lives: number;
  /** The frames with which the next game or life begins, after an end. */
  readonly next: readonly Frame[];
}

/** The most decisions of a log. */
const MOST_LOGGED = 100_000;

/** Seeds are below this: native vector environments take no larger ones. */
const SEEDS = 2 ** 31;

export class ShownGame {
  readonly info: GameInfo;
  /** Red, green, blue and 255 of each palette index. */
  readonly palette: Uint8Array<ArrayBuffer>;
  lives = 0;
  /** The score, or a part of it: see {@link SavedGame.partial}. */
  score = 0;
  #partial: boolean;
  readonly #game: Game;
  readonly #picture: Picture;
  #observation: Observation;
  #seed: number;
  #switches: ConsoleSwitches = {};
  /** What has been played since the last seeded beginning; undefined after a jump to another moment, or when it is too long. */
  #log: PlayedLog | undefined;

  private constructor(game: Game, seed: number, state: Uint8Array | undefined) {
    game.keepFrames();
    this.#game = game;
    this.#seed = seed;
    this.#picture = game.render();
    this.info = infoOf(game.description);
    this.palette = game.palette();
    this.#partial = state !== undefined;
    this.#log = state === undefined ? this.#beginLog() : undefined;
    this.#observation = this.#observe(state === undefined ? game.reset() : game.restore(state));
    this.score = pointsOf(game.frames());
  }

  /**
   * Opens a game, at its beginning or in a state of an environment with the same options.
   *
   * @throws Gym2600Error with the reason if the game cannot be played with these options
   */
  static async open(
    rom: Uint8Array<ArrayBuffer>,
    options: EnvironmentOptions,
    seed: number,
    state?: Uint8Array,
  ): Promise<ShownGame> {
    return new ShownGame(await Game.create({ rom, ...options, seed, soundObs: true }), seed, state);
  }

  /** Moves the console's switches, from the next decision on. */
  moveSwitches(switches: ConsoleSwitches): void {
    if (JSON.stringify(switches) === JSON.stringify(this.#switches)) return;
    this.#game.setSwitches(switches);
    this.#switches = switches;
    const run = this.#log?.runs.at(-1);
    run?.switches.push({ step: run.actions.length + 1, ...switches });
  }

  /** Takes a decision. A paddle turns at `strength` of its speed. After an end the next game or life begins. */
  step(action: number, paddleStrength = 1): Outcome {
    const result = this.#game.step(action, { paddleStrength });
    this.#note(action, paddleStrength);
    this.#observe(result);
    const { rawReward: reward, terminated, truncated, info } = result;
    const all = this.#game.frames();
    const score = this.score + reward;
    const known = this.#partial ? undefined : score;
    const lives = info.finalInfo?.lives ?? info.lives;
    if (!terminated && !truncated) {
      this.score = score;
      return { frames: all, reward, ended: undefined, score: known, lives, next: [] };
    }
    const over = info.realDone !== false;
    // Some environments begin again in the same step.
    const last = info.finalInfo?.frameNumber;
    const frames = all.filter((frame) => last === undefined || frame.info.frameNumber <= last);
    const next = last === undefined ? this.#begin() : all.slice(frames.length);
    this.score = (over ? 0 : score) + pointsOf(next);
    if (over) this.#partial = false;
    return { frames, reward, ended: over ? "game" : "life", score: known, lives, next };
  }

  /** Starts a new game, and gives the frames with which it begins. A seed starts it also where a life has ended, but not the game. */
  newGame(): readonly Frame[] {
    this.#seed = (this.#seed + 1) % SEEDS;
    this.#observe(this.#game.reset({ seed: this.#seed }));
    this.#log = this.#beginLog();
    const frames = this.#game.frames();
    this.score = pointsOf(frames);
    this.#partial = false;
    return frames;
  }

  /** What the agent sees now: frames x height x width, the oldest first. A new array. */
  stack(): Uint8Array<ArrayBuffer> | undefined {
    const { shape, wrappers } = this.info;
    if (shape === undefined) return undefined;
    const [frames, height, width] = shape;
    const [stack, pixels] = [new Uint8Array(frames * height * width), height * width];
    const scale = this.#observation instanceof Float32Array ? 255 : 1;
    const framesLast = wrappers.some(({ type, axis }) => type === "QueueFrames" && axis === "last");
    for (let at = 0; at < stack.length; at++) {
      const from = framesLast ? (at % pixels) * frames + Math.floor(at / pixels) : at;
      stack[at] = Math.round((this.#observation[from] ?? 0) * scale);
    }
    return stack;
  }

  /** A picture of palette indices in colour, which the next call overwrites. */
  picture(screen: Uint8Array): Picture {
    const colours = new Uint32Array(this.palette.buffer);
    const pixels = new Uint32Array(this.#picture.data.buffer);
    for (let at = 0; at < pixels.length; at++) pixels[at] = colours[screen[at] ?? 0] ?? 0;
    return this.#picture;
  }

  /** The console's picture as palette indices. A new array. */
  screen(): Uint8Array<ArrayBuffer> {
    return this.#game.screen();
  }

  /** The console's memory. A new array. */
  ram(): Uint8Array<ArrayBuffer> {
    return this.#game.ram();
  }

  save(): SavedGame {
    return { state: this.#game.save(), score: this.score, partial: this.#partial };
  }

  /** @throws Gym2600Error `bad-saved-state` for a state of other options */
  restore({ state, score, partial }: SavedGame): void {
    this.#observe(this.#game.restore(state));
    this.#log = undefined;
    this.score = score;
    this.#partial = partial;
  }

  /** What has been played since the last new game, for a replay; undefined where that is not known. */
  get log(): PlayedLog | undefined {
    return this.#log;
  }

  close(): void {
    this.#game.close();
  }

  /** Begins the next game or life after an end. */
  #begin(): readonly Frame[] {
    if (this.#game.description.resetsItself) {
      this.#observe(this.#game.step(0));
      this.#note(0, 1);
    } else {
      this.#observe(this.#game.reset());
      this.#log?.runs.push(this.#beginRun());
    }
    return this.#game.frames();
  }

  #beginLog(): PlayedLog {
    return { seed: this.#seed, steps: 0, runs: [this.#beginRun()] };
  }

  /** A run that begins with the switches as they are. */
  #beginRun(): PlayedRun {
    const untouched = Object.keys(this.#switches).length === 0;
    return { actions: [], paddleStrengths: [], switches: untouched ? [] : [{ step: 0, ...this.#switches }] };
  }

  #note(action: number, paddleStrength: number): void {
    if (this.#log === undefined) return;
    const run = this.#log.runs.at(-1);
    run?.actions.push(action);
    run?.paddleStrengths.push(paddleStrength);
    this.#log.steps += 1;
    if (this.#log.steps > MOST_LOGGED) this.#log = undefined;
  }

  #observe({ observation, info }: ResetResult): Observation {
    this.#observation = observation;
    this.lives = info.lives;
    return observation;
  }
}

function pointsOf(frames: readonly Frame[]): number {
  return frames.reduce((sum, { reward }) => sum + reward, 0);
}

function infoOf(description: GameDescription): GameInfo {
  const { rom, title, md5, tv, screen, actions, modes, difficulties, givesRewards, spec } = description;
  const { wrappers } = spec;
  const [skip, shape] = [description.framesPerStep, shapeOf(description)];
  return { rom, title, md5, tv, screen, actions, modes, difficulties, wrappers, skip, givesRewards, shape };
}

/** Frames, height and width of a stack of grey pictures. */
function shapeOf({ observation, spec }: GameDescription): GameInfo["shape"] {
  const queue = spec.wrappers.find((wrapper) => wrapper.type === "QueueFrames");
  const image = spec.wrappers.find((wrapper) => wrapper.type === "ImagePreprocessing");
  if (image === undefined || image.grey === null) return undefined;
  const { shape } = observation;
  const [first = 0, second = 0, third = 0] = shape;
  if (queue === undefined) return shape.length === 2 ? [1, first, second] : undefined;
  if (shape.length !== 3) return undefined;
  return queue.axis === "last" ? [third, first, second] : [first, second, third];
}
