/**
 * What the package and its workers say to each other.
 *
 * A worker has one game or several, called lanes and numbered from 0. Every request has an id and gets exactly one reply
 * with that id, in the order of the requests. What is not understood gets an error reply. Buffers in requests and replies
 * are transferred: whoever sent one has it no longer.
 */

import type { ErrorCode } from "./errors.js";
import type { LaneOptions, Outcome } from "./lane.js";
import type { GameDescription } from "./types.js";

/** What a request for observations says about its reply. */
export interface ReplyWishes {
  /** The lane whose picture is wanted, if one is. */
  readonly pictureOf: number | undefined;
  /** Buffers that came back, to be filled again. One of the wrong size, or none, means a new one. */
  readonly spareObservations: ArrayBuffer | undefined;
  readonly sparePicture: ArrayBuffer | undefined;
}

/** What a worker can be asked. */
export type WorkerRequest =
  | {
      /** Loads the lanes' games, all from one ROM. The first request, and the only one of its kind. */
      readonly type: "create";
      readonly id: number;
      /** The name whose lock the worker holds as long as it lives. */
      readonly name: string;
      readonly module: WebAssembly.Module;
      readonly rom: Uint8Array<ArrayBuffer>;
      /** One for each lane. */
      readonly lanes: readonly LaneOptions[];
    }
  | ({
      /** Starts episodes. */
      readonly type: "reset";
      readonly id: number;
      /** For each lane: a seed, "continue" with the generators as they are, or "leave" for not to be reset. */
      readonly resets: readonly LaneReset[];
    } & ReplyWishes)
  | ({
      /** Takes a step in every lane. All actions are checked before the first is taken. */
      readonly type: "step";
      readonly id: number;
      /** One for each lane. */
      readonly actions: readonly number[];
    } & ReplyWishes)
  | {
      /** Draws a lane's picture. */
      readonly type: "render";
      readonly id: number;
      readonly lane: number;
      readonly sparePicture: ArrayBuffer | undefined;
    }
  | {
      /** Wants a lane's complete state. */
      readonly type: "save";
      readonly id: number;
      readonly lane: number;
    }
  | {
      /** Takes a lane back to a state that a save gave. */
      readonly type: "restore";
      readonly id: number;
      readonly lane: number;
      readonly state: Uint8Array;
    }
  | {
      /** Frees the games. The last request. */
      readonly type: "close";
      readonly id: number;
    };

/** What a reset does to a lane. */
export type LaneReset = number | "continue" | "leave";

/** What a worker answers. */
export type WorkerReply =
  | { readonly type: "created"; readonly id: number; readonly description: GameDescription }
  | {
      readonly type: "observed";
      readonly id: number;
      /** All lanes' observations, one after the other. */
      readonly observations: ArrayBuffer;
      /** For each lane, what its last step or reset brought. */
      readonly outcomes: readonly Outcome[];
      readonly picture: ArrayBuffer | undefined;
    }
  | { readonly type: "rendered"; readonly id: number; readonly picture: ArrayBuffer }
  | { readonly type: "saved"; readonly id: number; readonly state: Uint8Array<ArrayBuffer> }
  | { readonly type: "restored"; readonly id: number }
  | { readonly type: "closed"; readonly id: number }
  | {
      readonly type: "error";
      /** Null where the request could not be read, so that nobody knows which it was. */
      readonly id: number | null;
      readonly code: ErrorCode;
      readonly message: string;
    };

/** A request before it has its number. */
export type WorkerCommand = WithoutId<WorkerRequest>;

/** Each member of a union without its id. */
type WithoutId<T> = T extends unknown ? Omit<T, "id"> : never;
