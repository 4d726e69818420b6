/**
 * The shapes of observations that environments gave.
 *
 * An observation is a flat array, so a stack of 84 x 84 x 4 has as many bytes as one of 4 x 84 x 84. A policy asks here whether it was
 * given the one that it sees.
 */

import type { Box } from "../spaces.js";
import type { Observation } from "../types.js";

/** A page may have several copies of this module: `gym2600/inline` and `gym2600/learn` share none. */
const KEY = /* @__PURE__ */ Symbol.for("gym2600.shapes");

/** By the buffers of the arrays, so that a part of a batch is known too. */
function shapes(): WeakMap<ArrayBufferLike, readonly number[]> {
  const scope = globalThis as { [KEY]?: WeakMap<ArrayBufferLike, readonly number[]> };
  scope[KEY] ??= new WeakMap();
  return scope[KEY];
}

/** Notes that an environment has written observations of `space` to an array. */
export function noteShape({ buffer }: Observation, { shape }: Box): void {
  shapes().set(buffer, shape);
}

/** The shape of an observation, which may be one of a batch; undefined where no environment is known to have written it. */
export function notedShape({ buffer, length }: Uint8Array | Observation): readonly number[] | undefined {
  const shape = shapes().get(buffer) ?? [];
  let size = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    size *= shape[axis] ?? 1;
    if (size === length) return shape.slice(axis);
  }
  return undefined;
}
