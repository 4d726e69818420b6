/**
 * What the package and its workers say to each other.
 *
 * A worker has one game or several, called lanes and numbered from 0. Every request has an id and gets exactly one reply
 * with that id, in the order of the requests. What is not understood gets an error reply. Buffers in requests and replies
 * are transferred: whoever sent one has it no longer.
 */

import type { Lane, LaneOptions } from "../env/lane.js";
import type { Outcomes } from "../env/step-record.js";
import type { ErrorCode } from "../errors.js";
import type { GameDescription } from "../types.js";

/** What a request for observations says about its reply. Not read-only: it is filled in when a request is sent. */
export interface ReplyWishes {
  /** The lane whose picture is wanted, if one is. */
  pictureOf?: number;
  /** Buffers that came back, to be filled again. One of the wrong size, or none, means a new one. */
  spareObservations?: ArrayBuffer | undefined;
  sparePicture?: ArrayBuffer | undefined;
}

/** What any request may say besides. */
export interface RequestHints {
  /** Whether the worker may stay awake for the next one, because there is a processor for it to do so. */
  awake?: boolean;
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
      readonly lanes: readonly number[];
      /** For each of `lanes`: a seed, "continue" with the generators as they are, or "leave" for not to be reset. */
      readonly resets: readonly LaneReset[];
    } & ReplyWishes)
  | ({
      /**
       * Takes steps, one or several, in some lanes. All actions are checked before the first is taken. A lane that does not
       * reset by itself stops at its episode's end: what comes after it is not taken.
       */
      readonly type: "step";
      readonly id: number;
      readonly lanes: readonly number[];
      /** One for each of `lanes`, for each step: all of the first step, then all of the second. */
      readonly actions: readonly number[];
      /** Whether the observations of every step are wanted, rather than those of the last. */
      readonly every: boolean;
      /** Whether the lanes' states after the last step are wanted. */
      readonly states: boolean;
    } & ReplyWishes)
  | {
      /** Draws a lane's picture. */
      readonly type: "render";
      readonly id: number;
      readonly lane: number;
      readonly sparePicture?: ArrayBuffer | undefined;
    }
  | ({
      /** Calls a method of a lane. */
      readonly type: "call";
      readonly id: number;
      readonly lane: number;
    } & LaneCall)
  | {
      /** Frees the games. The last request. */
      readonly type: "close";
      readonly id: number;
    };

/** The methods of a lane that can be called from outside; what they are given and give is copied or transferred. */
export type LaneMethod = "save" | "restore" | "ram" | "setRam" | "screen" | "audio" | "lastAction";

/** A call of one of them, with its arguments. */
export type LaneCall = {
  [M in LaneMethod]: { readonly method: M; readonly args: Parameters<Lane[M]> };
}[LaneMethod];

/** What such a call gives. */
export type LaneResult<M extends LaneMethod = LaneMethod> = ReturnType<Lane[M]>;

/** What a reset does to a lane. */
export type LaneReset = number | "continue" | "leave";

/** What a worker answers. */
export type WorkerReply =
  | { readonly type: "created"; readonly id: number; readonly description: GameDescription }
  | ({
      /** With what each step, or the reset, brought to each of these lanes: all of the first step, then all of the second. */
      readonly type: "observed";
      readonly id: number;
      /** The observations of the lanes asked, one after the other; of every step, if that was wanted. */
      readonly observations: ArrayBuffer;
      /** The states of these lanes, if they were wanted. */
      readonly states: ReadonlyArray<Uint8Array<ArrayBuffer>> | undefined;
      readonly picture: ArrayBuffer | undefined;
    } & Outcomes)
  | { readonly type: "rendered"; readonly id: number; readonly picture: ArrayBuffer }
  | { readonly type: "called"; readonly id: number; readonly result: LaneResult }
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
