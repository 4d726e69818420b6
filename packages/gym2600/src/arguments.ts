/** Checks and copies of arguments. */

import { type ErrorCode, Gym2600Error, isGym2600Error, shown } from "./errors.js";

/** The most environments of a batch, far above what a machine can use. A mistyped number is refused instead of ending the process. */
export const MAX_ENVS = 10_000;

/**
 * What `read` gives. Getters and proxies of the caller's may throw anything.
 *
 * @throws Gym2600Error that of `read`; one with `code`, which names `what`, for any other exception
 */
export function reading<T>(what: string, read: () => T, code: ErrorCode = "bad-option"): T {
  try {
    return read();
  } catch (error) {
    if (isGym2600Error(error)) throw error;
    throw new Gym2600Error(code, `${what}: reading it throws an exception`, { cause: error });
  }
}

/**
 * Refuses options that are no object.
 *
 * @throws Gym2600Error `bad-option`
 */
export function checkOptions<T extends object>(options: T): T {
  // A list or an array of numbers may have as many keys as memory has bytes.
  const isList = () => Array.isArray(options) || ArrayBuffer.isView(options) || options instanceof String;
  if (typeof options === "object" && options !== null && !reading("options", isList)) return options;
  throw new Gym2600Error("bad-option", `an object with options is needed, not ${shown(options)}`);
}

/**
 * Refuses what is no whole number from `least` to `most`.
 *
 * @throws Gym2600Error `bad-option`
 */
export function checkCount(what: string, count: number, least: number, most: number = Number.MAX_SAFE_INTEGER): void {
  if (Number.isSafeInteger(count) && count >= least && count <= most) return;
  throw new Gym2600Error("bad-option", `${what}: ${shown(count)} is no whole number from ${least} to ${most}`);
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
 * Refuses an object without these methods.
 *
 * @throws Gym2600Error `bad-option`
 */
export function checkMethods(what: string, one: unknown, ...methods: readonly (string | symbol)[]): void {
  const found = (one ?? {}) as Readonly<Record<string | symbol, unknown>>;
  const missing = reading(what, () => methods.find((name) => typeof found[name] !== "function"));
  if (missing !== undefined)
    throw new Gym2600Error("bad-option", `${what}: ${shown(one)} has no method ${shown(missing)}`);
}

/**
 * The options `names`, each read once.
 *
 * @throws Gym2600Error `bad-option`, which names the option, for an object with another one
 */
export function namedOptions<T extends object>(options: T, ...names: ReadonlyArray<string & keyof T>): T {
  const named = {} as T;
  reading("options", () => {
    for (const name in checkOptions(options)) {
      if ((names as readonly string[]).includes(name)) continue;
      throw new Gym2600Error("bad-option", `there is no option ${shown(name)}, but ${names}`);
    }
  });
  for (const name of names) named[name] = reading(`option ${name}`, () => options[name]);
  return named;
}

/**
 * Refuses what is no address of a worker's script. `undefined` stands for the package's own.
 *
 * @throws Gym2600Error `bad-option`
 */
export function checkWorkerAddress(worker: string | URL | undefined): void {
  const isText = typeof worker === "string" && worker !== "";
  if (worker === undefined || isText || reading("worker", () => worker instanceof URL)) return;
  throw new Gym2600Error("bad-option", `worker: an address is needed, not ${shown(worker) || "an empty one"}`);
}

/** Freezes `value` and all objects in it, and gives it back. */
export function frozen<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (Object(part) === part) frozen(part);
  return Object.freeze(value);
}

/** Levels of objects and lists that are copied. The WebAssembly side refuses more than eight. */
const COPIED_LEVELS = 9;
/** Values and characters that are copied, more than the WebAssembly side takes. A short list may name one long text many times. */
const MAX_COPIED = 1 << 20;

/**
 * A copy of options, made once, so that a property which throws is found before anything else happens, and so that no later change of a
 * list or a definition has an effect. The WebAssembly side checks the values.
 *
 * @throws Gym2600Error `bad-option`, which names the option; `bad-game` for too large a definition
 */
export function copyOptions<T extends object>(options: T): T {
  const copy: Array<[keyof T, unknown]> = [];
  const room = { left: MAX_COPIED };
  for (const key of reading("options", () => Object.keys(checkOptions(options))) as Array<keyof T>) {
    const what = `option ${shown(key)}`;
    const value = reading(what, () => options[key]);
    try {
      copy.push([key, typeof value === "string" ? value : copied(value, COPIED_LEVELS, room)]);
    } catch {
      // The WebAssembly side names the property that throws.
      copy.push([key, value]);
    }
    if (room.left >= 0) continue;
    const code = key === "game" ? "bad-game" : "bad-option";
    throw new Gym2600Error(code, `${what}: more than ${MAX_COPIED} values and characters`);
  }
  // Not by assignment, which would take a key `__proto__` for the prototype.
  return Object.fromEntries(copy) as T;
}

/** A copy of plain data. Other values stay as they are: the WebAssembly side says what is wrong with them. */
function copied<T>(value: T, levels: number, room: { left: number }): T {
  room.left -= typeof value === "string" ? value.length : 1;
  if (room.left < 0) throw new RangeError();
  const inner = <U>(one: U): U => copied(one, levels - 1, room);
  if (Array.isArray(value)) return (levels === 0 ? [] : Array.from(value, inner)) as T;
  // A definition may be a module.
  const isPlain = /^\[object (Object|Module)\]$/.test(Object.prototype.toString.call(value));
  if (!isPlain || ArrayBuffer.isView(value)) return value;
  const entries = levels === 0 ? [] : Object.entries(value as object);
  return Object.fromEntries(entries.map(([key, one]) => [inner(key), inner(one)])) as T;
}
