/** The definition of a game that was found, as the page asks for it. */

import type { GameDefinition } from "gym2600";
import { askBackground } from "../background/start.js";
import type { DefineRequest, FromDefine } from "./protocol.js";

/** Makes a definition. Rejects with the reason if there is none. */
export async function defined(found: DefineRequest["found"]): Promise<GameDefinition> {
  const { definition, refusal } = await askBackground<FromDefine>({ found } satisfies DefineRequest);
  if (definition === undefined) throw new Error(refusal);
  return definition;
}
