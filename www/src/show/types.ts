/** Types that the page and its workers share. */

import type { ConsoleSwitches, GameOptions } from "gym2600";
import type { MovedSwitches } from "gym2600/record";

/** Options of a game without its ROM and seed. Plain data. */
export type EnvironmentOptions = Omit<GameOptions, "rom" | "seed">;

/** The switches of the console that stay where they are put. SELECT and RESET are held like the parts of a joystick. */
export type LatchedSwitches = Omit<ConsoleSwitches, "select" | "reset">;

/** Who decides in the show game. */
export type Player = "agent" | "random" | "you";

/** Decisions since a seeded reset, from which a replay is made. A run begins with a reset; the first has the seed. */
export interface PlayedLog {
  readonly seed: number;
  steps: number;
  readonly runs: PlayedRun[];
}

export interface PlayedRun {
  readonly actions: number[];
  readonly paddleStrengths: number[];
  /** The moves of the console's switches, as a replay has them. */
  readonly switches: MovedSwitches[];
}

/** A game at a decision. */
export interface SavedGame {
  readonly state: Uint8Array<ArrayBuffer>;
  readonly score: number;
  /** Whether the show has not seen the beginning of the game, so that its whole score is not known. */
  readonly partial: boolean;
  /** Who has played it, with the policy of each. The show adds them. */
  readonly players?: ReadonlyArray<readonly [player: Player, policy: string]>;
}
