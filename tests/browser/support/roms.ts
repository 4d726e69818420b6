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

/** The description of a game that is over after so many frames, and whose score counts them. */
export function brief(frames: number): ChosenFile {
  const text = `rom = "brief"
title = "Brief"

[rules]
start = "n = 0; reward = 0"
frame = """
n = n + 1
reward = 1
terminal = n >= ${frames}
"""
`;
  return file("brief.toml", Buffer.from(text));
}
