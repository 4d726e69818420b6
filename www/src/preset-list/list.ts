/** Resolves the list of a preset, in the background worker. */

import { describe, Gym2600Error } from "gym2600";
import { textOf } from "../text.js";
import type { FromList, ListRequest } from "./protocol.js";

export async function listOf({ list, rom }: ListRequest): Promise<FromList> {
  try {
    const { spec } = await describe({ rom, ...list });
    return { wrappers: spec.wrappers };
  } catch (error) {
    return { refusal: textOf(error), code: error instanceof Gym2600Error ? error.code : undefined };
  }
}
