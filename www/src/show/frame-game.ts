/**
 * A game that is played frame by frame, with the agent's view of it.
 *
 * The environment of a setup skips frames, so its pictures come 15 times a second. Here the console runs every frame. Wrappers inside
 * the skip run as in the environment. What those around it do is done by this class: the stack has every `skip`-th frame, and the
 * actions of `EpisodicLife` and `FireReset` follow a lost life or a reset. At a decision the stack has the bytes of the setup's
 * environment, in every preset and in the learner's list. Two exceptions: `nature-dqn` begins a life with a single frame, and this class
 * with the maximum of two; and where the environment draws the number of frames, this class takes the least.
 */

import { Game, type GameOptions, type Picture, type WrapperOptions } from "gym2600";
import type { GameInfo } from "./protocol.js";
import type { FrameResult, LostLife, ShownGame } from "./shown-game.js";
import type { EnvironmentOptions, SavedGame } from "./types.js";

/** Wrappers that this class stands for, or that change only numbers it does not use. */
const OUTSIDE = new Set<WrapperOptions["type"]>([
  "EpisodicLife",
  "QueueFrames",
  "ClipReward",
  "ScaledFloat",
  "AutoReset",
  "EpisodeStatistics",
]);

/** Values of `shows` whose observation is one frame. */
const SINGLE = new Set<string>(["last", "lastWithoutEndingFrame"]);

/** What the environment of a setup does around single frames. */
interface Around {
  readonly skip: number;
  readonly frames: number;
  /** Whether a reset leaves the older places of the stack black. */
  readonly blank: boolean;
  /** Which losses of a life end an episode of the agent. */
  readonly losses: "none" | "livesLeft" | "any";
  readonly lostLife: LostLife;
  /** Actions that begin an episode, one a frame. */
  readonly afterReset: readonly number[];
  readonly afterLife: readonly number[];
}

export class FrameGame implements ShownGame {
  readonly info: GameInfo;
  readonly framesPerCall = 1;
  readonly partial = false;
  readonly #around: Around;
  lives = 0;
  score = 0;
  /** Frames since the stack was filled by a reset. */
  #since = 0;
  #newest = 0;
  readonly #game: Game;
  readonly #ring: Uint8Array<ArrayBuffer>[];
  readonly #picture: Picture;
  /** Actions for the next frames, which the wrappers decide and not the player. */
  #forced: number[] = [];

  private constructor(game: Game, info: GameInfo, around: Around) {
    this.#game = game;
    this.info = info;
    this.#around = around;
    const { size } = game.observationSpace;
    this.#ring = Array.from({ length: around.skip * (around.frames - 1) + 1 }, () => new Uint8Array(size));
    this.#picture = game.render();
    this.reset();
  }

  /** @throws Gym2600Error with the reason if the game cannot be played with these options */
  static async open(rom: Uint8Array<ArrayBuffer>, options: EnvironmentOptions, seed: number): Promise<FrameGame> {
    const whole = await Game.create({ rom, ...options, seed });
    const { description } = whole;
    whole.close();
    const { spec } = description;
    const shaped = shapeOf(description.observation.shape, spec.wrappers, description.observation.dtype);
    const inner: GameOptions = {
      rom,
      seed,
      wrappers: singleFrames(spec.wrappers),
      seeding: spec.seeding,
      autoreset: "disabled",
      soundObs: true,
      observation: spec.observation,
      maxFramesPerEpisode: spec.maxFramesPerEpisode,
      fullActionSpace: spec.fullActionSpace,
      ...(options.game === undefined ? undefined : { game: options.game }),
      ...(spec.mode === null ? undefined : { mode: spec.mode }),
      ...(spec.difficulty === null ? undefined : { difficulty: spec.difficulty }),
    };
    const around = aroundOf(spec.wrappers, description.actions);
    const info: GameInfo = {
      rom: description.rom,
      title: description.title,
      md5: description.md5,
      tv: description.tv,
      screen: description.screen,
      actions: description.actions,
      modes: description.modes,
      difficulties: description.difficulties,
      wrappers: spec.wrappers,
      skip: around.skip,
      shape: shaped,
    };
    return new FrameGame(await Game.create(inner), info, around);
  }

  reset(): void {
    this.#newest = 0;
    const { info } = this.#game.reset({ into: this.#ring[0] as Uint8Array<ArrayBuffer> });
    this.lives = info.lives;
    this.score = 0;
    this.#since = 0;
    this.#forced = [...this.#around.afterReset];
  }

  get callsPerDecision(): number {
    return this.#around.skip;
  }

  get lostLife(): LostLife {
    return this.#around.lostLife;
  }

  get forced(): boolean {
    return this.#forced.length > 0;
  }

  beginLife(): void {
    this.#forced = [...this.#around.afterLife];
    if (this.#forced.length === 0) this.#since = 0;
  }

  releaseForced(): void {
    this.#forced = [];
  }

  /** Runs a frame. `action` counts unless the wrappers decide. */
  frame(action: number, paddleStrength = 1): FrameResult {
    const forced = this.#forced.shift();
    this.#newest = (this.#newest + 1) % this.#ring.length;
    const into = this.#ring[this.#newest] as Uint8Array<ArrayBuffer>;
    const { reward, terminated, truncated, info } = this.#game.step(forced ?? action, { into, paddleStrength });
    this.#since += 1;
    this.score += reward;
    const { losses } = this.#around;
    const lostLife = info.lives < this.lives && (losses === "any" || (losses === "livesLeft" && info.lives > 0));
    this.lives = info.lives;
    const over = terminated || truncated;
    if (forced !== undefined && this.#forced.length === 0) this.#since = 0;
    return { reward, over, lostLife };
  }

  stack(): Uint8Array<ArrayBuffer> | undefined {
    const { shape } = this.info;
    if (shape === undefined) return undefined;
    const [frames, height, width] = shape;
    const stack = new Uint8Array(frames * height * width);
    for (let frame = 0; frame < frames; frame++) {
      const wanted = this.#around.skip * (frames - 1 - frame);
      if (this.#around.blank && wanted > this.#since) continue;
      const back = Math.min(wanted, this.#since);
      const place = (this.#newest - back + this.#ring.length * 2) % this.#ring.length;
      stack.set(this.#ring[place] as Uint8Array, frame * height * width);
    }
    return stack;
  }

  picture(): Picture {
    return this.#game.render(this.#picture);
  }

  screen(): Uint8Array<ArrayBuffer> {
    return this.#game.screen();
  }

  audio(): Uint8Array<ArrayBuffer> {
    return this.#game.audio();
  }

  save(): SavedGame {
    return {
      state: this.#game.save(),
      ring: this.#ring.map((frame) => frame.slice()),
      newest: this.#newest,
      since: this.#since,
      forced: [...this.#forced],
      lives: this.lives,
      score: this.score,
    };
  }

  restore(saved: SavedGame): void {
    this.#game.restore(saved.state);
    for (const [place, frame] of saved.ring.entries()) this.#ring[place]?.set(frame);
    this.#newest = saved.newest;
    this.#since = saved.since;
    this.#forced = [...saved.forced];
    this.lives = saved.lives;
    this.score = saved.score;
  }

  close(): void {
    this.#game.close();
  }
}

/**
 * The list for single frames. A maximum over two frames of a step becomes that over neighbours, and a limit in
 * decisions becomes one in frames.
 */
function singleFrames(wrappers: readonly WrapperOptions[]): WrapperOptions[] {
  return wrappers.flatMap((wrapper, place): WrapperOptions[] => {
    const frames = framesOf(wrappers, place);
    if (wrapper.type === "SkipFrames") return SINGLE.has(wrapper.shows ?? "last") ? [] : [{ type: "MaxBetweenFrames" }];
    if (wrapper.type === "TimeLimit") return [{ ...wrapper, steps: (wrapper.steps ?? 27_000) * frames }];
    // Inside the skip it plays single frames as here.
    if (wrapper.type === "FireReset") return frames === 1 ? [wrapper] : [];
    return OUTSIDE.has(wrapper.type) ? [] : [wrapper];
  });
}

/** Frames of a step of the wrappers before a place. */
function framesOf(wrappers: readonly WrapperOptions[], place: number): number {
  return wrappers
    .slice(0, place)
    .reduce((frames, wrapper) => (wrapper.type === "SkipFrames" ? frames * (wrapper.n ?? 4) : frames), 1);
}

function aroundOf(wrappers: readonly WrapperOptions[], actions: readonly string[]): Around {
  const find = <T extends WrapperOptions["type"]>(type: T) =>
    wrappers.find((wrapper): wrapper is Extract<WrapperOptions, { type: T }> => wrapper.type === type);
  const [life, fire, queue] = [find("EpisodicLife"), find("FireReset"), find("QueueFrames")];
  const skip = framesOf(wrappers, wrappers.length);
  const frames = (wrapper: WrapperOptions): number => framesOf(wrappers, wrappers.indexOf(wrapper));
  const held = (wrapper: WrapperOptions, action: number): number[] => new Array<number>(frames(wrapper)).fill(action);
  const presses =
    fire === undefined || actions[1] !== "FIRE"
      ? []
      : (fire.plays === "fireAndSecond" ? [1, 2] : [1]).flatMap((action) => held(fire, action));
  const noop = life === undefined || (life.restart ?? "noopStep") !== "noopStep" ? [] : held(life, 0);
  return {
    skip,
    frames: queue === undefined ? 1 : (queue.n ?? 4),
    blank: queue?.padding === "zero",
    losses: life === undefined ? "none" : (life.ends ?? "livesLeft"),
    lostLife: {
      cutsDecision: life !== undefined && frames(life) < skip,
      endsGame: life?.restart === "fullReset",
    },
    afterReset: fire !== undefined && frames(fire) > 1 ? presses : [],
    afterLife: [...noop, ...presses],
  };
}

/** Frames, height and width of a stack of grey pictures. */
function shapeOf(
  shape: readonly number[],
  wrappers: readonly WrapperOptions[],
  dtype: string,
): readonly [number, number, number] | undefined {
  const queue = wrappers.find((wrapper) => wrapper.type === "QueueFrames");
  const image = wrappers.find((wrapper) => wrapper.type === "ImagePreprocessing");
  const scaled = wrappers.some((wrapper) => wrapper.type === "ScaledFloat");
  if (image?.grey === null || image === undefined || (dtype !== "uint8" && !scaled)) return undefined;
  const [first = 0, second = 0, third = 0] = shape;
  if (queue === undefined) return shape.length === 2 ? [1, first, second] : undefined;
  if (shape.length !== 3) return undefined;
  return queue.axis === "last" ? [third, first, second] : [first, second, third];
}
