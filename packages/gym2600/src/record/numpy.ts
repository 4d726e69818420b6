/** NumPy's files of arrays: `.npy` for one, `.npz` for several by name. */

import { zipSync } from "fflate";
import { checkOptions } from "../arguments.js";
import { arrayType, byteCount, bytesOf } from "../buffers/observation-buffers.js";
import { Gym2600Error, shown } from "../errors.js";

/** An array in C order: the last axis moves fastest. */
export interface NumpyArray {
  readonly shape: readonly number[];
  readonly data: Uint8Array | Int32Array | Float32Array | Float64Array;
}

/** NumPy's names of the types, least byte first. */
const TYPES: Readonly<Record<string, readonly [name: string, bytes: number]>> = {
  Uint8Array: ["|u1", 1],
  Int32Array: ["<i4", 4],
  Float32Array: ["<f4", 4],
  Float64Array: ["<f8", 8],
};

/** The first bytes of a file, with the version of the format. The length of the header follows in two bytes, and the header. */
const MAGIC = "\x93NUMPY\x01\x00";

/** The header is padded so that the data begin at a multiple of this. */
const ALIGNMENT = 64;

/**
 * The bytes of a `.npy` file, for `numpy.load`.
 *
 * @throws Gym2600Error `bad-option` for another type, or a shape of another size
 */
export function npy(array: NumpyArray): Uint8Array<ArrayBuffer> {
  const { shape, data } = checkOptions(array);
  const [type, size] = TYPES[arrayType(data) ?? ""] ?? [];
  if (type === undefined || size === undefined) {
    throw new Gym2600Error("bad-option", "data has to be a Uint8Array, Int32Array, Float32Array or Float64Array");
  }
  const length = byteCount(data) / size;
  // As many axes as NumPy has at most. A hole in a list is undefined.
  const isShape =
    Array.isArray(shape) &&
    shape.length <= 64 &&
    Array.from(shape).every((length) => Number.isSafeInteger(length) && length >= 0);
  if (!isShape || shape.reduce((product, length) => product * length, 1) !== length) {
    throw new Gym2600Error("bad-option", `shape: [${shown(shape)}] is no shape of ${length} values`);
  }
  const values = bytesOf(data as Uint8Array<ArrayBuffer>);
  // Python writes a list of one with a comma.
  const axes = shape.length === 1 ? `${shape[0]},` : shape.join(", ");
  const text = `{'descr': '${type}', 'fortran_order': False, 'shape': (${axes}), }`;
  const start = Math.ceil((MAGIC.length + 2 + text.length + 1) / ALIGNMENT) * ALIGNMENT;
  const header = start - MAGIC.length - 2;
  const bytes = new Uint8Array(start + values.length);
  bytes.set(ascii(MAGIC));
  new DataView(bytes.buffer).setUint16(MAGIC.length, header, true);
  bytes.set(ascii(`${text.padEnd(header - 1)}\n`), MAGIC.length + 2);
  bytes.set(values, start);
  return bytes;
}

/**
 * The bytes of a compressed `.npz` file, for `numpy.load`. The same arrays give the same bytes.
 *
 * @throws Gym2600Error `bad-option` as {@link npy}, or for a name that a ZIP file cannot have
 */
export function npz(arrays: Readonly<Record<string, NumpyArray>>): Uint8Array<ArrayBuffer> {
  const files = Object.entries(checkOptions(arrays)).map(([name, array]) => [`${name}.npy`, npy(array)] as const);
  try {
    // A ZIP file's earliest date.
    return new Uint8Array(zipSync(Object.fromEntries(files), { mtime: new Date(1980, 0, 1) }));
  } catch (error) {
    throw new Gym2600Error("bad-option", `arrays: ${(error as Error).message}`, { cause: error });
  }
}

function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
