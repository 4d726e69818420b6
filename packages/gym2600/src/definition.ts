/** Games that users define, as objects. */

import { Gym2600Error } from "./errors.js";
import type { RawDefinition } from "./schema/definition.js";
import type { Written } from "./types.js";

/**
 * The definition of a game: an object with the keys of the catalogue's files. The repository's `docs/games.md` describes each. `parseDefinition` of
 * `gym2600/toml` reads one from text.
 */
export type GameDefinition = Written<RawDefinition>;

/**
 * Refuses text, which a game cannot be made with.
 *
 * @throws Gym2600Error `bad-game`
 */
export function checkDefinition(game: unknown): void {
  if (typeof game !== "string") return;
  throw new Gym2600Error(
    "bad-game",
    "game: a definition is an object; `parseDefinition` of `gym2600/toml` reads one from text",
  );
}
