/** Reading a cartridge's bytes. */

import { arrayName, arrayType, bytesOf, isArrayBuffer } from "./buffers/observation-buffers.js";
import { Gym2600Error, messageOf, shown } from "./errors.js";
import type { RomSource } from "./types.js";

/** The most bytes of a ROM that are read. No cartridge has a fiftieth of them; which sizes there are, the WebAssembly side knows. */
export const MAX_ROM_BYTES: number = 1 << 20;

/**
 * A copy of the bytes of `source`.
 *
 * @throws Gym2600Error `bad-rom`; `bad-rom-size` for more than a megabyte, of which nothing is copied
 */
export async function romBytes(source: RomSource): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const isArray = arrayType(source) === "Uint8Array";
    if (isArray || isArrayBuffer(source)) {
      const bytes = isArray ? bytesOf(source as Uint8Array<ArrayBuffer>) : new Uint8Array(source as ArrayBuffer);
      checkRomSize(bytes.length);
      return bytes.slice();
    }
    if (typeof Blob !== "undefined" && source instanceof Blob) {
      checkRomSize(source.size);
      return new Uint8Array(await source.arrayBuffer());
    }
    if (typeof Response !== "undefined" && source instanceof Response) return await bodyOf(source);
  } catch (error) {
    if (error instanceof Gym2600Error) throw error;
    // A detached buffer, a file that has changed, a connection that broke.
    throw new Gym2600Error("bad-rom", `rom cannot be read: ${messageOf(error)}`, { cause: error });
  }
  const given = typeof source === "string" ? `the text ${JSON.stringify(shown(source))}` : arrayName(source);
  throw new Gym2600Error("bad-rom", `rom has to be a Uint8Array, an ArrayBuffer, a Blob or a Response, not ${given}`);
}

async function bodyOf(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  if (!response.ok)
    throw new Gym2600Error("bad-rom", `rom: the response's status is ${response.status} ${response.statusText}`);
  if (response.bodyUsed) throw new Gym2600Error("bad-rom", "rom: the response's body has already been read");
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const reader = response.body?.getReader();
  try {
    checkRomSize(Number(response.headers.get("content-length")));
    for (let bytes = 0; reader !== undefined; ) {
      const { done, value } = await reader.read();
      if (done) break;
      // An empty part counts too: a stream may have no end of them.
      bytes += value.length || 1;
      checkRomSize(bytes);
      chunks.push(value);
    }
  } finally {
    // Of no effect after the end.
    reader?.cancel().catch(() => undefined);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

function checkRomSize(bytes: number): void {
  if (bytes <= MAX_ROM_BYTES) return;
  throw new Gym2600Error("bad-rom-size", `rom: no cartridge has ${bytes} bytes`);
}
