/** Makes the definition of a game that was found, in the background worker. */

import { defineGame } from "gym2600";
import { textOf } from "../text.js";
import type { DefineRequest, FromDefine } from "./protocol.js";

export async function define({ found }: DefineRequest): Promise<FromDefine> {
  return defineGame(found).then(
    (definition) => ({ definition }),
    (error) => ({ refusal: textOf(error) }),
  );
}
