/** The interface of environments that `checkEnv`, `benchmark` and `play` accept: those of the package, and wrappers around them. */

import { checkMethods } from "../arguments.js";
import { Gym2600Error, shown } from "../errors.js";
import type { Space } from "../spaces.js";
import type { GameDescription, ResetResult, StepResult, VectorResetResult, VectorStepResult } from "../types.js";

/** The members of all environments. Methods return a result or a promise of it. */
interface Environment<Action, Reset, Step> {
  readonly observationSpace: Space<unknown>;
  readonly actionSpace: Space<Action>;
  readonly description?: GameDescription | undefined;
  reset(options?: { readonly seed?: number }): Reset | Promise<Reset>;
  step(action: Action): Step | Promise<Step>;
  close(): void | Promise<void>;
}

/** A step's result; environments of your own need no raw rewards. */
export type SingleStep = Omit<StepResult, "rawReward"> & Partial<Pick<StepResult, "rawReward">>;

/** A batch's result; environments of your own need no raw rewards. */
export type BatchStep = Omit<VectorStepResult, "rawRewards"> & Partial<Pick<VectorStepResult, "rawRewards">>;

/** A single environment, such as `Game` and `GameWorker`. */
export interface SingleEnvironment extends Environment<number, ResetResult, SingleStep> {}

/** A batch of environments, such as `VectorEnv`. */
export interface BatchEnvironment extends Environment<ArrayLike<number>, VectorResetResult, BatchStep> {
  readonly numEnvs: number;
}

/** Whether the environment resets itself after an end. */
export function resetsItself(env: SingleEnvironment | BatchEnvironment): boolean {
  return env.description?.resetsItself ?? "numEnvs" in env;
}

/**
 * Refuses what is no game, or lacks one of `methods`.
 *
 * @throws Gym2600Error `bad-option`
 */
export function checkGame(game: { readonly description?: unknown }, ...methods: readonly string[]): void {
  checkMethods("game", game, "reset", "step", ...methods);
  checkDescription("game", game);
}

/**
 * Refuses an object without the description of a game.
 *
 * @throws Gym2600Error `bad-option`
 */
export function checkDescription(what: string, one: { readonly description?: unknown }): void {
  const { spec, observation } = (one.description ?? {}) as Partial<GameDescription>;
  if (Array.isArray(spec?.wrappers) && Array.isArray(observation?.shape)) return;
  throw new Gym2600Error("bad-option", `${what}: ${shown(one)} has no description of a game`);
}
