/**
 * The Python that Code writes, for every environment: `programs/` has the texts, with the first observation's checksum of the first
 * environment as JavaScript sees it. tests/python runs them. `BLESS=1` before the command writes them anew:
 *
 *     BLESS=1 npm test --workspace www -- code
 */

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Game, type GameDefinition } from "gym2600";
import { expect, test } from "vitest";
import { playingProgramOf, pythonOf } from "../../www/src/data/program.js";
import { DEFAULT_SETUP, ENVIRONMENTS, gameOptions, type Setup } from "../../www/src/state/setup.js";

const folder = fileURLToPath(new URL("programs/", import.meta.url));
const rom = new Uint8Array(readFileSync(new URL("../../crates/arcade/games/wallop.bin", import.meta.url)));

const DEFINITION: GameDefinition = {
  rom: "mine",
  title: "My game",
  actions: { minimal: ["NOOP", "FIRE", "RIGHT"] },
  rules: { start: "lives = 5", frame: "new = bcd(0x85, 0x84, 0x83)\nreward = new\nterminal = ram[0x82] == 0" },
};

/** The names of the programs, with what differs from the page's first setup. */
const SETUPS: readonly (readonly [string, Partial<Setup>, GameDefinition?])[] = [
  ...ENVIRONMENTS.map(([environment]) => [environment, { environment, seed: 7 }] as const),
  ["mode", { environment: "envpool", mode: 2, difficulty: 1, numEnvs: 4 }],
  [
    "list",
    {
      environment: [
        { type: "SkipFrames", n: 2, below: 5 },
        { type: "ImagePreprocessing", width: null, height: null },
      ],
    },
  ],
  ["described", { environment: "gymnasium" }, DEFINITION],
];

for (const [name, changes, definition] of SETUPS) {
  test(`the Python of ${name} is as it was`, async () => {
    const setup = { ...DEFAULT_SETUP, ...changes };
    const text = pythonOf(setup, { name: "mine.bin", bytes: rom, definition }, "wallop");
    const game = await Game.create({ rom, ...gameOptions(setup, definition) });
    const { buffer, byteOffset, byteLength } = game.reset({ seed: setup.seed }).observation;
    game.close();
    const checksum = createHash("sha256")
      .update(new Uint8Array(buffer, byteOffset, byteLength))
      .digest("hex");
    const program = `# First observation: ${checksum}\n${text}`;
    const file = `${folder}${name}.py`;
    if (process.env.BLESS !== undefined) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, program);
    }
    expect(program).toBe(readFileSync(file, "utf8"));
  });
}

test("the program of a game without a score plays it", () => {
  const definition = { rom: "unknown", title: "mine" };
  const program = playingProgramOf(DEFAULT_SETUP, { name: "mine.bin", bytes: rom, definition });
  // A folder in which `gym2600` is found.
  const place = fileURLToPath(new URL("output/code/", import.meta.url));
  mkdirSync(place, { recursive: true });
  writeFileSync(`${place}mine.bin`, rom);
  writeFileSync(`${place}play.mjs`, program);
  expect(execFileSync(process.execPath, ["play.mjs"], { cwd: place, encoding: "utf8" })).toMatch(/^Uint8Array\(128\)/);
});
