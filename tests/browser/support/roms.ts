/** Files to play. scripts/setup copies real ROMs from ale-py's package; the repository has none. */

import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** A file that a user chooses. */
export interface ChosenFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
export const folder = process.env.GYM2600_ROMS ?? join(cache, "gym2600", "roms");

/** A real game's ROM. */
export function realRom(name: string): ChosenFile {
  return file(`${name}.bin`, readFileSync(join(folder, `${name}.bin`)));
}

/** A file of any content. */
export function file(name: string, content: Uint8Array): ChosenFile {
  return { name, mimeType: "application/octet-stream", buffer: Buffer.from(content) };
}
