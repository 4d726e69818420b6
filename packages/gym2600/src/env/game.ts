/** One environment in this thread. */

import type { ActionName } from "../actions.js";
import { copyOptions, namedOptions } from "../arguments.js";
import { bytesOf, checkObservation, newObservation, newPicture, pixelsOf } from "../buffers/observation-buffers.js";
import { checkCreated, Gym2600Error, shown } from "../errors.js";
import { romBytes } from "../rom.js";
import { actionNumber, type Box, checkSeed, Discrete, spaceOf } from "../spaces.js";
import type {
  ActionValue,
  ConsoleSwitches,
  Frame,
  GameDescription,
  GameOptions,
  Observation,
  Picture,
  ResetResult,
  StepResult,
} from "../types.js";
import { compiledModule } from "../wasm-module.js";
import { ACCESSORS, checkRam, checkState, checkStrength, switchesOf } from "./accessors.js";
import { Lane, LaneState } from "./lane.js";
import { infoAt, newRecords, resultAt } from "./step-record.js";

/** Options of {@link Game.reset}. */
export interface ResetOptions {
  /** Starts the environment's generators from this seed; without one they keep their state. */
  readonly seed?: number | undefined;
  /** Where to write the observation; see {@link Game.step}. */
  readonly into?: Observation | undefined;
}

/** Options of {@link Game.step}. */
export interface StepOptions {
  /** How fast paddles turn, 0 to 1 of their speed; 1 unless given. Other controllers ignore it. */
  readonly paddleStrength?: number | undefined;
  /** Where to write the observation; see {@link Game.step}. */
  readonly into?: Observation | undefined;
}

/** Options of {@link Game.restoreState}. */
export interface RestoreStateOptions {
  /** Where to write the observation; see {@link Game.step}. */
  readonly into?: Observation | undefined;
}

/**
 * A state that {@link Game.cloneState} gave, in the memory of this thread's WebAssembly instance. It is not compressed and takes some 200 KB;
 * `Game.save` gives bytes for files and other threads.
 *
 * Close a state that is not needed any more. The memory of a forgotten one is freed with the garbage, at the earliest when the running task ends.
 */
export interface GameState {
  /** Frees the memory. Calls after the first do nothing. */
  close(): void;
  /** {@link close}, for `using`. */
  [Symbol.dispose](): void;
}

/**
 * One environment in this thread: a console with a game, and the wrappers of its preset.
 *
 * ```ts
 * import { Game, wallop } from "gym2600";
 *
 * const game = await Game.create({ rom: wallop, preset: "labml", seed: 0 });
 * game.reset();
 * const { observation, reward, terminated, truncated, info } = game.step(1);
 * game.close();
 * ```
 *
 * Every method but `create` is synchronous. A refused call changes nothing.
 *
 * **Who owns a buffer.** The arrays of a result are the caller's, without limit of time: they are new, or the array that was
 * passed as `into`. The environment keeps none of them.
 */
export class Game {
  /** The description of the game, as plain data. */
  readonly description: GameDescription;
  /** The space of its observations. */
  readonly observationSpace: Box;
  /** The space of its actions: numbers, named by `description.actions`. Seeds of the environment seed its samples too. */
  readonly actionSpace: Discrete;
  /** A copy of the option `game`, if it was given. */
  readonly definition: GameOptions["game"];

  readonly #lane: Lane;
  /** The record of the last call, from which results are copied. A new array for each step is slower. */
  readonly #records = newRecords(1);

  private constructor(lane: Lane, definition: GameOptions["game"], actionSpace?: Discrete) {
    checkCreated(lane instanceof Lane);
    this.#lane = lane;
    this.definition = definition;
    const description = lane.description;
    this.description = description;
    this.observationSpace = spaceOf(description);
    this.actionSpace = actionSpace ?? new Discrete(description.actions.length);
  }

  /**
   * Loads a game. The first call in a thread loads and compiles the WebAssembly module.
   *
   * @throws Gym2600Error `bad-rom`, `bad-rom-size`, `unknown-rom`, `bad-game`, `bad-option`, `wasm-failed`
   */
  static async create(options: GameOptions): Promise<Game> {
    const { rom, ...rest } = copyOptions(options);
    const game = new Game(await Lane.open(await romBytes(rom), rest, compiledModule()), rest.game);
    // An option may be null for its default, and a bigint.
    const { seed } = rest;
    if (seed !== undefined && seed !== null) game.actionSpace.seed(Number(seed));
    return game;
  }

  /**
   * Another game in this thread that plays on as this one, byte for byte. Neither changes the other, and both have to be closed. It has no
   * sound and no frames until its first step.
   *
   * @throws Gym2600Error `closed`, `out-of-memory`
   */
  clone(): Game {
    return new Game(this.#lane.clone(), this.definition, this.actionSpace.clone());
  }

  /**
   * Starts an episode and gives its first observation.
   *
   * @throws Gym2600Error `bad-option`, `bad-buffer`, `closed`
   */
  reset(options: ResetOptions = {}): ResetResult {
    const { seed, into } = namedOptions(options, "seed", "into");
    const observation = this.#target(into);
    if (seed !== undefined) checkSeed(seed);
    this.#lane.reset(seed, this.#records, 0);
    if (seed !== undefined) this.actionSpace.seed(seed);
    this.#lane.observe(bytesOf(observation));
    return { observation, info: infoAt(this.#records, 0) };
  }

  /**
   * Takes one step. The preset decides what a step after an episode's end does.
   *
   * A loop that needs only the latest observation passes the same array as `into` each time.
   *
   * @throws Gym2600Error `bad-action`, `bad-buffer`, `bad-state`, `closed`
   */
  step(action: ActionValue, options: StepOptions = {}): StepResult {
    const { into, paddleStrength = 1 } = namedOptions(options, "into", "paddleStrength");
    const observation = this.#target(into);
    const number = actionNumber(action);
    checkStrength(paddleStrength);
    this.#lane.step(number, this.#records, 0, paddleStrength);
    this.#lane.observe(bytesOf(observation));
    return { observation, ...resultAt(this.#records, 0) };
  }

  /**
   * The console's picture as it is now, for `context.putImageData`. In browsers and workers it is an `ImageData`; Node has no
   * such class and gives an object with the same fields. It is `into`, filled again, if that is given, otherwise a new one;
   * either is the caller's.
   *
   * @throws Gym2600Error `bad-buffer`, `closed`
   */
  render(into: Picture = newPicture(this.description.screen)): Picture {
    ACCESSORS.render(this.#lane, pixelsOf(into, this.description.screen));
    return into;
  }

  /**
   * The console's picture as palette indices, height * width of `description.screen`, independent of the wrappers. It is written
   * to `into` if that is given, otherwise to a new array.
   *
   * @throws Gym2600Error `bad-buffer`, `closed`
   */
  screen(into?: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    return ACCESSORS.screen(this.#lane, into);
  }

  /** The console's picture in ALE's grey, height * width. @throws Gym2600Error `bad-buffer`, `closed` */
  screenGrey(into?: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    return ACCESSORS.screenGrey(this.#lane, into);
  }

  /** The console's picture as red, green and blue, height * width * 3. @throws Gym2600Error `bad-buffer`, `closed` */
  screenRgb(into?: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    return ACCESSORS.screenRgb(this.#lane, into);
  }

  /** The console's memory, 128 bytes. @throws Gym2600Error `bad-buffer`, `closed` */
  ram(into?: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    return ACCESSORS.ram(this.#lane, into);
  }

  /**
   * Writes a byte of the console's memory: `index` from 0 to 127, `value` from 0 to 255. A reset with a seed
   * starts from a new console and loses it.
   *
   * @throws Gym2600Error `bad-option`, `closed`
   */
  setRam(index: number, value: number): void {
    checkRam(index, value);
    ACCESSORS.setRam(this.#lane, index, value);
  }

  /**
   * Sets the console's buttons and switches for every step from now on; those that are left out are not touched. A reset presses what the
   * game needs and nothing else, and a saved state does not have them.
   *
   * @throws Gym2600Error `bad-option`, `closed`
   */
  setSwitches(switches: ConsoleSwitches): void {
    ACCESSORS.setSwitches(this.#lane, switchesOf(switches));
  }

  /** The action that the console's last frame executed: the one it was given, or a repeated one. */
  get lastAction(): ActionName {
    return ACCESSORS.lastAction(this.#lane);
  }

  /**
   * The variables of the game's rules after the last frame, by name: `score` and `lives` in most games, and what else the definition names,
   * such as `x = ram[0x8A]`. Of a game that has begun again they are the new one's. The object is the caller's.
   */
  variables(): Record<string, number> {
    return ACCESSORS.variables(this.#lane);
  }

  /**
   * The sound of all frames of the last step or reset, one after the other: 512 samples of eight bits for each, 128 being
   * silence, of at most 10,000 frames; 30,720 of them a second (25,600 on PAL) at the speed of the console. Each frame's are those
   * of ALE's `getAudio` with a frame skip of 1. Empty without the option `soundObs`. The array is the caller's.
   *
   * @throws Gym2600Error `closed`
   */
  audio(): Uint8Array<ArrayBuffer> {
    return ACCESSORS.audio(this.#lane);
  }

  /**
   * Keeps the frames of each step and reset from now on, for {@link frames}. It changes no observation, reward or state. It costs the
   * drawing and copying of the frames that no observation shows.
   *
   * @throws Gym2600Error `closed`
   */
  keepFrames(): void {
    ACCESSORS.keepFrames(this.#lane);
  }

  /**
   * The frames of the last step or reset, the oldest first: those that a wrapper skips, and the no-ops and presses of FIRE of a reset,
   * too. None without {@link keepFrames}, and after {@link restore}. A step has up to 10,000 frames; the newest 600 are kept.
   *
   * ```ts
   * import { Game, wallop } from "gym2600";
   *
   * const game = await Game.create({ rom: wallop, soundObs: true });
   * game.keepFrames();
   * game.reset();
   * game.step(1);
   * for (const { screen, audio } of game.frames()) {
   *   // Shown and heard one after the other, 60 a second (50 on PAL).
   *   console.log(screen.length, audio.length);
   * }
   * game.close();
   * ```
   *
   * The frames in which the game itself resets are not among them. After the game's end the console stands still, and the frames that
   * a wrapper goes on to play repeat the last one.
   *
   * @throws Gym2600Error `closed`
   */
  frames(): Frame[] {
    return ACCESSORS.frames(this.#lane);
  }

  /**
   * The colours of the palette indices that {@link screen} and {@link frames} have: red, green, blue and 255 for each of 256, so that a
   * `Uint32Array` over it has a pixel of a {@link Picture} for each index. The array is the caller's.
   *
   * @throws Gym2600Error `closed`
   */
  palette(): Uint8Array<ArrayBuffer> {
    return ACCESSORS.palette(this.#lane);
  }

  /**
   * The complete state as bytes: console, generators, wrappers and statistics. A game of the same ROM and options, in any
   * process, continues from it with the same bytes, and the same play gives the same state on every platform. The array is the
   * caller's.
   *
   * @throws Gym2600Error `closed`
   */
  save(): Uint8Array<ArrayBuffer> {
    return ACCESSORS.save(this.#lane);
  }

  /**
   * Restores a state that {@link save} gave, and gives its observation and info. The bytes stay the caller's and can be restored again.
   *
   * @throws Gym2600Error `bad-saved-state` for bytes of another ROM, other options or no state at all; `closed`
   */
  restore(state: Uint8Array): ResetResult {
    checkState(state);
    const observation = this.#target(undefined);
    ACCESSORS.restore(this.#lane, state);
    this.#lane.info(this.#records, 0);
    this.#lane.observe(bytesOf(observation));
    return { observation, info: infoAt(this.#records, 0) };
  }

  /**
   * The complete state in memory, for {@link restoreState}: as {@link save}, in microseconds, because it is not compressed.
   *
   * ```ts
   * import { Game, wallop } from "gym2600";
   *
   * const game = await Game.create({ rom: wallop });
   * game.reset();
   * const start = game.cloneState();
   * for (const action of game.description.actions.keys()) {
   *   game.restoreState(start);
   *   console.log(action, game.step(action).reward);
   * }
   * start.close();
   * game.close();
   * ```
   *
   * @throws Gym2600Error `closed`, `out-of-memory`
   */
  cloneState(): GameState {
    return this.#lane.cloneState();
  }

  /**
   * Goes back to a state that {@link cloneState} gave, of this game or another one in this thread with the same ROM and options, and gives
   * its observation and info. The state can be restored again.
   *
   * @throws Gym2600Error `bad-saved-state` for a state of another ROM or other options, or none at all; `bad-buffer`, `closed`
   */
  restoreState(state: GameState, options: RestoreStateOptions = {}): ResetResult {
    const { into } = namedOptions(options, "into");
    if (!(state instanceof LaneState)) {
      throw new Gym2600Error("bad-saved-state", `a state in memory is one that cloneState gave, not ${shown(state)}`);
    }
    const observation = this.#target(into);
    this.#lane.copyFrom(state);
    this.#lane.info(this.#records, 0);
    this.#lane.observe(bytesOf(observation));
    return { observation, info: infoAt(this.#records, 0) };
  }

  /** Frees the console's memory. Calls after the first do nothing; every other method then throws `closed`. */
  close(): void {
    this.#lane.close();
  }

  /** {@link close}, for `using`. */
  [Symbol.dispose](): void {
    this.close();
  }

  #target(into: Observation | undefined): Observation {
    if (into !== undefined) checkObservation(into, this.observationSpace);
    return into ?? newObservation(this.observationSpace);
  }
}
