/** Buffers that came back, to be filled again. */

import { Gym2600Error } from "./errors.js";
import type { Observation } from "./types.js";

/** See the module. */
export class Spares {
  readonly #most: number;
  readonly #buffers: ArrayBuffer[] = [];

  /** Keeps no more than `most`, those that came last: where there is one request at a time more would never be used. */
  constructor(most = 2) {
    this.#most = most;
  }

  /** Takes one back. */
  add(buffer: ArrayBuffer): void {
    if (this.#buffers.includes(buffer)) return;
    this.#buffers.push(buffer);
    if (this.#buffers.length > this.#most) this.#buffers.shift();
  }

  /** Gives one of that many bytes away, if there is one. */
  take(bytes: number): ArrayBuffer | undefined {
    const index = this.#buffers.findIndex(({ byteLength }) => byteLength === bytes);
    return index < 0 ? undefined : this.#buffers.splice(index, 1)[0];
  }
}

/** All the buffer of an array that comes back; refused if a result has none of that size. */
export function wholeBuffer(
  { buffer, byteLength }: Observation | Uint8ClampedArray<ArrayBuffer>,
  isSize: (bytes: number) => boolean,
): ArrayBuffer {
  if (byteLength === buffer.byteLength && isSize(byteLength)) return buffer;
  const whole = byteLength === buffer.byteLength ? "" : `, of a buffer of ${buffer.byteLength},`;
  throw new Gym2600Error("bad-buffer", `an array of ${byteLength} bytes${whole} is no result's of this game`);
}
