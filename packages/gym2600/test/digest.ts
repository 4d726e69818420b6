/** Digests for quick comparison. vitest compares the numbers of arrays one by one. */

import { createHash } from "node:crypto";

/** `result` with every array of numbers replaced by its digest. */
export function digest(result: unknown): unknown {
  if (ArrayBuffer.isView(result)) {
    const hash = createHash("sha1")
      .update(new Uint8Array(result.buffer, result.byteOffset, result.byteLength))
      .digest("hex");
    return `${result.constructor.name} ${result.byteLength} ${hash}`;
  }
  if (Array.isArray(result)) return result.map(digest);
  if (typeof result !== "object" || result === null) return result;
  return Object.fromEntries(Object.entries(result).map(([key, value]) => [key, digest(value)]));
}
