/**
 * The messages between the package and its workers.
 *
 * A worker has one game or several, called lanes and numbered from 0. Every request has an id and gets exactly one reply
 * with that id, in the order of the requests; a web worker sends `alive` before its first reply. An unknown request gets an
 * error reply. Buffers and canvases in messages are transferred: they belong to the receiver. The client has checked all values.
 */

import type { LaneCall, LaneCallResult } from "../env/accessors.js";
import type { LaneOptions } from "../env/lane.js";
import type { StepRecords } from "../env/step-record.js";
import type { ErrorCode } from "../errors.js";
import type { ErrorDetails } from "../schema/gym.js";
import type { GameDescription } from "../types.js";

/** Options of a request for observations. They are filled in when the request is sent, so they are not read-only. */
export interface ReplyOptions {
  /** The lane whose picture the reply has; none unless given. */
  pictureOf?: number;
  /** False to leave the lanes' canvases as they are. */
  paint?: boolean | undefined;
  /** Recycled buffers of the reply's size. Without one the worker makes a new buffer. */
  observationBuffer?: ArrayBuffer | undefined;
  pictureBuffer?: ArrayBuffer | undefined;
}

/** Hints that any request may carry. */
export interface RequestHints {
  /** Whether the worker may poll for the next request; see `stay-awake.ts`. */
  awake?: boolean;
}

/** A request to a worker. */
export type WorkerRequest =
  | {
      /** Loads the lanes' games, all from one ROM. The first request, sent once. */
      readonly type: "create";
      readonly id: number;
      /** The name of the lock that the worker holds as long as it lives. */
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
      readonly lanes: readonly number[];
      /** For each of `lanes`: a seed, "continue" to keep the generators' state, or "leave" for no reset. */
      readonly resets: readonly LaneReset[];
    } & ReplyOptions)
  | ({
      /**
       * Takes one or several steps in some lanes. A lane that does not reset by itself stops at its episode's end: its later actions
       * are not played.
       */
      readonly type: "step";
      readonly id: number;
      readonly lanes: readonly number[];
      /** One for each of `lanes`, for each step: all of the first step, then all of the second. */
      readonly actions: readonly number[];
      /** The strength of paddles, 0 to 1, in all these steps; 1 unless given. */
      readonly strength?: number | undefined;
      /** Whether the reply has the observations of every step, or those of the last one. */
      readonly every: boolean;
      /** Whether the reply has the lanes' states after the last step. */
      readonly states: boolean;
    } & ReplyOptions)
  | ({
      /** Makes a call of `accessors.ts`. Its result is copied or transferred. */
      readonly type: "call";
      readonly id: number;
      readonly lane: number;
    } & LaneCall)
  | {
      /** Copies the state of one lane into another. The result says whether the copy needs a reset before the next step. */
      readonly type: "copy";
      readonly id: number;
      readonly from: number;
      readonly to: number;
    }
  | {
      /** Frees the games. The last request. */
      readonly type: "close";
      readonly id: number;
    };

/** What a reset does with a lane. */
export type LaneReset = number | "continue" | "leave";

/** A reply of a worker. */
export type WorkerReply =
  /** A web worker holds its lock. It answers no request, so its id belongs to none. */
  | { readonly type: "alive"; readonly id: -1 }
  | { readonly type: "created"; readonly id: number; readonly description: GameDescription }
  | ({
      /** The results of each lane of the request, step by step: all lanes' first step, then all lanes' second. */
      readonly type: "observed";
      readonly id: number;
      /** The lanes' observations, one after the other; of every step, if the request says so. */
      readonly observations: ArrayBuffer;
      /** The lanes' states, if the request says so. */
      readonly states: ReadonlyArray<Uint8Array<ArrayBuffer>> | undefined;
      readonly picture: ArrayBuffer | undefined;
    } & StepRecords)
  | { readonly type: "called"; readonly id: number; readonly result: LaneCallResult }
  | { readonly type: "closed"; readonly id: number }
  | {
      readonly type: "error";
      /** Null where the request could not be read and its id is unknown. */
      readonly id: number | null;
      readonly code: ErrorCode;
      readonly message: string;
      readonly details: Readonly<ErrorDetails>;
    };

/** A request before it has its number. */
export type WorkerCommand = WithoutId<WorkerRequest>;

/** Each member of a union without its id. */
type WithoutId<T> = T extends unknown ? Omit<T, "id"> : never;
