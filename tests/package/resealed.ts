import { crc32 } from "node:zlib";

/** A changed file of weights, or a checkpoint, with the checksum of its bytes. */
export function resealed(changed: Uint8Array): Uint8Array {
  const file = Buffer.from(changed);
  const key = '\\"crc32\\":\\"';
  const at = file.lastIndexOf(key) + key.length;
  file.write("00000000", at);
  file.write(crc32(file).toString(16).padStart(8, "0"), at);
  return new Uint8Array(file);
}
