/** The games that are known without a definition. */

import { catalogue } from "../wasm/gym2600_wasm.js";
import { callWasm, currentInstance, instantiated } from "./wasm-module.js";

/** A game of the catalogue. */
export interface CatalogueEntry {
  /** The name of its ROM, such as `"breakout"`. */
  readonly rom: string;
  /** The name on the box. */
  readonly title: string;
  /** The Gymnasium environment, such as `"ALE/Breakout-v5"`; null for the ROMs that have none. */
  readonly envId: string | null;
  /** The MD5 of its ROM, by which the game is recognised: 32 hexadecimal digits in lower case. */
  readonly md5: string;
}

/**
 * All games of the catalogue, by name.
 *
 * @throws Gym2600Error `wasm-failed`
 */
export async function games(): Promise<readonly CatalogueEntry[]> {
  await instantiated();
  return callWasm(currentInstance(), () => catalogue() as CatalogueEntry[]);
}
