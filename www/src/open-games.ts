/** Opens one game or several. */

import type { Games, Setup } from "./games.js";
import { ManyGames } from "./many-games.js";
import { OneGame } from "./one-game.js";

/** Loads the games. @throws Gym2600Error with the reason if they cannot be loaded */
export function openGames(setup: Setup, sound: boolean): Promise<Games> {
  return setup.numEnvs === 1 ? OneGame.open(setup, sound) : ManyGames.open(setup);
}
