/** Types that the page and its workers share. */

import type { GameOptions } from "gym2600";

/** Options of a game without its ROM and seed. Plain data. */
export type EnvironmentOptions = Omit<GameOptions, "rom" | "seed">;

/** Who decides in the show game. */
export type Player = "agent" | "random" | "you";

/** Decisions since a seeded reset, from which a replay is made. A run begins with a reset; the first has the seed. */
export interface PlayedLog {
  readonly seed: number;
  steps: number;
  readonly runs: { readonly actions: number[]; readonly paddleStrengths: number[] }[];
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
