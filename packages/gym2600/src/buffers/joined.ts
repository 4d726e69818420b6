/** Arrays of numbers, one after the other. */

/** A new array of the type `Kind` with the numbers of all parts. */
export function joined<Numbers extends Uint8Array | Uint32Array | Int32Array | Float32Array | Float64Array>(
  Kind: new (length: number) => Numbers,
  parts: readonly Numbers[],
): Numbers {
  const all = new Kind(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
