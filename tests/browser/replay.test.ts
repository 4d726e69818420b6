/** Replay files are played and verified on the page. */

import { readFileSync } from "node:fs";
import { Game } from "gym2600";
import { Recorder } from "gym2600/record";
import { expect, test } from "vitest";
import type { Demo } from "./support/demo.js";
import { withDemo } from "./support/each.js";
import { type ChosenFile, file, realRom } from "./support/roms.js";

const WALLOP = new Uint8Array(readFileSync(new URL("../../crates/arcade/games/wallop.bin", import.meta.url)));

let demo: Demo;
withDemo((opened) => {
  demo = opened;
});

/** A replay of two runs. */
async function recorded(rom: Uint8Array<ArrayBuffer>) {
  const game = await Game.create({ rom, preset: "labml" });
  const recorder = new Recorder(game);
  for (const seed of [1, 2]) {
    recorder.reset({ seed });
    for (let step = 0; step < 30; step++) recorder.step(step % 3);
  }
  game.close();
  return recorder.replay();
}

function asFile(replay: unknown): ChosenFile {
  return file("run.json", new TextEncoder().encode(JSON.stringify(replay)));
}

test("a dropped replay of WALLOP is played and verified, and the page goes on afterwards", async () => {
  await demo.dropFile(asFile(await recorded(WALLOP)));
  // A busy machine may show only the end.
  await expect.poll(() => demo.text("replay-text")).toMatch(/^(Step \d+ of 60, score|Verified: all 60 steps)/);
  await expect.poll(() => demo.text("replay-text")).toMatch(/^Verified: all 60 steps have the bytes of the file\./);
  await demo.until(async () => (await demo.greys("replay-screen"))[0]?.greys.some((grey) => grey > 0) ?? false);
  await demo.screenshot("replay");
  await demo.page.getByRole("button", { name: "Close" }).click();
  await demo.goesOn();
});

test("a replay of another game asks for its ROM", async () => {
  const pong = realRom("pong");
  await demo.dropFile(asFile(await recorded(new Uint8Array(pong.buffer))));
  await expect.poll(() => demo.text("message-text")).toMatch(/^run\.json is a replay .* MD5 is [0-9a-f]{32}/);
  await demo.dropFile(pong);
  await expect.poll(() => demo.text("replay-text")).toContain("Verified");
  expect(await demo.text("game-title")).toBe("WALLOP");
});

test("a replay whose question has been closed does not take the cartridge that is opened later", async () => {
  const pong = realRom("pong");
  await demo.dropFile(asFile(await recorded(new Uint8Array(pong.buffer))));
  await expect.poll(() => demo.text("message-text")).toMatch(/^run\.json is a replay/);
  await demo.at("message-close").click();
  await demo.dropFile(pong);
  await expect.poll(() => demo.text("game-title")).toContain("Pong");
});

test("a replay that differs names its first step that does, and a file that is none is refused", async () => {
  const replay = await recorded(WALLOP);
  const [first, ...others] = replay.runs;
  const checksums = first?.checksums.with(3, "00000000");
  await demo.dropFile(asFile({ ...replay, runs: [{ ...first, checksums }, ...others] }));
  await expect.poll(() => demo.text("replay-text")).toMatch(/^Runs\[0\]: step 3 has checksum/);
  await demo.page.getByRole("button", { name: "Close" }).click();
  await demo.dropFile(asFile({}));
  await expect.poll(() => demo.text("message-text")).toMatch(/^run\.json cannot be played/);
  await demo.chooseFile(file("run.json", new Uint8Array(17 << 20)));
  await expect
    .poll(() => demo.text("message-text"))
    .toContain("It has 17,825,792 bytes, and a replay has at most 16,777,216.");
  await demo.goesOn();
});
