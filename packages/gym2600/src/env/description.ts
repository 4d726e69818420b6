/** The description of a game that is not opened. */

import { describe as wasmDescribe } from "../../wasm/gym2600_wasm.js";
import { copyOptions, flagOf, frozen } from "../arguments.js";
import { checkDefinition } from "../definition.js";
import { romBytes } from "../rom.js";
import type { GameDescription, GameOptions } from "../types.js";
import { compiledModule, instance, instantiated } from "../wasm-module.js";
import type { LaneOptions } from "./lane.js";

/**
 * The description that a game with these options has: its actions, its observations, its wrappers with all their options. No game is
 * opened.
 *
 * `const { actions, spec } = await describe({ rom, preset: "labml" })` gives the game's actions and the preset's list of wrappers.
 *
 * @throws Gym2600Error as `Game.create`
 */
export async function describe(options: GameOptions): Promise<GameDescription> {
  const { rom, ...rest } = copyOptions(options);
  return describeLane(await romBytes(rom), rest);
}

/** As {@link describe}, of options that have been copied. */
export async function describeLane(rom: Uint8Array, options: LaneOptions): Promise<GameDescription> {
  await instantiated(compiledModule());
  return describeHere(rom, options);
}

/** As {@link describeLane}, where the module has been instantiated. */
export function describeHere(rom: Uint8Array, options: LaneOptions): GameDescription {
  const { labels, ...environment } = options;
  flagOf("labels", labels);
  checkDefinition(options.game);
  return frozen(instance.call(() => wasmDescribe(rom, environment) as GameDescription));
}
