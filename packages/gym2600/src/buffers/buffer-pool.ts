/** Buffers that callers gave back with `recycle`, to be filled by later results. */

import { Gym2600Error, shown } from "../errors.js";
import type { Observation } from "../types.js";
import { arrayType, isArrayBuffer } from "./observation-buffers.js";

/** A bounded list of buffers, which it owns until {@link take} gives them away. */
export class BufferPool {
  readonly #capacity: number;
  readonly #buffers: ArrayBuffer[] = [];

  /** Keeps the last `capacity` buffers; one request at a time never needs more than two. */
  constructor(capacity = 2) {
    this.#capacity = capacity;
  }

  /** Takes ownership of a buffer. */
  add(buffer: ArrayBuffer): void {
    if (this.#buffers.includes(buffer)) return;
    this.#buffers.push(buffer);
    if (this.#buffers.length > this.#capacity) this.#buffers.shift();
  }

  /** Gives a buffer of that many bytes away, if the pool has one. */
  take(bytes: number): ArrayBuffer | undefined {
    const index = this.#buffers.findIndex(({ byteLength }) => byteLength === bytes);
    return index < 0 ? undefined : this.#buffers.splice(index, 1)[0];
  }
}

/** An array that `recycle` accepts: an observation, or the data of a picture. */
export type RecyclableArray = Observation | Uint8ClampedArray<ArrayBuffer>;

/**
 * The buffer of a recycled array.
 *
 * @throws Gym2600Error `bad-buffer` unless the array covers a whole transferable buffer whose size `isSize` accepts
 */
export function recyclable(array: RecyclableArray, isSize: (bytes: number) => boolean): ArrayBuffer {
  if (arrayType(array) === undefined) {
    throw new Gym2600Error("bad-buffer", `recycle takes an array of a result, not ${shown(array)}`);
  }
  const { buffer, byteLength } = array;
  if (!isArrayBuffer(buffer)) {
    throw new Gym2600Error("bad-buffer", "recycle takes memory that can be transferred, not shared memory");
  }
  const all = buffer.byteLength;
  if (byteLength === all && isSize(byteLength)) return buffer;
  throw new Gym2600Error("bad-buffer", `${byteLength} bytes of a buffer of ${all} do not match a result of this game`);
}
