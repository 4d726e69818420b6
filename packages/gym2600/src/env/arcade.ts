/** The Arcade Learning Environment's `ALEInterface`. */

import { WasmArcade } from "../../wasm/gym2600_wasm.js";
import { type ActionName, actionNames } from "../actions.js";
import { copyOptions, frozen, namedOptions } from "../arguments.js";
import { newPicture, pixelsOf } from "../buffers/observation-buffers.js";
import { checkDefinition } from "../definition.js";
import { checkCreated, Gym2600Error, shown } from "../errors.js";
import { romBytes } from "../rom.js";
import type { ArcadeDescription, ArcadeOptions as OptionsWithoutRom } from "../schema/gym.js";
import { actionNumber } from "../spaces.js";
import type { ActionValue, ConsoleSwitches, Picture, RomSource, Written } from "../types.js";
import { Handle } from "../wasm-instance.js";
import { compiledModule, instance, instantiated } from "../wasm-module.js";
import { ACCESSORS, checkRam, checkState, checkStrength, switchesOf } from "./accessors.js";

/** How an arcade is set up. Everything but `rom` may be left out. */
export interface ArcadeOptions extends Written<OptionsWithoutRom> {
  /** The cartridge. */
  readonly rom: RomSource;
}

/** Options of {@link Arcade.act}. */
export interface ActOptions {
  /** How fast paddles turn, 0 to 1 of their speed; 1 unless given. Other controllers ignore it. */
  readonly paddleStrength?: number | undefined;
  /**
   * The second player's action, by its name or its number from 0 to 17; `NOOP` unless given. ALE numbers the second player's actions from
   * 18 to 35 in the same order, and ale-py always gives the first of them. Each player's action sticks by itself.
   */
  readonly playerB?: ActionValue | ActionName | undefined;
  /** How fast the second player's paddle turns; 1 unless given. */
  readonly paddleStrengthB?: number | undefined;
}

/**
 * A console with a game and no wrappers: ALE's `ALEInterface`, call for call and byte for byte.
 *
 * ```ts
 * import { Arcade, wallop } from "gym2600";
 *
 * const arcade = await Arcade.create({ rom: wallop, seed: 123, repeatActionProbability: 0.25 });
 * arcade.resetGame();
 * let score = 0;
 * while (!arcade.gameOver) score += arcade.act("FIRE");
 * arcade.close();
 * ```
 *
 * Every method but `create` is synchronous. A refused call changes nothing. Methods that give bytes write to `into` if that is
 * given, otherwise to a new array; either is the caller's.
 */
export class Arcade {
  /** The description of the game, as plain data. */
  readonly description: ArcadeDescription;

  readonly #handle: Handle<WasmArcade>;

  private constructor(handle: Handle<WasmArcade>, description: ArcadeDescription) {
    checkCreated(handle instanceof Handle);
    this.#handle = handle;
    this.description = description;
  }

  /**
   * Loads a game and resets it once, as ALE does.
   *
   * @throws Gym2600Error `bad-rom`, `bad-rom-size`, `unknown-rom`, `bad-game`, `bad-option`, `wasm-failed`
   */
  static async create(options: ArcadeOptions): Promise<Arcade> {
    const { rom: source, ...settings } = copyOptions(options);
    checkDefinition(settings.game);
    const rom = await romBytes(source);
    await instantiated(compiledModule());
    const handle = new Handle(instance, () => new WasmArcade(rom, settings));
    return new Arcade(handle, frozen(handle.run((arcade) => arcade.description() as ArcadeDescription)));
  }

  /**
   * A copy of the arcade with all its state and generators. It is independent of this one and has to be closed too.
   *
   * @throws Gym2600Error `closed`
   */
  clone(): Arcade {
    // Outside of the call: a wrong `this` is no trap of the instance.
    const original = this.#handle;
    const handle = new Handle(instance, () => original.run((arcade) => arcade.fork()));
    return new Arcade(handle, this.description);
  }

  /**
   * Starts an episode. Memory and generators keep their state, as in ALE.
   *
   * @throws Gym2600Error `closed`; `bad-game` if the mode of a definition is never reached
   */
  resetGame(): void {
    this.#handle.run((arcade) => arcade.resetGame());
  }

  /**
   * Plays an action, by its name or its number from 0 to 17, for `frameSkip` frames and gives the reward. After the end of an episode it does
   * nothing.
   *
   * @throws Gym2600Error `bad-action` for an unknown action or an impossible strength; `closed`
   */
  act(action: ActionValue | ActionName, options: ActOptions = {}): number {
    const given = namedOptions(options, "paddleStrength", "playerB", "paddleStrengthB");
    const { paddleStrength = 1, playerB = 0, paddleStrengthB = 1 } = given;
    const [first, second] = [numberOf(action), numberOf(playerB)];
    checkStrength(paddleStrength);
    checkStrength(paddleStrengthB);
    return this.#handle.run((arcade) => arcade.act(first, paddleStrength, second, paddleStrengthB));
  }

  /** Lives left; 0 in games without lives. */
  get lives(): number {
    return this.#handle.run((arcade) => arcade.lives());
  }

  /** Whether the game is over by its own rules. */
  get gameOver(): boolean {
    return this.#handle.run((arcade) => arcade.gameOver());
  }

  /** Whether the options end the episode: too many frames, or a life lost. */
  get gameTruncated(): boolean {
    return this.#handle.run((arcade) => arcade.gameTruncated());
  }

  /** Frames played since the game was loaded. */
  get frameNumber(): number {
    return this.#handle.run((arcade) => arcade.frameNumber());
  }

  /** Frames played since the last reset; in games that select a mode, the frames of the selection count too. */
  get episodeFrameNumber(): number {
    return this.#handle.run((arcade) => arcade.episodeFrameNumber());
  }

  /** The action that the last frame executed: the one of the last act, or a repeated one. */
  get lastAction(): ActionName {
    return ACCESSORS.lastAction(this.#handle);
  }

  /** The variables of the game's rules after the last frame; see `Game.variables`. @throws Gym2600Error `closed` */
  variables(): Record<string, number> {
    return ACCESSORS.variables(this.#handle);
  }

  /** The mode that the next reset selects. */
  get mode(): number {
    return this.#handle.run((arcade) => arcade.mode());
  }

  /** The difficulty. */
  get difficulty(): number {
    return this.#handle.run((arcade) => arcade.difficulty());
  }

  /**
   * Chooses the mode that the next reset selects, one of `description.modes`.
   *
   * @throws Gym2600Error `bad-option`, `closed`
   */
  setMode(mode: number): void {
    this.#choose("mode", this.description.modes, mode);
    this.#handle.run((arcade) => arcade.setMode(mode));
  }

  /**
   * Sets the difficulty switches from the next frame on, to one of `description.difficulties`.
   *
   * @throws Gym2600Error `bad-option`, `closed`
   */
  setDifficulty(difficulty: number): void {
    this.#choose("difficulty", this.description.difficulties, difficulty);
    this.#handle.run((arcade) => arcade.setDifficulty(difficulty));
  }

  /** The console's memory, 128 bytes. @throws Gym2600Error `bad-buffer`, `closed` */
  ram(into?: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    return ACCESSORS.ram(this.#handle, into);
  }

  /** Writes a byte of the memory: `index` from 0 to 127, `value` from 0 to 255. @throws Gym2600Error `bad-option`, `closed` */
  setRam(index: number, value: number): void {
    checkRam(index, value);
    ACCESSORS.setRam(this.#handle, index, value);
  }

  /**
   * Sets the console's buttons and switches for every act from now on; those that are left out are not touched. A reset presses what the
   * game needs and nothing else, and a saved state does not have them.
   *
   * @throws Gym2600Error `bad-option`, `closed`
   */
  setSwitches(switches: ConsoleSwitches): void {
    ACCESSORS.setSwitches(this.#handle, switchesOf(switches));
  }

  /** The picture as palette indices, height * width. @throws Gym2600Error `bad-buffer`, `closed` */
  screen(into?: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    return ACCESSORS.screen(this.#handle, into);
  }

  /** The picture in ALE's grey, height * width. @throws Gym2600Error `bad-buffer`, `closed` */
  screenGrey(into?: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    return ACCESSORS.screenGrey(this.#handle, into);
  }

  /** The picture as red, green and blue, height * width * 3. @throws Gym2600Error `bad-buffer`, `closed` */
  screenRgb(into?: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    return ACCESSORS.screenRgb(this.#handle, into);
  }

  /** The picture as an `ImageData`, or in Node as an object with the same fields; see `Game.render`. */
  render(into: Picture = newPicture(this.description.screen)): Picture {
    ACCESSORS.render(this.#handle, pixelsOf(into, this.description.screen));
    return into;
  }

  /**
   * The sound of the last act, as ALE's `getAudio`: 512 samples of eight bits, 128 being silence, 30,720 of them a second
   * (25,600 on PAL) at the speed of the console. They are 0 before the first act, and there are none without `soundObs`.
   *
   * @throws Gym2600Error `closed`
   */
  audio(): Uint8Array<ArrayBuffer> {
    return ACCESSORS.audio(this.#handle);
  }

  /**
   * The state as bytes, which are the caller's. With `generators`, the default, every run from it is the same. Without them sticky
   * actions go on as they are: their generator and the last action are not in it. It is ALE's `cloneState`, and has the picture and
   * with `generators` the last action too, which ALE's states lack.
   *
   * @throws Gym2600Error `bad-option`, `closed`
   */
  save(options: { readonly generators?: boolean | undefined } = {}): Uint8Array<ArrayBuffer> {
    const { generators = true } = namedOptions(options, "generators");
    if (typeof generators !== "boolean") {
      throw new Gym2600Error("bad-option", `generators: ${shown(generators)} is no boolean`);
    }
    return this.#handle.run((arcade) => arcade.save(generators)) as Uint8Array<ArrayBuffer>;
  }

  /**
   * Restores a state that {@link save} gave an arcade of the same ROM, in any process, with or without generators. The bytes stay
   * the caller's.
   *
   * @throws Gym2600Error `bad-saved-state`, `closed`
   */
  restore(state: Uint8Array): void {
    checkState(state);
    this.#handle.run((arcade) => arcade.restore(state));
  }

  /** Frees the arcade's memory. Calls after the first do nothing; everything but `description` then throws `closed`. */
  close(): void {
    this.#handle.close();
  }

  /** {@link close}, for `using`. */
  [Symbol.dispose](): void {
    this.close();
  }

  #choose(what: string, known: readonly number[], value: number): void {
    if (known.includes(value)) return;
    const { rom } = this.description;
    throw new Gym2600Error("bad-option", `unknown ${what} ${shown(value)} of ${rom}: it has ${known.join(", ")}`);
  }
}

/** The number of an action that is given by its number or its name. */
function numberOf(action: ActionValue | ActionName): number {
  if (typeof action !== "string") return actionNumber(action);
  const number = actionNames.indexOf(action);
  if (number >= 0) return number;
  throw new Gym2600Error(
    "bad-action",
    `there is no action named ${shown(action)}: the names are ${actionNames.join(", ")}`,
  );
}
