/** Reading a cartridge's bytes. */

import { Gym2600Error } from "./errors.js";
import type { RomSource } from "./types.js";

/** The bytes of `source`, in a buffer that nobody else has. */
export async function romBytes(source: RomSource): Promise<Uint8Array<ArrayBuffer>> {
  if (source instanceof Uint8Array || source instanceof ArrayBuffer) return new Uint8Array(source).slice();
  if (typeof Blob !== "undefined" && source instanceof Blob) return new Uint8Array(await source.arrayBuffer());
  if (typeof Response !== "undefined" && source instanceof Response) {
    if (!source.ok)
      throw new Gym2600Error("bad-rom", `rom: the response's status is ${source.status} ${source.statusText}`);
    if (source.bodyUsed) throw new Gym2600Error("bad-rom", "rom: the response has been read before");
    return new Uint8Array(await source.arrayBuffer());
  }
  const given = typeof source === "string" ? `the text ${JSON.stringify(source)}` : String(source);
  throw new Gym2600Error("bad-rom", `rom has to be a Uint8Array, an ArrayBuffer, a Blob or a Response, not ${given}`);
}
