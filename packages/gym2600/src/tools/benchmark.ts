/** How fast an environment is. */

import { Gym2600Error } from "../errors.js";
import { type BatchEnvironment, framesPerStep, resetsItself, type SingleEnvironment } from "./environment.js";

/** How long {@link benchmark} runs: so many steps, or so many seconds; 5 seconds unless said. */
export interface BenchmarkOptions {
  /** Steps; of a batch, each counts once for every environment in it. */
  readonly steps?: number | undefined;
  readonly seconds?: number | undefined;
  /** The seed of the environment and of the random actions; 0 unless said. */
  readonly seed?: number | undefined;
}

/** What {@link benchmark} measured. */
export interface BenchmarkResult {
  /** Steps taken, those of all environments of a batch. */
  readonly steps: number;
  /** The time they took, resets included. */
  readonly seconds: number;
  readonly stepsPerSecond: number;
  /** Frames of the console: steps times the frame skip. */
  readonly framesPerSecond: number;
  /** Episodes that ended. */
  readonly episodes: number;
}

/**
 * Plays random actions and measures how many steps a second there are. The environment stays open.
 *
 * @throws Gym2600Error `bad-option` for impossible numbers, and whatever the environment throws
 */
export async function benchmark(
  env: SingleEnvironment | BatchEnvironment,
  options: BenchmarkOptions = {},
): Promise<BenchmarkResult> {
  const { seed = 0, steps: wanted, seconds: limit = wanted === undefined ? 5 : Number.POSITIVE_INFINITY } = options;
  for (const [name, value] of Object.entries({ steps: wanted ?? 1, seconds: limit })) {
    if (!(value > 0)) throw new Gym2600Error("bad-option", `${name} has to be above 0, not ${String(value)}`);
  }
  const lanes = "numEnvs" in env ? env.numEnvs : 1;
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
  return { steps, seconds, stepsPerSecond, framesPerSecond: stepsPerSecond * framesPerStep(env), episodes };
}

/** Takes a step and says how many episodes it ended. */
async function step(env: SingleEnvironment | BatchEnvironment): Promise<number> {
  if ("numEnvs" in env) {
    const { terminated, truncated } = await env.step(env.actionSpace.sample());
    return terminated.reduce((count, flag, lane) => count + (flag | (truncated[lane] ?? 0)), 0);
  }
  const { terminated, truncated } = await env.step(env.actionSpace.sample());
  return Number(terminated || truncated);
}
