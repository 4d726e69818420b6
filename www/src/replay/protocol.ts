/** What the page and the worker of a replay tell each other. */

import type { Replay } from "gym2600/record";

/** A replay to be played and verified, once. */
export interface ReplayRequest {
  readonly replay: Replay;
  readonly rom: Uint8Array<ArrayBuffer>;
  /** Where the picture is painted; it gets the picture's size. */
  readonly canvas: OffscreenCanvas;
}

export type FromReplay =
  | { readonly type: "playing"; readonly step: number; readonly reward: number }
  /** Every observation, reward and end was that of the file. */
  | { readonly type: "verified"; readonly steps: number; readonly reward: number }
  | { readonly type: "refused"; readonly message: string };
