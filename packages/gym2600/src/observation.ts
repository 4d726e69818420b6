/** Arrays that observations and pictures are handed out in. */

import { Gym2600Error } from "./errors.js";
import type { Box } from "./spaces.js";
import type { Dtype, GameDescription, Observation, Picture } from "./types.js";

/** An observation over `buffer`, all of it. */
export function observationOver(buffer: ArrayBuffer, dtype: Dtype): Observation {
  return dtype === "uint8" ? new Uint8Array(buffer) : new Float32Array(buffer);
}

/** A new array for an observation of `space`. */
export function newObservation(space: Box): Observation {
  return space.dtype === "uint8" ? new Uint8Array(space.size) : new Float32Array(space.size);
}

/** The bytes of an array. */
export function bytesOf(array: Observation): Uint8Array<ArrayBuffer> {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/** How many bytes a picture has. */
export function pictureBytes({ screen: { width, height } }: GameDescription): number {
  return width * height * 4;
}

/** A picture over `buffer`, all of it. */
export function pictureOver(buffer: ArrayBuffer, description: GameDescription): Picture {
  return { ...description.screen, data: new Uint8ClampedArray(buffer) };
}

/** Refuses an array of the caller's that is not what an observation of `space` is. */
export function checkObservation(into: Observation, space: Box): void {
  const rightType = space.dtype === "uint8" ? into instanceof Uint8Array : into instanceof Float32Array;
  if (rightType && into.length === space.size) return;
  const name = space.dtype === "uint8" ? "Uint8Array" : "Float32Array";
  const given = `${into.constructor.name} of ${into.length}`;
  throw new Gym2600Error("bad-buffer", `an observation here is a ${name} of ${space.size}, not a ${given}`);
}
