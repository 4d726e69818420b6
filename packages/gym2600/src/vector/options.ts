/** The options of a `VectorEnv`, resolved. */

import { describe } from "../env/lane.js";
import { Box } from "../spaces.js";
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
  const { resetsItself, spec, observation } = await describe(rom, game);
  const laneBytes = new Box(observation.shape, observation.dtype).byteLength;
  return { autoreset: game.autoreset ?? (resetsItself ? undefined : "next-step"), seeding: spec.seeding, laneBytes };
}
