/** Resolves the list of a preset, in the background worker. */

import { Game } from "gym2600";
import { textOf } from "../text.js";
import type { FromList, ListRequest } from "./protocol.js";

export async function listOf({ list, rom }: ListRequest): Promise<FromList> {
  try {
    const game = await Game.create({ rom, ...list });
    const wrappers = game.description.spec.wrappers;
    game.close();
    return { wrappers };
  } catch (error) {
    return { refusal: textOf(error) };
  }
}
