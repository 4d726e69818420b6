/** The games that are known without a definition. */

import { catalogue } from "../wasm/gym2600_wasm.js";
import type { CatalogueEntry } from "./schema/catalogue.js";
import { compiledModule, instance, instantiated } from "./wasm-module.js";

export type { CatalogueEntry };

/**
 * All games of the catalogue, by name.
 *
 * @throws Gym2600Error `wasm-failed`
 */
export async function games(): Promise<readonly Readonly<CatalogueEntry>[]> {
  await instantiated(compiledModule());
  return instance.call(() => catalogue() as CatalogueEntry[]);
}
