/** Types that the page and its workers share. */

import type { GameOptions } from "gym2600";

/** Options of a game without its ROM and seed. Plain data. */
export type EnvironmentOptions = Omit<GameOptions, "rom" | "seed">;

/** Who decides in the show game. */
export type Player = "agent" | "random" | "you";

/** A game at a moment. */
export interface SavedGame {
  readonly state: Uint8Array<ArrayBuffer>;
  /** The last frames that the agent saw. */
  readonly ring: readonly Uint8Array<ArrayBuffer>[];
  readonly newest: number;
  readonly since: number;
  readonly forced: readonly number[];
  readonly lives: number;
  readonly score: number;
  /** Who has played it, with the policy of each. The show adds them. */
  readonly players?: ReadonlyArray<readonly [player: Player, policy: string]>;
}
