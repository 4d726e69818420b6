/** Save state and Load state: a state belongs to a ROM, a mode, a difficulty and a preset. */

import { expect, test } from "vitest";
import type { Demo } from "./support/demo.js";
import { withDemo } from "./support/each.js";
import { type ChosenFile, file } from "./support/roms.js";

let demo: Demo;
withDemo(
  (opened) => {
    demo = opened;
  },
  { viewport: { width: 1280, height: 720 } },
);

async function save(): Promise<void> {
  await demo.at("game-button").click();
  await demo.at("save-state").click();
  await expect.poll(() => demo.text("announcement")).toBe("The state is saved");
  expect(await demo.at("load-state").isDisabled()).toBe(false);
}

/** Applies a value of the Setup. */
async function choose(id: string, value: string): Promise<void> {
  await demo.at("setup-button").click();
  await demo.at(id).selectOption(value);
  await demo.at("apply").click();
  await expect.poll(() => demo.text("announcement")).toBe("The setup is applied");
  await demo.page.keyboard.press("Escape");
}

async function playUnknown(rom: ChosenFile): Promise<void> {
  await demo.dropFile(rom);
  await demo.page.getByRole("button", { name: "Play without scores" }).click();
  await expect.poll(() => demo.at("message").isHidden()).toBe(true);
}

for (const [id, other] of [
  ["mode", "2"],
  ["difficulty", "1"],
  ["preset", "labml"],
] as const) {
  test(`a state is offered with its own ${id} only`, async () => {
    const own = await demo.at(id).inputValue();
    await save();
    await choose(id, other);
    expect(await demo.at("load-state").isDisabled()).toBe(true);
    await choose(id, own);
    expect(await demo.at("load-state").isDisabled()).toBe(false);
    await demo.at("game-button").click();
    await demo.at("load-state").click();
    await expect.poll(() => demo.text("announcement")).toBe("The saved state is loaded");
    await demo.goesOn();
  });
}

test("a state is not offered to another ROM of the same title, and the menu remembers both", async () => {
  const [one, other] = [42, 43].map((byte) => file("mystery.bin", new Uint8Array(4096).fill(byte)));
  if (one === undefined || other === undefined) throw new Error("two files are wanted");
  await playUnknown(one);
  await expect.poll(() => demo.text("game-title")).toBe("mystery");
  await save();
  await demo.at("game-button").click();
  await demo.at("remember").check();
  await demo.page.keyboard.press("Escape");
  await playUnknown(other);
  await expect.poll(() => demo.page.locator("#remembered button").allTextContents()).toEqual(["mystery", "mystery"]);
  expect(await demo.at("load-state").isDisabled()).toBe(true);
  await playUnknown(one);
  await expect.poll(() => demo.at("load-state").isDisabled()).toBe(false);
});
