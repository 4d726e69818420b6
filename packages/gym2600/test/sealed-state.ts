/** Saved states without their seal, so that tests can change what is behind a right checksum. */

import { createHash } from "node:crypto";

/** Magic, version, kind and MD5 of the ROM, which stay as they are. */
const IDENTITY = 5 + 1 + 1 + 16;
/** The same with checksum and length. */
const HEADER = IDENTITY + 4 + 4;

/** The payload of a sealed state. */
export function unseal(sealed: Uint8Array): Uint8Array {
  const length = new DataView(sealed.buffer, sealed.byteOffset).getUint32(IDENTITY + 4, true);
  return decompress(sealed.subarray(HEADER), length);
}

/** A state with the identity of `like` and another payload. */
export function seal(like: Uint8Array, payload: Uint8Array): Uint8Array<ArrayBuffer> {
  return sealPacked(like, literals(payload), payload.length);
}

/** The compressed payload of a sealed state. */
export function packedOf(sealed: Uint8Array): Uint8Array {
  return sealed.subarray(HEADER);
}

/** A state with the identity of `like`, and a compressed payload and a length that need not fit each other. */
export function sealPacked(like: Uint8Array, packed: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const sealed = new Uint8Array(HEADER + packed.length);
  sealed.set(like.subarray(0, IDENTITY));
  sealed.set(createHash("md5").update(packed).digest().subarray(0, 4), IDENTITY);
  new DataView(sealed.buffer).setUint32(IDENTITY + 4, length, true);
  sealed.set(packed, HEADER);
  return sealed;
}

/** An LZ4 block of one sequence without a match. */
function literals(payload: Uint8Array): Uint8Array {
  if (payload.length < 15) return Uint8Array.of(payload.length << 4, ...payload);
  const more = Math.floor((payload.length - 15) / 255);
  const block = new Uint8Array(1 + more + 1 + payload.length);
  block[0] = 0xf0;
  block.fill(0xff, 1, 1 + more);
  block[1 + more] = (payload.length - 15) % 255;
  block.set(payload, 1 + more + 1);
  return block;
}

/** The content of a valid LZ4 block. */
function decompress(block: Uint8Array, length: number): Uint8Array {
  const content = new Uint8Array(length);
  let [from, to] = [0, 0];
  const next = () => block[from++] ?? 0;
  const long = (first: number) => {
    let count = first;
    if (first === 15) {
      let byte: number;
      do {
        byte = next();
        count += byte;
      } while (byte === 255);
    }
    return count;
  };
  while (from < block.length) {
    const token = next();
    const fresh = long(token >> 4);
    content.set(block.subarray(from, from + fresh), to);
    from += fresh;
    to += fresh;
    if (from >= block.length) break;
    const back = next() | (next() << 8);
    const copied = long(token & 15) + 4;
    for (let count = 0; count < copied; count++, to++) content[to] = content[to - back] ?? 0;
  }
  return content;
}
