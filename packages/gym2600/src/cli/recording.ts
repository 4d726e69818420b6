/**
 * Recordings of a game that a policy has played: a GIF, a replay, or its pictures.
 *
 * A recording is made by playing the game's actions again in an environment with the same options.
 */

import { existsSync, mkdirSync, readdirSync, unlinkSync } from "node:fs";
import { extname, join } from "node:path";
import { deflateSync } from "node:zlib";
import { checksum } from "../checksum.js";
import { Game } from "../env/game.js";
import { GifWriter } from "../record/gif.js";
import { Recorder } from "../record/recorder.js";
import type { Picture } from "../types.js";
import type { HereEvaluation } from "./evaluation-worker.js";
import { check, write, writing } from "./files.js";
import { checkFolderOr, found, InputError } from "./input.js";

/** @throws UsageError for an ending of no format */
export function checkRecordingPath(path: string): void {
  checkFolderOr("--record", path, [".gif", ".json"], "of pictures");
}

/** Refuses a place for a recording before the game is played. */
export function checkRecording(path: string, force: boolean): void {
  const there = found(path);
  const isThere = there?.isDirectory() ? readdirSync(path).length > 0 : there?.isFile() === true && there.size > 0;
  if (isThere && !force) throw new InputError(`--record: ${path} is there already; --force replaces it`);
  if (isFolder(path)) writing(path, () => mkdirSync(path, { recursive: true }));
  else check(path);
}

function isFolder(path: string): boolean {
  return ![".gif", ".json"].includes(extname(path));
}

/** Plays the game again and writes it. */
export async function writeRecording(path: string, rom: Uint8Array, played: HereEvaluation): Promise<void> {
  const game = await Game.create({ rom, ...played.options });
  try {
    if (extname(path) === ".json") write(path, replayOf(game, played));
    else if (isFolder(path)) {
      const file = (number: number) => join(path, `${String(number).padStart(6, "0")}.png`);
      let number = 0;
      for (const picture of pictures(game, played)) write(file(number++), png(picture));
      // Those of a longer game that was recorded here before.
      for (; existsSync(file(number)); number++) writing(path, () => unlinkSync(file(number)));
    } else {
      const rate = game.description.tv === "PAL" ? 50 : 60;
      const gif = new GifWriter({ framesPerSecond: rate / game.description.framesPerStep });
      for (const picture of pictures(game, played)) gif.add(picture);
      write(path, gif.finish());
    }
  } finally {
    game.close();
  }
}

/** The picture after the reset and after each step but the last, which begins the next game. */
function* pictures(game: Game, { seed, actions }: HereEvaluation): Generator<Picture> {
  game.reset({ seed });
  yield game.render();
  for (const action of actions.subarray(0, -1)) {
    game.step(action);
    yield game.render();
  }
}

function replayOf(game: Game, { seed, actions }: HereEvaluation): Uint8Array {
  const recorder = new Recorder(game);
  recorder.reset({ seed });
  for (const action of actions) recorder.step(action);
  return Buffer.from(JSON.stringify(recorder.replay()));
}

/** A picture as a PNG of red, green and blue. */
function png({ width, height, data }: Picture): Uint8Array {
  const rows = Buffer.alloc(height * (1 + 3 * width));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * (1 + 3 * width) + 1 + 3 * x;
      for (let colour = 0; colour < 3; colour++) rows[at + colour] = data[4 * (y * width + x) + colour] as number;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Length, type, content and their checksum. */
function chunk(type: string, content: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, "latin1"), content]);
  const [length, crc] = [Buffer.alloc(4), Buffer.from(checksum(typed), "hex")];
  length.writeUInt32BE(content.length);
  return Buffer.concat([length, typed, crc]);
}
