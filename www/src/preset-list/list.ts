/** Resolves the list of a preset, and tries a state, in the background worker. */

import { describe, Gym2600Error } from "gym2600";
import { ShownGame } from "../show/shown-game.js";
import { textOf } from "../text.js";
import type { FromList, ListRequest } from "./protocol.js";

export async function listOf({ list, rom, state }: ListRequest): Promise<FromList> {
  try {
    const { spec } = await describe({ rom, ...list });
    if (state !== undefined) (await ShownGame.open(rom, list, 0, state)).close();
    return { wrappers: spec.wrappers };
  } catch (error) {
    return { refusal: textOf(error), code: error instanceof Gym2600Error ? error.code : undefined };
  }
}
