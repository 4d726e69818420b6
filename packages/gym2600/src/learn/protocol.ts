/** Messages between a trainer and its workers. Each request has an id and gets one reply. */

import type { WorkerReply } from "../worker/protocol.js";
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
  | { readonly type: "begin"; readonly update: number }
  | { readonly type: "advance"; readonly half: number; readonly step: number; readonly outputs: Float32Array }
  | { readonly type: "play"; readonly parameters: Float32Array; readonly update: number; readonly hasBegun: boolean }
  | { readonly type: "gradient"; readonly parameters: Float32Array; readonly at: MinibatchAt }
  | { readonly type: "save" }
  | { readonly type: "restore"; readonly games: readonly Uint8Array[] };

/** A command on its way. */
export type LearnRequest = LearnCommand & { readonly id: number };

/** What a worker answers. */
export interface LearnAnswer {
  readonly type: "answered";
  readonly id: number;
  readonly result: unknown;
}

/** A reply of a worker: its answer, or what any worker may reply. */
export type LearnReply = LearnAnswer | Extract<WorkerReply, { type: "alive" | "error" }>;
