/** Rewards and ends as functions of the console's memory. */

import { namedOptions } from "../arguments.js";
import type { Game, ResetOptions, StepOptions } from "../env/game.js";
import { Gym2600Error, shown } from "../errors.js";
import type { Box, Discrete } from "../spaces.js";
import type { GameDescription, GameOptions, ResetResult, StepResult } from "../types.js";
import { checkGame } from "./environment.js";

/** A function of the console's memory after a step, and before it. The arrays are written again by the next step. */
export type OfRam<T> = (ram: Uint8Array<ArrayBuffer>, before: Uint8Array<ArrayBuffer>) => T;

/** The functions of a {@link RamGame}. */
export interface RamRules {
  /** The reward of a step, instead of the game's. */
  readonly reward?: OfRam<number> | undefined;
  /** Whether a step ends the episode. The game's own ends remain. */
  readonly terminated?: OfRam<boolean> | undefined;
}

/**
 * A `Game` whose reward and end are JavaScript functions of its 128 bytes of RAM, for quick experiments. The functions run in the calling
 * thread, once a step, so this is neither for workers nor for batches: a definition of the game (option `game`) serves those.
 *
 * ```ts
 * import { Game, RamGame, wallop } from "gym2600";
 *
 * const game = new RamGame(await Game.create({ rom: wallop, wrappers: [] }), {
 *   reward: (ram, before) => before[0x06] - ram[0x06], // bricks
 *   terminated: (ram) => ram[0x02] < 5, // balls
 * });
 * game.reset();
 * game.step(1);
 * game.close();
 * ```
 *
 * `info.episode` has the sum of these rewards, the steps and the frames. An exception of a function reaches the caller, and the step counts as taken.
 */
export class RamGame {
  readonly description: GameDescription;
  readonly observationSpace: Box;
  readonly actionSpace: Discrete;
  readonly definition: GameOptions["game"];
  readonly #game: Game;
  readonly #rules: RamRules;
  #ram = new Uint8Array(128);
  #before = new Uint8Array(128);
  #reward = 0;
  #length = 0;
  #ended = false;

  /**
   * The game is closed with this object.
   *
   * @throws Gym2600Error `bad-option` for a game in a worker, for rules that are no functions, or for a list of wrappers that begins an
   * episode by itself or goes on after one: `AutoReset` and `EpisodicLife` would not notice an end
   */
  constructor(game: Game, rules: RamRules) {
    checkGame(game, "ram", "close");
    // Those in workers alone take buffers back.
    if ("recycle" in game) {
      throw new Gym2600Error(
        "bad-option",
        "game: a Game is needed, in this thread: the methods of this one give promises",
      );
    }
    namedOptions(rules, "reward", "terminated");
    // The rules may be methods of a class, which an object inherits.
    for (const name of ["reward", "terminated"] as const) {
      const rule: unknown = rules[name];
      if (rule !== undefined && typeof rule !== "function") {
        throw new Gym2600Error("bad-option", `${name}: a function is needed, not ${shown(rule)}`);
      }
    }
    const unaware = game.description.spec.wrappers.find(({ type }) => type === "AutoReset" || type === "EpisodicLife");
    if (unaware !== undefined) {
      throw new Gym2600Error("bad-option", `wrappers: ${unaware.type} does not notice an end by a function`);
    }
    this.#game = game;
    // Methods keep the object that they are of.
    this.#rules = { reward: rules.reward?.bind(rules), terminated: rules.terminated?.bind(rules) };
    this.description = game.description;
    this.observationSpace = game.observationSpace;
    this.actionSpace = game.actionSpace;
    this.definition = game.definition;
  }

  /** Starts an episode; see `Game.reset`. */
  reset(options: ResetOptions = {}): ResetResult {
    const result = this.#game.reset(options);
    this.#game.ram(this.#ram);
    this.#ended = false;
    [this.#reward, this.#length] = [0, 0];
    return result;
  }

  /**
   * Takes one step; see `Game.step`.
   *
   * @throws Gym2600Error as `Game.step`; `bad-state` after the end of an episode, and where a function gives no finite number or no boolean
   */
  step(action: number, options: StepOptions = {}): StepResult {
    if (this.#ended) throw new Gym2600Error("bad-state", "the episode has ended: reset comes next");
    const { info, ...result } = this.#game.step(action, options);
    this.#length++;
    [this.#ram, this.#before] = [this.#before, this.#ram];
    this.#game.ram(this.#ram);
    const reward = this.#rules.reward?.(this.#ram, this.#before) ?? result.reward;
    const ends = this.#rules.terminated?.(this.#ram, this.#before) ?? false;
    if (!Number.isFinite(reward)) throw new Gym2600Error("bad-state", `reward gave ${shown(reward)}, no finite number`);
    if (typeof ends !== "boolean") throw new Gym2600Error("bad-state", `terminated gave ${shown(ends)}, no boolean`);
    this.#reward += reward;
    const terminated = result.terminated || ends;
    this.#ended = terminated || result.truncated;
    const episode = { reward: this.#reward, length: this.#length, frames: info.episodeFrameNumber };
    const ending = this.#ended ? { realDone: info.realDone ?? false, episode } : {};
    return { ...result, reward, terminated, info: { ...info, ...ending } };
  }

  /** The console's memory; see `Game.ram`. */
  ram(into?: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    return this.#game.ram(into);
  }

  /** Closes the game. */
  close(): void {
    this.#game.close();
  }

  /** {@link close}, for `using`. */
  [Symbol.dispose](): void {
    this.close();
  }
}
