/** The game that comes with the package. */

import { WALLOP_BASE64 } from "./generated/wallop.js";

/**
 * The ROM of WALLOP, a game with bat, ball and bricks that was written for this project and has its licence. Pass it as `rom`.
 */
export const wallop: Uint8Array<ArrayBuffer> = /* @__PURE__ */ decoded(WALLOP_BASE64);

function decoded(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
