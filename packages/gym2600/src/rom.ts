/** Checks of arguments, and reading a cartridge's bytes. */

import { Gym2600Error, messageOf, shown } from "./errors.js";
import type { RomSource } from "./types.js";

/** The most environments of a batch, far above what a machine can use. A mistyped number is refused instead of ending the process. */
export const MAX_ENVS = 10_000;

/** The most bytes of a ROM that are read. No cartridge has a fiftieth of them; which sizes there are, the WebAssembly side knows. */
export const MAX_ROM_BYTES: number = 1 << 20;

/**
 * A copy of the bytes of `source`.
 *
 * @throws Gym2600Error `bad-rom`; `bad-rom-size` for more than a megabyte, of which nothing is copied
 */
export async function romBytes(source: RomSource): Promise<Uint8Array<ArrayBuffer>> {
  try {
    if (source instanceof Uint8Array || source instanceof ArrayBuffer) {
      checkRomSize(source.byteLength);
      return new Uint8Array(source).slice();
    }
    if (typeof Blob !== "undefined" && source instanceof Blob) {
      checkRomSize(source.size);
      return new Uint8Array(await source.arrayBuffer());
    }
    if (typeof Response !== "undefined" && source instanceof Response) return await bodyOf(source);
  } catch (error) {
    if (error instanceof Gym2600Error) throw error;
    // A detached buffer, a file that has changed, a connection that broke.
    throw new Gym2600Error("bad-rom", `rom cannot be read: ${messageOf(error)}`, { cause: error });
  }
  const given = typeof source === "string" ? `the text ${JSON.stringify(shown(source))}` : shown(source);
  throw new Gym2600Error("bad-rom", `rom has to be a Uint8Array, an ArrayBuffer, a Blob or a Response, not ${given}`);
}

/**
 * Refuses options that are no object.
 *
 * @throws Gym2600Error `bad-option`
 */
export function checkOptions<T extends object>(options: T): T {
  if (typeof options === "object" && options !== null) return options;
  throw new Gym2600Error("bad-option", `an object with options is needed, not ${shown(options)}`);
}

/**
 * Refuses options that are no object, or have another name than `names`.
 *
 * @throws Gym2600Error `bad-option`, which names the option
 */
export function checkNames<T extends object>(options: T, ...names: ReadonlyArray<string & keyof T>): T {
  for (const name in checkOptions(options)) {
    if ((names as readonly string[]).includes(name)) continue;
    throw new Gym2600Error("bad-option", `there is no option ${shown(name)}, but ${names}`);
  }
  return options;
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
  const missing = methods.find((name) => typeof found[name] !== "function");
  if (missing !== undefined)
    throw new Gym2600Error("bad-option", `${what}: ${shown(one)} has no method ${shown(missing)}`);
}

/**
 * A copy of options, made once, so that a property which throws is found before anything else happens, and so that no later change of a
 * list or a definition has an effect. The WebAssembly side checks the values.
 *
 * @throws Gym2600Error `bad-option`
 */
export function copyOptions<T extends object>(options: T): T {
  let key: keyof T | undefined;
  const copy: Partial<T> = {};
  checkOptions(options);
  try {
    for (key of Object.keys(options) as Array<keyof T>) copy[key] = copied(options[key]);
  } catch (error) {
    const what = key === undefined ? "options" : `option ${shown(key)}`;
    throw new Gym2600Error("bad-option", `${what}: reading it throws an exception`, { cause: error });
  }
  return copy as T;
}

/** A copy of plain data. What cannot be copied is left for the WebAssembly side, which says what is wrong with it. */
function copied<T>(value: T): T {
  const isPlain =
    Array.isArray(value) ||
    (value !== null && typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype);
  try {
    return isPlain ? structuredClone(value) : value;
  } catch {
    return value;
  }
}

async function bodyOf(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  if (!response.ok)
    throw new Gym2600Error("bad-rom", `rom: the response's status is ${response.status} ${response.statusText}`);
  if (response.bodyUsed) throw new Gym2600Error("bad-rom", "rom: the response's body has already been read");
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const reader = response.body?.getReader();
  try {
    checkRomSize(Number(response.headers.get("content-length")));
    for (let bytes = 0; reader !== undefined; ) {
      const { done, value } = await reader.read();
      if (done) break;
      bytes += value.length;
      checkRomSize(bytes);
      chunks.push(value);
    }
  } finally {
    // Of no effect after the end.
    reader?.cancel().catch(() => undefined);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

function checkRomSize(bytes: number): void {
  if (bytes <= MAX_ROM_BYTES) return;
  throw new Gym2600Error("bad-rom-size", `rom: no cartridge has ${bytes} bytes`);
}
