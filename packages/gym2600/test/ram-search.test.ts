/** The search in RAM, and the definition of a game that it leads to. */

import { Arcade, defineGame, Game, GameWorker, RamSearch, wallop } from "gym2600";
import { parseDefinition, writeDefinition } from "gym2600/toml";
import { expect, test } from "vitest";
import { codeOf } from "./code-of.js";

/** RAM with some bytes, by their addresses. */
function ram(bytes: Readonly<Record<number, number>>): Uint8Array {
  const memory = new Uint8Array(128);
  for (const [address, byte] of Object.entries(bytes)) memory[Number(address) - 0x80] = byte;
  return memory;
}

test("a number on the screen, seen twice, is found with its value", async () => {
  using search = await RamSearch.create();
  search.look(ram({ 133: 0x20, 132: 0x01 }), { number: 120 });
  search.look(ram({ 133: 0x40, 132: 0x23 }), { number: "2340" });
  const later = ram({ 133: 0x50, 132: 0x23 });
  expect(search.candidates({ limit: 1, ram: later })).toEqual([{ expression: "bcd(0x85, 0x84, 0x83)", value: 2350 }]);
  expect([search.looks, search.size]).toEqual([2, 1]);
  expect([search.undo(), search.undo(), search.undo()]).toEqual([true, true, false]);
});

test("leading zeros of a text say how many digits there are", async () => {
  using search = await RamSearch.create();
  search.look(ram({ 133: 0x20, 132: 0x01 }), { number: "0120" });
  expect(search.candidates({ limit: 1 })).toEqual([{ expression: "bcd(0x85, 0x84)", value: undefined }]);
});

test("comparisons are with the look or mark before, and a state has one value while it is on", async () => {
  using place = await RamSearch.create();
  place.mark(ram({ 144: 7, 145: 7 }));
  place.look(ram({ 144: 8, 145: 6 }), "larger");
  place.look(ram({ 144: 8, 145: 6 }), "unchanged");
  place.look(ram({ 144: 3, 145: 6 }), "smaller");
  place.look(ram({ 144: 9, 145: 6 }), "changed");
  expect(place.candidates().map(({ expression }) => expression)).toEqual(["ram[0x90]"]);
  using over = await RamSearch.create();
  over.look(ram({ 199: 1, 200: 4 }), { state: false });
  over.look(ram({ 199: 2, 200: 4 }), { state: true });
  expect(over.candidates({ ram: ram({ 199: 2 }) })[0]).toEqual({ expression: "ram[0xC7] == 2", value: 1 });
});

test("what cannot be seen is refused, and changes nothing", async () => {
  const search = await RamSearch.create();
  const memory = new Uint8Array(128);
  for (const seen of [
    { number: -1 },
    { number: 1.5 },
    { number: "1e3" },
    { number: 1e8 },
    {},
    { state: 1 },
    "grown",
    5,
  ]) {
    expect(await codeOf(() => search.look(memory, seen as never)), JSON.stringify(seen)).toBe("bad-option");
  }
  expect(await codeOf(() => search.look(memory, "changed"))).toBe("bad-option");
  expect(await codeOf(() => search.look(new Uint8Array(127), { number: 1 }))).toBe("bad-buffer");
  expect(search.looks).toBe(0);
  search.close();
  search.close();
  expect(await codeOf(() => search.looks)).toBe("closed");
});

test("the definition of a game that was found runs, also from its text, and its rewards are those of the score", async () => {
  const found = { rom: wallop, name: "mine", title: 'My "game"', score: "bcd(0x85, 0x84, 0x83)", lives: "ram[0x82]" };
  const definition = await defineGame({ ...found, cells: { paddle: "ram[0x8A]" } });
  expect(definition.actions?.minimal?.slice(0, 4)).toEqual(["NOOP", "FIRE", "RIGHT", "LEFT"]);
  const text = writeDefinition(definition);
  expect(parseDefinition(text)).toEqual(definition);
  using game = await Game.create({ rom: wallop, preset: "gym2600", game: parseDefinition(text), seed: 1 });
  game.reset();
  let points = 0;
  for (let [step, ended] = [0, false]; step < 300 && !ended; step += 1) {
    const { rawReward, terminated } = game.step(step % 4);
    points += rawReward;
    ended = terminated;
  }
  expect(points).toBeGreaterThan(0);
  const { score, paddle } = game.variables();
  expect({ score, paddle }).toEqual({ score: points, paddle: game.ram()[0x0a] });
});

test("an expression with a mistake and a cell with a name of the rules are refused", async () => {
  const found = { rom: wallop, name: "mine" };
  await expect(defineGame({ ...found, score: "bcd(" })).rejects.toMatchObject({
    code: "bad-game",
    details: { path: "game.rules.frame" },
  });
  await expect(defineGame({ ...found, cells: { over: "ram[0x80]" } })).rejects.toMatchObject({ code: "bad-option" });
  await expect(defineGame({ ...found, rom: new Uint8Array(3) })).rejects.toMatchObject({ code: "bad-rom-size" });
});

test("the variables of rules are known in this thread, in workers, and of a bare console", async () => {
  using arcade = await Arcade.create({ rom: wallop });
  expect(arcade.variables()).toMatchObject({ score: 0, lives: 5 });
  const worker = await GameWorker.create({ rom: wallop });
  await worker.reset();
  expect(await worker.variables()).toMatchObject({ score: 0, lives: 5, terminal: 0 });
  await worker.close();
});

test("every form of a definition's values is written as it is read", async () => {
  const definition = parseDefinition(`
rom = "tab\\t \\u007f \\\\ \\""
size = 4096
[controllers]
swap_ports = true
[actions]
starting = [{ press = "FIRE", frames = 2 }]
[modes]
available = [0, 1, 2]
[rules]
start = "a = 1"
frame = """
b = 2 # \\\\ and \\"\\"\\" and "quotes"
c = 3"""
`);
  const text = writeDefinition(definition);
  expect(parseDefinition(text)).toEqual(definition);
  expect(text).toContain('\n[actions]\nstarting = [{ press = "FIRE", frames = 2 }]\n');
  expect(writeDefinition({ rom: "mine", title: undefined })).toBe('rom = "mine"\n');
  expect(await codeOf(() => writeDefinition("mine" as never))).toBe("bad-game");
  expect(await codeOf(() => writeDefinition({ rom: (() => 1) as never }))).toBe("bad-game");
});
