/** What the page and the worker of a replay tell each other. */

import type { Replay } from "gym2600/record";
import type { EnvironmentOptions, PlayedLog } from "../show/types.js";

/** A replay to be played and verified, once. */
export interface ReplayRequest {
  readonly replay: Replay;
  readonly rom: Uint8Array<ArrayBuffer>;
  /** Where the picture is painted; it gets the picture's size. */
  readonly canvas: OffscreenCanvas;
}

/** What has been played, of which a replay file is to be made. */
export interface WriteRequest {
  readonly log: PlayedLog;
  readonly rom: Uint8Array<ArrayBuffer>;
  readonly options: EnvironmentOptions;
}

/** The text of the file, or why there is none. */
export interface FromWrite {
  readonly text?: string;
  readonly refusal?: string;
}

export type FromReplay =
  | { readonly type: "playing"; readonly step: number; readonly reward: number }
  /** Every observation, reward and end was that of the file. */
  | { readonly type: "verified"; readonly steps: number; readonly reward: number }
  | { readonly type: "refused"; readonly message: string };
