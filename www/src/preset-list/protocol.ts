/** Messages between the page and the background worker about the list of a preset. */

import type { WrapperOptions } from "gym2600";
import type { EnvironmentOptions } from "../show/types.js";

/** Asks which wrappers an environment has for a game. */
export interface ListRequest {
  readonly list: EnvironmentOptions;
  readonly rom: Uint8Array<ArrayBuffer>;
  /** A state that the game has to go on from. */
  readonly state?: Uint8Array;
}

/** The resolved list, or why there is none. */
export interface FromList {
  readonly wrappers?: readonly WrapperOptions[];
  readonly refusal?: string;
  /** The code of the refusal, if it is the package's. */
  readonly code?: string | undefined;
}
