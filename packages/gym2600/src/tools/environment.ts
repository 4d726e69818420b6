/** What `checkEnv`, `benchmark` and `play` ask of an environment, be it of this package or somebody's wrapper around one. */

import type { Space } from "../spaces.js";
import type { GameDescription, ResetResult, StepResult } from "../types.js";
import type { VectorResetResult, VectorStepResult } from "../vector/vector-types.js";

/** What all environments have. Methods may give what they give or a promise of it. */
interface Environment<Action, Reset, Step> {
  readonly observationSpace: Space<unknown>;
  readonly actionSpace: Space<Action>;
  readonly description?: GameDescription | undefined;
  reset(options?: { readonly seed?: number }): Reset | Promise<Reset>;
  step(action: Action): Step | Promise<Step>;
  close(): void | Promise<void>;
}

/** An environment such as `Game` and `GameWorker`. */
export interface SingleEnvironment extends Environment<number, ResetResult, StepResult> {}

/** Several, such as `VectorEnv`. */
export interface BatchEnvironment extends Environment<ArrayLike<number>, VectorResetResult, VectorStepResult> {
  readonly numEnvs: number;
}

/** Whether an episode's end is followed by the next episode's start without a reset. */
export function resetsItself(env: SingleEnvironment | BatchEnvironment): boolean {
  return env.description?.resetsItself ?? "numEnvs" in env;
}

/** How many of the console's frames a step takes, where nothing cuts it short. */
export function framesPerStep({ description }: { readonly description?: GameDescription | undefined }): number {
  const skips =
    description?.spec.wrappers.map((wrapper) => (wrapper.type === "SkipFrames" ? (wrapper.n ?? 4) : 1)) ?? [];
  return skips.reduce((product, n) => product * n, 1);
}
