/** Types that the page's workers share. */

import type { GameOptions } from "gym2600";

/** Options of a game without its ROM and seed. Plain data. */
export type EnvironmentOptions = Omit<GameOptions, "rom" | "seed">;
