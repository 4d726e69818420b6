/** The game that comes with the package. */

import { WALLOP_BASE64 } from "./generated/wallop.js";

/**
 * The ROM of Wallop, a game of bat, ball and bricks written for this project, under the project's licence.
 * The catalogue knows it; pass it as `rom`.
 */
export const wallop: Uint8Array<ArrayBuffer> = Uint8Array.from(atob(WALLOP_BASE64), (character) =>
  character.charCodeAt(0),
);
