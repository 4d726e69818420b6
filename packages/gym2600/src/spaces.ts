/**
 * Spaces of actions and observations, as in Gymnasium: `Discrete`, `Box` and `MultiDiscrete`.
 *
 * Each space has a generator. After `seed` its samples are repeatable; before, they differ from process to process, as Gymnasium's. With the same
 * seed they differ from Gymnasium's.
 */

import { ARRAYS, arrayName, arrayType, byteCount, firstOf, newObservation } from "./buffers/observation-buffers.js";
import { Gym2600Error, shown } from "./errors.js";
import type { ActionValue, Dtype, GameDescription, Observation } from "./types.js";

/** The interface of all spaces. */
export interface Space<T> {
  /** A random member. */
  sample(): T;
  /** Whether `value` is a member. */
  contains(value: unknown): boolean;
  /** Seeds the space's generator with `seed`, a whole number of at least 0. */
  seed(seed: number): void;
  /** The space as plain data. */
  toJSON(): SpaceJSON;
}

/** A space as plain data. */
export type SpaceJSON =
  | { readonly type: "Discrete"; readonly n: number }
  | {
      readonly type: "Box";
      readonly shape: readonly number[];
      readonly dtype: Dtype;
      readonly low: Bound;
      readonly high: Bound;
    }
  | { readonly type: "MultiDiscrete"; readonly nvec: readonly number[] };

/** The whole numbers from 0 to `n - 1`. */
export class Discrete implements Space<number> {
  /** The number of members. */
  readonly n: number;
  #random = Random.unseeded();

  constructor(n: number) {
    this.n = positive(n, "Discrete's n");
  }

  sample(): number {
    return this.#random.below(this.n);
  }

  contains(value: unknown): value is number {
    return isBelow(value, this.n);
  }

  seed(seed: number): void {
    this.#random = new Random(checkSeed(seed));
  }

  /** A space with the same members and a generator of its own, which goes on as this one's. */
  clone(): Discrete {
    const copy = new Discrete(this.n);
    copy.#random = this.#random.clone();
    return copy;
  }

  toJSON(): SpaceJSON {
    return { type: "Discrete", n: this.n };
  }
}

/** A bound of all values of an array, or a list with one of each. A list repeats where the array has more values, as batches have. */
export type Bound = number | readonly number[];

/** The largest 32-bit float. */
const FLOAT_MAX = 3.4028234663852886e38;

/** The numbers that an array of each type can have, and the default bounds. */
const RANGES: Record<
  Dtype,
  { readonly least: number; readonly most: number; readonly low: number; readonly high: number }
> = {
  uint8: { least: 0, most: 255, low: 0, high: 255 },
  float32: { least: -FLOAT_MAX, most: FLOAT_MAX, low: 0, high: 1 },
  int32: { least: -(2 ** 31), most: 2 ** 31 - 1, low: -(2 ** 31), high: 2 ** 31 - 1 },
};

/** Arrays of one shape with values between two bounds, both included. */
export class Box implements Space<Observation> {
  readonly shape: readonly number[];
  readonly dtype: Dtype;
  readonly low: Bound;
  readonly high: Bound;
  /** The number of values in an array. */
  readonly size: number;
  /** The number of bytes of an array. */
  readonly byteLength: number;
  #random = Random.unseeded();

  /** The default bounds are 0 to 255 for bytes, 0 to 1 for floats, and all whole numbers of 32 bits. */
  constructor(shape: readonly number[], dtype: Dtype, low?: Bound, high?: Bound) {
    const range = typeof dtype === "string" && Object.hasOwn(RANGES, dtype) ? RANGES[dtype] : undefined;
    if (range === undefined) throw new Gym2600Error("bad-space", `a Box has no dtype ${shown(dtype)}`);
    this.shape = Object.freeze(listOf(shape, "a Box's shape").map((length) => positive(length, "a Box's axis")));
    this.dtype = dtype;
    this.size = this.shape.reduce((product, length) => product * length, 1);
    this.byteLength = positive(this.size * ARRAYS[dtype].BYTES_PER_ELEMENT, "a Box's number of bytes");
    this.low = boundOf(low === undefined ? range.low : low, this.size, "low");
    this.high = boundOf(high === undefined ? range.high : high, this.size, "high");
    const lengths = [this.low, this.high].map((bound) => (typeof bound === "number" ? 1 : bound.length));
    const count = Math.max(...lengths);
    if (lengths.some((length) => length !== 1 && length !== count)) {
      throw new Gym2600Error("bad-space", `a Box has lists of bounds of one length, not of ${lengths.join(" and ")}`);
    }
    for (let index = 0; index < count; index++) {
      const [least, most] = [at(this.low, index), at(this.high, index)];
      if (!(range.least <= least && least <= most && most <= range.most)) {
        throw new Gym2600Error("bad-space", `a Box of ${dtype} cannot be from ${shown(least)} to ${shown(most)}`);
      }
    }
  }

  /** @throws Gym2600Error `bad-buffer` if there is no memory for it */
  sample(): Observation {
    const values = newObservation(this);
    for (let index = 0; index < values.length; index++) {
      const low = at(this.low, index);
      const span = at(this.high, index) - low;
      values[index] = low + (this.dtype === "float32" ? this.#random.next() * span : this.#random.below(span + 1));
    }
    return values;
  }

  contains(value: unknown): value is Observation {
    if (arrayType(value) !== ARRAYS[this.dtype].name) return false;
    if (byteCount(value) !== this.byteLength) return false;
    if (this.dtype === "uint8" && this.low === 0 && this.high === 255) return true;
    const numbers = firstOf(value as Observation, this.size);
    return numbers.every(
      (number: number, index: number) => number >= at(this.low, index) && number <= at(this.high, index),
    );
  }

  seed(seed: number): void {
    this.#random = new Random(checkSeed(seed));
  }

  toJSON(): SpaceJSON {
    return { type: "Box", shape: this.shape, dtype: this.dtype, low: this.low, high: this.high };
  }
}

/** Lists of whole numbers. Number i is from 0 to `nvec[i] - 1`. */
export class MultiDiscrete implements Space<Int32Array<ArrayBuffer>> {
  readonly nvec: readonly number[];
  #random = Random.unseeded();

  constructor(nvec: readonly number[]) {
    this.nvec = Object.freeze(
      listOf(nvec, "MultiDiscrete's nvec").map((n) => positive(n, "an entry of MultiDiscrete's nvec")),
    );
  }

  sample(): Int32Array<ArrayBuffer> {
    return Int32Array.from(this.nvec, (n) => this.#random.below(n));
  }

  contains(value: unknown): boolean {
    if (!Array.isArray(value) && !ArrayBuffer.isView(value)) return false;
    const values = value as ArrayLike<unknown>;
    return values.length === this.nvec.length && this.nvec.every((n, index) => isBelow(values[index], n));
  }

  seed(seed: number): void {
    this.#random = new Random(checkSeed(seed));
  }

  toJSON(): SpaceJSON {
    return { type: "MultiDiscrete", nvec: this.nvec };
  }
}

/** The space of the observations of an environment. */
export function spaceOf({ observation: { shape, dtype, bounds } }: GameDescription): Box {
  return new Box(shape, dtype, bounds?.low, bounds?.high);
}

/** A copy of the bound of an array of `size` values. */
function boundOf(bound: Bound, size: number, name: string): Bound {
  if (typeof bound === "number") return bound;
  if (Array.isArray(bound) && bound.length > 0 && size % bound.length === 0) return Object.freeze(Array.from(bound));
  throw new Gym2600Error(
    "bad-space",
    `a Box's ${name} has to be a number or a list that ${size} values repeat, not ${kindOf(bound)}`,
  );
}

/** The bound of a value by its place in an array; NaN for what is no number. */
function at(bound: Bound, index: number): number {
  const value: unknown = typeof bound === "number" ? bound : bound[index % bound.length];
  return typeof value === "number" ? value : Number.NaN;
}

/**
 * The space that all lanes of a batch share.
 *
 * @throws Gym2600Error `bad-space` if they differ, naming the lane and both
 */
export function commonSpace<T extends Box | Discrete>(spaces: readonly T[]): T {
  const all = listOf(spaces, "what a batch shares");
  for (const space of all) {
    if (typeof space?.toJSON !== "function") throw new Gym2600Error("bad-space", `${shown(space)} is no space`);
  }
  const [first, ...others] = all;
  if (first === undefined) throw new Gym2600Error("bad-space", "no spaces are no batch");
  const expected = JSON.stringify(first);
  for (const [index, other] of others.entries()) {
    const found = JSON.stringify(other);
    if (found !== expected) {
      throw new Gym2600Error("bad-space", `spaces differ: ${expected} in environment 0, ${found} in ${index + 1}`);
    }
  }
  return first;
}

/** `seed`, if it is valid. */
export function checkSeed(seed: number): number {
  if (Number.isSafeInteger(seed) && seed >= 0) return seed;
  throw new Gym2600Error("bad-option", `seed has to be a whole number from 0 to 2^53 - 1, not ${shown(seed)}`);
}

/** The largest number of an action that crosses to the WebAssembly side. */
const MAX_ACTION = 2 ** 32 - 1;

/**
 * The number of an action as frameworks give it: a whole number, a `bigint`, or a typed array of one of them. The environment knows
 * which numbers it has.
 *
 * @throws Gym2600Error `bad-action`
 */
export function actionNumber(action: ActionValue): number {
  const number = numberOf(action);
  if (isBelow(number, MAX_ACTION)) return number;
  const given = typeof number === "number" ? number : kindOf(action);
  throw new Gym2600Error("bad-action", `an action is a whole number of at least 0, not ${given}`);
}

function numberOf(action: unknown): unknown {
  if (typeof action === "number") return action;
  const isOne = arrayType(action) !== undefined && (action as ArrayLike<unknown>).length === 1;
  const value = isOne ? (action as ArrayLike<unknown>)[0] : action;
  return typeof value === "bigint" ? Number(value) : value;
}

/** A value with its type, for messages. */
export function kindOf(value: unknown): string {
  if (arrayType(value) !== undefined) return arrayName(value);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return value === null || value === undefined ? shown(value) : `the ${typeof value} ${shown(value)}`;
}

/** The longest list of a space's sizes. */
const MAX_LIST = 10_000;

/** A copy of `list`, if it is one. */
function listOf<T>(list: readonly T[], what: string): readonly T[] {
  if (!Array.isArray(list)) throw new Gym2600Error("bad-space", `${what} has to be a list, not ${shown(list)}`);
  if (list.length > MAX_LIST) {
    throw new Gym2600Error("bad-space", `${what} has ${list.length} entries, and ${MAX_LIST} are possible`);
  }
  // The copy has no holes, which `map` skips.
  return Array.from(list);
}

function positive(value: number, what: string): number {
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new Gym2600Error("bad-space", `${what} has to be a whole number of at least 1, not ${shown(value)}`);
}

function isBelow(value: unknown, n: number): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value < n;
}

/** A Weyl sequence with a mixing step: a small generator for samples. */
class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed ^ Math.floor(seed / 2 ** 32)) >>> 0;
  }

  /** A generator of numbers that no other process has. */
  static unseeded(): Random {
    return new Random(Math.floor(Math.random() * 2 ** 32));
  }

  clone(): Random {
    return new Random(this.#state);
  }

  /** A number of at least 0 and below 1. */
  next(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  }

  /** A whole number of at least 0 and below `n`. */
  below(n: number): number {
    return Math.floor(this.next() * n);
  }
}
