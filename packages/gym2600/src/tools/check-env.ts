/** Checks the rules that an environment has to keep. */

import { checkCount, checkMethods, namedOptions } from "../arguments.js";
import { Gym2600Error, shown } from "../errors.js";
import { MAX_ENVS } from "../schema/gym.js";
import { checkSeed, type Space } from "../spaces.js";
import { type BatchEnvironment, resetsItself, type SingleEnvironment } from "./environment.js";

/** Options of {@link checkEnv}. */
export interface CheckEnvOptions {
  /** Steps of each of the two runs (300). */
  readonly steps?: number | undefined;
  /** The seed of both runs (0). */
  readonly seed?: number | undefined;
}

/** A result as its names and values. */
type Result = Readonly<Record<string, unknown>>;

/**
 * Checks an environment, such as a wrapper of your own around a `Game` or a `VectorEnv`:
 *
 * - Spaces are valid, and observations are members of their space.
 * - Steps before the first reset and after an end, and actions out of range, are refused.
 * - Rewards are finite numbers and flags are booleans, and results do not change later.
 * - A seed determines the whole run.
 *
 * The environment has to be new. It is closed at the end.
 *
 * @throws Gym2600Error `bad-env` with the broken rule, `bad-option`, and the errors of the environment
 */
export async function checkEnv(
  env: SingleEnvironment | BatchEnvironment,
  options: CheckEnvOptions = {},
): Promise<void> {
  const { steps = 300, seed = 0 } = namedOptions(options, "steps", "seed");
  checkMethods("env", env, "reset", "step", "close");
  checkCount("steps", steps, 1);
  checkSeed(seed);
  if ("numEnvs" in env) checkCount("env.numEnvs", env.numEnvs, 1, MAX_ENVS);
  const check = new Checker(env);
  check.spaces();
  await check.refuses("a step before the first reset is taken", () => check.step(check.sample()));
  const first = await check.run(seed, steps);
  const second = await check.run(seed, steps);
  const differs = first.findIndex((entry, step) => entry !== second[step]);
  if (differs >= 0) fail(`the same seed and actions give other results the second time, ${at(differs)}`);
  for (const action of check.badActions()) {
    const what = `action ${JSON.stringify(action)}, which is not in the action space, is taken`;
    await check.refuses(what, () => check.step(action));
  }
  const sample = check.sample();
  await env.close();
  await check.refuses("a step after close is taken", () => check.step(sample));
}

class Checker {
  readonly #env: SingleEnvironment | BatchEnvironment;
  /** The number of environments of a batch, undefined for a single one. */
  readonly #lanes: number | undefined;

  constructor(env: SingleEnvironment | BatchEnvironment) {
    this.#env = env;
    this.#lanes = "numEnvs" in env ? env.numEnvs : undefined;
  }

  spaces(): void {
    for (const name of ["observationSpace", "actionSpace"] as const) {
      const space: Partial<Space<unknown>> | undefined = this.#env[name];
      for (const method of ["sample", "contains", "seed", "toJSON"] as const) {
        if (typeof space?.[method] !== "function") fail(`${name} has no method ${method}`);
      }
      if (!space?.contains?.(space.sample?.())) fail(`a sample of ${name} is not in it`);
    }
  }

  sample(): unknown {
    return this.#env.actionSpace.sample();
  }

  async step(action: unknown): Promise<Result> {
    return record("step", await (this.#env.step as (action: unknown) => unknown).call(this.#env, action));
  }

  /** Values just outside of the action space. */
  badActions(): unknown[] {
    const sample = this.sample();
    if (this.#lanes === undefined) return [-1, 0.5, 2 ** 20];
    const list = Array.from(Object(sample ?? []) as ArrayLike<number>);
    return [[...list, 0], list.slice(1), [2 ** 20, ...list.slice(1)]];
  }

  async refuses(what: string, call: () => Promise<unknown>): Promise<void> {
    const refused = await call().then(
      () => false,
      () => true,
    );
    if (!refused) fail(what);
  }

  /** Plays random actions from a seed and returns a text for each result. */
  async run(seed: number, steps: number): Promise<string[]> {
    this.#env.actionSpace.seed(seed);
    const told = [this.#reset(await this.#env.reset({ seed }))];
    let kept: { observation: unknown; text: string } | undefined;
    for (let step = 1; step <= steps; step++) {
      const result = await this.step(this.sample());
      const text = this.#checked(result, at(step));
      if (kept !== undefined && textOf(kept.observation) !== kept.text) {
        fail(`an observation changes after it was given, ${at(step)}`);
      }
      kept = { observation: this.#observation(result), text: textOf(this.#observation(result)) };
      told.push(text);
      if (text.endsWith("ended") && !resetsItself(this.#env)) told.push(this.#reset(await this.#env.reset()));
    }
    return told;
  }

  #reset(given: unknown): string {
    const result = record("reset", given);
    this.#checkObservation(result, "reset");
    this.#infos(result, "reset");
    return textOf(this.#observation(result));
  }

  /** Checks the result of a step. Returns a text that identifies it, and whether an episode ended. */
  #checked(result: Result, where: string): string {
    this.#checkObservation(result, where);
    this.#infos(result, where);
    const rewards = this.#column(result, this.#lanes === undefined ? "reward" : "rewards", where);
    for (const reward of rewards) {
      if (!Number.isFinite(reward)) fail(`a reward is ${shown(reward)}, which is no finite number, ${where}`);
    }
    const flags = ["terminated", "truncated"].flatMap((name) => {
      const column = this.#column(result, name, where);
      for (const flag of column) {
        const right = typeof flag === "boolean" || (this.#lanes !== undefined && (flag === 0 || flag === 1));
        if (!right) fail(`${name} is ${shown(flag)}, which is no flag, ${where}`);
      }
      return column;
    });
    return `${textOf(this.#observation(result))} ${rewards} ${flags} ${flags.some(Boolean) ? "ended" : "goes on"}`;
  }

  #observation(result: Result): unknown {
    return result[this.#lanes === undefined ? "observation" : "observations"];
  }

  #checkObservation(result: Result, where: string): void {
    const observation = this.#observation(result);
    const isList = typeof (observation as Partial<ArrayLike<unknown>> | undefined)?.length === "number";
    if (isList && this.#env.observationSpace.contains(observation)) return;
    const found = Object(observation ?? "nothing") as ArrayLike<unknown>;
    const given = `${found.constructor?.name ?? "an object"} of ${shown(found.length)}`;
    fail(`the observation (${given}) is not in ${JSON.stringify(this.#env.observationSpace)}, ${where}`);
  }

  #infos(result: Result, where: string): void {
    for (const info of this.#column(result, this.#lanes === undefined ? "info" : "infos", where)) {
      if (typeof info !== "object" || info === null) fail(`an info is ${shown(info)}, which is no object, ${where}`);
    }
  }

  /** A value of a result for each environment. */
  #column(result: Result, name: string, where: string): unknown[] {
    const value = result[name];
    if (this.#lanes === undefined) return [value];
    const list = Object(value ?? []) as ArrayLike<unknown>;
    if (list.length !== this.#lanes)
      fail(`${name} has ${shown(list.length)} places for ${this.#lanes} environments, ${where}`);
    return Array.from(list);
  }
}

function record(what: string, result: unknown): Result {
  if (typeof result !== "object" || result === null) fail(`${what} gives ${shown(result)}, which is no object`);
  return result as Result;
}

function at(step: number): string {
  return `in step ${step}`;
}

/** A text that identifies an array: its length and a hash (FNV-1a) of its values. */
function textOf(array: unknown): string {
  let hash = 0x811c9dc5;
  const values = array as ArrayLike<number>;
  for (let index = 0; index < values.length; index++) {
    // Floats are from 0 to 1, in 256 steps.
    hash = Math.imul(hash ^ Math.round((values[index] ?? 0) * 255), 0x01000193);
  }
  return `${values.length}:${hash}`;
}

function fail(what: string): never {
  throw new Gym2600Error("bad-env", what);
}
