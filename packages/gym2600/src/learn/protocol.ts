/** Messages between a trainer and its workers. Each request has an id and gets one reply. */

import type { ErrorCode } from "../errors.js";
import type { MinibatchAt, ShardOptions } from "./shards.js";
import type { LearnerModules } from "./wasm.js";

/** What is asked of a worker. */
export type LearnCommand =
  | {
      readonly type: "create";
      readonly name: string;
      readonly modules: LearnerModules;
      readonly options: ShardOptions;
    }
  | { readonly type: "play"; readonly parameters: Float32Array; readonly update: number }
  | { readonly type: "gradient"; readonly parameters: Float32Array; readonly at: MinibatchAt }
  | { readonly type: "save" }
  | { readonly type: "restore"; readonly games: readonly Uint8Array[] };

/** A command on its way. */
export type LearnRequest = LearnCommand & { readonly id: number };

/** What a worker answers. */
export type LearnReply =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: { readonly code: ErrorCode; readonly message: string } };
