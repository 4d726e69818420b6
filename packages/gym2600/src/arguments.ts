/** Checks and copies of arguments. */

import { Gym2600Error, shown } from "./errors.js";
import { MAX_LEVELS } from "./schema/gym.js";

/**
 * Refuses options that are no object.
 *
 * @throws Gym2600Error `bad-option`
 */
export function checkOptions<T extends object>(options: T): T {
  // A list or an array of numbers may have as many keys as memory has bytes.
  const isList = Array.isArray(options) || ArrayBuffer.isView(options) || options instanceof String;
  if (typeof options === "object" && options !== null && !isList) return options;
  throw new Gym2600Error("bad-option", `an object with options is needed, not ${shown(options)}`);
}

/**
 * Refuses what is no whole number from `least` to `most`.
 *
 * @throws Gym2600Error `bad-option`
 */
export function checkCount(what: string, count: number, least: number, most: number = Number.MAX_SAFE_INTEGER): void {
  if (Number.isSafeInteger(count) && count >= least && count <= most) return;
  const reason = `${shown(count)} is no whole number from ${least} to ${most}`;
  throw new Gym2600Error("bad-option", `${what}: ${reason}`, { details: { option: what, path: what, reason } });
}

/**
 * Refuses what is no finite number above 0.
 *
 * @throws Gym2600Error `bad-option`
 */
export function checkAboveZero(what: string, value: number): void {
  if (Number.isFinite(value) && value > 0) return;
  throw new Gym2600Error("bad-option", `${what} has to be a number above 0, not ${shown(value)}`);
}

/**
 * Whether something is wanted; false unless given.
 *
 * @throws Gym2600Error `bad-option` for what is neither true nor false
 */
export function flagOf(what: string, flag: boolean | null | undefined): boolean {
  if (flag === undefined || flag === null) return false;
  if (typeof flag === "boolean") return flag;
  const reason = `${shown(flag)} is neither true nor false`;
  throw new Gym2600Error("bad-option", `${what}: ${reason}`, { details: { option: what, path: what, reason } });
}

/**
 * Refuses an object without these methods.
 *
 * @throws Gym2600Error `bad-option`
 */
export function checkMethods(what: string, one: unknown, ...methods: readonly (string | symbol)[]): void {
  const found = (one ?? {}) as Readonly<Record<string | symbol, unknown>>;
  const missing = methods.find((name) => typeof found[name] !== "function");
  if (missing !== undefined)
    throw new Gym2600Error("bad-option", `${what}: ${shown(one)} has no method ${shown(missing)}`);
}

/**
 * The options `names`. Own keys are read alone: what every object inherits is no option.
 *
 * @throws Gym2600Error `bad-option`, which names the option, for an object with another one
 */
export function namedOptions<T extends object>(options: T, ...names: ReadonlyArray<string & keyof T>): T {
  for (const name of Object.keys(checkOptions(options))) {
    if ((names as readonly string[]).includes(name)) continue;
    throw new Gym2600Error("bad-option", `there is no option ${shown(name)}; there are ${names.join(", ")}`);
  }
  const named: Record<string, unknown> = {};
  for (const name of names) named[name] = Object.hasOwn(options, name) ? options[name] : undefined;
  return named as T;
}

/**
 * Refuses what is no address of a worker's script. `undefined` stands for the package's own.
 *
 * @throws Gym2600Error `bad-option`
 */
export function checkWorkerAddress(worker: string | URL | undefined): void {
  const isText = typeof worker === "string" && worker !== "";
  if (worker === undefined || isText || worker instanceof URL) return;
  throw new Gym2600Error("bad-option", `worker: an address is needed, not ${shown(worker) || "an empty one"}`);
}

/** Freezes `value` and all objects in it, and gives it back. */
export function frozen<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (Object(part) === part) frozen(part);
  return Object.freeze(value);
}

/** `value`, which is never missing: `invariant` says why. */
export function expected<T>(value: T | undefined, invariant: string): T {
  if (value === undefined) throw new Error(`broken invariant: ${invariant}`);
  return value;
}

/**
 * A copy of options, so that no later change of a list or a definition has an effect. The WebAssembly side checks the values, within
 * limits of their size; one level above its limit is copied, for it to refuse.
 *
 * @throws Gym2600Error `bad-option`
 */
export function copyOptions<T extends object>(options: T): T {
  // Without a prototype, whose keys are no options.
  return { __proto__: null, ...copied(checkOptions(options), MAX_LEVELS + 1) };
}

/** A copy of plain data. Other values stay as they are. */
function copied<T>(value: T, levels: number): T {
  if (levels === 0) return value;
  if (Array.isArray(value)) return value.map((one) => copied(one, levels - 1)) as T;
  // A definition may be a module.
  if (!/^\[object (Object|Module)\]$/.test(Object.prototype.toString.call(value))) return value;
  const entries = Object.entries(value as object).map(([key, one]) => [key, copied(one, levels - 1)]);
  // Not by assignment, which would take a key `__proto__` for the prototype.
  return Object.fromEntries(entries) as T;
}
