/** A thread whose memory is full refuses another game, and plays the others on. */

import { readFileSync } from "node:fs";
import { Arcade, Game, init, wallop } from "gym2600";
import { expect, test } from "vitest";

/** The section of a module that says how large its memory is. */
const MEMORY = 5;

function lebOf(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...lebOf(value >>> 7)];
}

/** The package's module, with a memory of at most `most` pages of 64 KiB. */
function moduleOf(most: number): Uint8Array {
  const bytes = readFileSync(new URL("../wasm/gym2600_wasm_bg.wasm", import.meta.url));
  let at = 8;
  const leb = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  for (;;) {
    const start = at;
    const section = bytes[at++];
    const size = leb();
    const end = at + size;
    if (section === MEMORY) {
      // One memory, which has no maximum.
      expect([...bytes.subarray(at, at + 2)]).toEqual([1, 0]);
      const contents = [1, 1, ...bytes.subarray(at + 2, end), ...lebOf(most)];
      return Buffer.concat([
        bytes.subarray(0, start),
        Buffer.from([MEMORY, ...lebOf(contents.length), ...contents]),
        bytes.subarray(end),
      ]);
    }
    at = end;
  }
}

test("one game too many is out-of-memory, and the older ones play on", async () => {
  await init({ wasm: moduleOf(1088) });
  const full = expect.objectContaining({ name: "Gym2600Error", code: "out-of-memory" });
  const games: Game[] = [];
  const fill = async (): Promise<void> => {
    for (;;) games.push(await Game.create({ rom: wallop, seed: games.length }));
  };
  await expect(fill()).rejects.toThrowError(full);
  expect(games.length).toBeGreaterThan(5);
  // Another game as large is refused, too, and so is an arcade.
  await expect(Game.create({ rom: wallop })).rejects.toThrowError(full);
  await expect(Arcade.create({ rom: wallop })).rejects.toThrowError(full);
  const chosen = [games.at(0), games.at(-1)] as const;
  for (const game of games) {
    game.reset();
    // Long enough for the program to be compiled.
    for (let step = 0; step < (chosen.includes(game) ? 600 : 20); step++)
      if (game.step(step % 3).terminated) game.reset();
    expect(game.save().length).toBeGreaterThan(100);
  }
  for (const game of games) game.close();
});
