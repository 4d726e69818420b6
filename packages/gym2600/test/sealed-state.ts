/** Saved states without their seal, so that tests can change what is behind a right checksum. */

import { createHash } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";

/** Magic, version, kind and MD5 of the ROM, which stay as they are. */
const IDENTITY = 5 + 1 + 1 + 16;
/** The same with the checksum. */
const HEADER = IDENTITY + 4;

/** The payload of a sealed state. */
export function unseal(sealed: Uint8Array): Uint8Array {
  return Uint8Array.from(inflateRawSync(packedOf(sealed)));
}

/** A state with the identity of `like` and another payload. */
export function seal(like: Uint8Array, payload: Uint8Array): Uint8Array<ArrayBuffer> {
  return sealPacked(like, deflateRawSync(payload, { level: 1 }));
}

/** The compressed payload of a sealed state. */
export function packedOf(sealed: Uint8Array): Uint8Array {
  return sealed.subarray(HEADER);
}

/** A state with the identity of `like` and another compressed payload. */
export function sealPacked(like: Uint8Array, packed: Uint8Array): Uint8Array<ArrayBuffer> {
  const sealed = new Uint8Array(HEADER + packed.length);
  sealed.set(like.subarray(0, IDENTITY));
  sealed.set(createHash("md5").update(packed).digest().subarray(0, 4), IDENTITY);
  sealed.set(packed, HEADER);
  return sealed;
}
