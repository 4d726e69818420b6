/** The options of a `VectorEnv`, resolved. */

import { observationBytes } from "../buffers/observation-buffers.js";
import { describe } from "../env/lane.js";
import type { GameDescription, GameOptions } from "../types.js";

/** Resolves the options; refuses bad ones before any worker is started. */
export async function resolveOptions(
  rom: Uint8Array,
  game: Omit<GameOptions, "rom" | "seed">,
): Promise<{
  autoreset: GameOptions["autoreset"];
  seeding: GameDescription["spec"]["seeding"];
  laneBytes: number;
}> {
  const description = await describe(rom, game);
  return {
    autoreset: game.autoreset ?? (description.resetsItself ? undefined : "next-step"),
    seeding: description.spec.seeding,
    laneBytes: observationBytes(description),
  };
}
