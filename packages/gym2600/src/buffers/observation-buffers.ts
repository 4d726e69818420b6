/**
 * The arrays that observations and pictures are handed out in, and who owns them.
 *
 * | array | owner |
 * |---|---|
 * | an observation or a picture of a result | the caller, without limit of time |
 * | an array passed as `into` | the caller; it is written before the call returns or its promise settles |
 * | an array passed to `recycle` | the package from that call on; see `buffer-pool.ts` |
 * | a buffer inside a message to or from a worker | the receiver: it is transferred |
 */

import { Gym2600Error, shown } from "../errors.js";
import type { Dtype, GameDescription, Observation, Picture } from "../types.js";

type ScreenSize = GameDescription["screen"];

/** The type and size of an observation, as a `Box` has them. */
interface ObservationSize {
  readonly dtype: Dtype;
  /** How many numbers it has. */
  readonly size: number;
  readonly byteLength: number;
}

/** The arrays of each type of observations. */
export const ARRAYS: {
  readonly uint8: Uint8ArrayConstructor;
  readonly float32: Float32ArrayConstructor;
  readonly int32: Int32ArrayConstructor;
} = { uint8: Uint8Array, float32: Float32Array, int32: Int32Array };

/** An observation over all of `buffer`. */
export function observationOver(buffer: ArrayBuffer, dtype: Dtype): Observation {
  return new ARRAYS[dtype](buffer);
}

/**
 * A new array for an observation of `space`.
 *
 * @throws Gym2600Error `bad-buffer` if there is no memory for it
 */
export function newObservation(space: ObservationSize): Observation {
  try {
    return new ARRAYS[space.dtype](space.size);
  } catch (error) {
    throw new Gym2600Error("bad-buffer", `no memory for ${space.byteLength} bytes`, { cause: error });
  }
}

/** The type of an array of numbers, of any realm; undefined for any other value. */
export function arrayType(value: unknown): string | undefined {
  return ArrayBuffer.isView(value) && !(value instanceof DataView)
    ? (value as Uint8Array)[Symbol.toStringTag]
    : undefined;
}

/** Whether a value is memory that can be transferred, of any realm. */
export function isArrayBuffer(value: unknown): value is ArrayBuffer {
  return Object.prototype.toString.call(value) === "[object ArrayBuffer]";
}

/** The bytes of an array, as a view of them. */
export function bytesOf(array: Observation | Uint8ClampedArray<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/** How many bytes an array has; -1 for what is none. */
export function byteCount(array: unknown): number {
  return arrayType(array) === undefined ? -1 : (array as Uint8Array).byteLength;
}

/** The first `size` numbers of an observation, as a new view. */
export function firstOf(array: Observation, size: number): Observation {
  return array.subarray(0, size);
}

/** How many bytes an observation has. */
export function observationBytes({ observation: { shape, dtype } }: GameDescription): number {
  return shape.reduce((product, length) => product * length, ARRAYS[dtype].BYTES_PER_ELEMENT);
}

/** How many bytes a picture has. */
export function pictureBytes({ screen: { width, height } }: GameDescription): number {
  return width * height * 4;
}

/** A new picture. */
export function newPicture(screen: ScreenSize): Picture {
  return pictureOver(new ArrayBuffer(screen.width * screen.height * 4), screen);
}

/** A picture over all of `buffer`. */
export function pictureOver(buffer: ArrayBuffer, { width, height }: ScreenSize): Picture {
  const data = new Uint8ClampedArray(buffer);
  if (typeof ImageData !== "undefined") return new ImageData(data, width, height);
  return { data, width, height, colorSpace: "srgb" };
}

/**
 * The pixels of a picture. Refuses an object that is no picture of this size.
 *
 * @throws Gym2600Error `bad-buffer`
 */
export function pixelsOf(into: Picture, { width, height }: ScreenSize): Picture["data"] {
  const data = (into as Picture | null | undefined)?.data;
  if (arrayType(data) === "Uint8ClampedArray" && byteCount(data) === width * height * 4) return data as Picture["data"];
  throw new Gym2600Error(
    "bad-buffer",
    `a picture here is an ImageData of ${width} x ${height}, not ${arrayName(data)}`,
  );
}

/**
 * Refuses an array that is not an observation of `space`. A detached array has length 0 and is refused too.
 *
 * @throws Gym2600Error `bad-buffer`
 */
export function checkObservation(into: Observation | undefined, space: ObservationSize): void {
  const { name } = ARRAYS[space.dtype];
  if (arrayType(into) === name && byteCount(into) === space.byteLength) return;
  throw new Gym2600Error(
    "bad-buffer",
    `an observation here is a ${name} of ${space.byteLength} bytes, not ${arrayName(into)}`,
  );
}

/** An array of the caller's by its type and length, for messages. */
export function arrayName(value: unknown): string {
  const type = arrayType(value);
  return type === undefined ? shown(value) : `a ${type} of ${byteCount(value)} bytes`;
}
