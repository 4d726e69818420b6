/** Measures the speed of an environment. */

import { checkAboveZero, checkCount, checkMethods, checkOptions, namedOptions } from "../arguments.js";
import { MAX_ENVS } from "../schema/gym.js";
import { type BatchEnvironment, checkDescription, resetsItself, type SingleEnvironment } from "./environment.js";

/** Options of {@link benchmark}: a number of steps or of seconds (5 seconds). */
export interface BenchmarkOptions {
  /** The number of steps. A step of a batch counts once for each environment. */
  readonly steps?: number | undefined;
  readonly seconds?: number | undefined;
  /** The seed of the environment and of the random actions (0). */
  readonly seed?: number | undefined;
}

/** The result of {@link benchmark}. */
export interface BenchmarkResult {
  /** Steps of all environments. */
  readonly steps: number;
  /** Their time, with resets. */
  readonly seconds: number;
  readonly stepsPerSecond: number;
  /** Frames of the console: steps times the frame skip. */
  readonly framesPerSecond: number;
  /** Episodes that ended. */
  readonly episodes: number;
}

/**
 * Plays random actions and measures steps per second. The environment stays open.
 *
 * @throws Gym2600Error `bad-option` for invalid numbers, and the errors of the environment
 */
export async function benchmark(
  env: SingleEnvironment | BatchEnvironment,
  options: BenchmarkOptions = {},
): Promise<BenchmarkResult> {
  checkMethods("env", env, "reset", "step");
  checkMethods("env.actionSpace", env.actionSpace, "sample", "seed");
  const {
    seed = 0,
    steps: wanted,
    seconds: limit = wanted === undefined ? 5 : Number.POSITIVE_INFINITY,
  } = namedOptions(options, "seed", "steps", "seconds");
  if (wanted !== undefined) checkAboveZero("steps", wanted);
  if (wanted === undefined || limit !== Number.POSITIVE_INFINITY) checkAboveZero("seconds", limit);
  const lanes = "numEnvs" in env ? env.numEnvs : 1;
  checkCount("env.numEnvs", lanes, 1, MAX_ENVS);
  if (env.description !== undefined) checkDescription("env", env);
  const frames = env.description?.framesPerStep ?? 1;
  env.actionSpace.seed(seed);
  await env.reset({ seed });
  let [steps, episodes, seconds] = [0, 0, 0];
  const start = performance.now();
  while (steps < (wanted ?? Number.POSITIVE_INFINITY) && seconds < limit) {
    const ended = await step(env);
    steps += lanes;
    episodes += ended;
    if (ended > 0 && !resetsItself(env)) await env.reset();
    seconds = (performance.now() - start) / 1000;
  }
  const stepsPerSecond = steps / seconds;
  return { steps, seconds, stepsPerSecond, framesPerSecond: stepsPerSecond * frames, episodes };
}

/** Takes a step and returns the number of episodes that it ended. */
async function step(env: SingleEnvironment | BatchEnvironment): Promise<number> {
  if ("numEnvs" in env) {
    const { terminated, truncated } = checkOptions(await env.step(env.actionSpace.sample()));
    checkMethods("a result's terminated", terminated, "reduce");
    return terminated.reduce((count, flag, lane) => count + (flag | (truncated[lane] ?? 0)), 0);
  }
  const { terminated, truncated } = checkOptions(await env.step(env.actionSpace.sample()));
  return Number(terminated || truncated);
}
