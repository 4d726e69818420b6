/** The documents' page for each game of the catalogue, which is written from the game's definition. */

import { games } from "gym2600";
import { expect, test } from "vitest";
import { gameLines, gamePages } from "../../docs/.vitepress/game-page.js";
import { ODDITIES } from "../../docs/.vitepress/oddities.js";
import { wordsOf } from "../../docs/.vitepress/rule-words.js";

const PAGES = new Map(gamePages().map(({ rom, text }) => [rom, text]));

test("every game of the catalogue has a page with its title, environment, MD5 and actions", async () => {
  const catalogue = await games();
  expect([...PAGES.keys()]).toEqual(catalogue.map(({ rom }) => rom));
  expect(gameLines().map(({ rom }) => rom)).toEqual([...PAGES.keys()]);
  for (const { rom, title, md5 } of catalogue) {
    const page = PAGES.get(rom) ?? "";
    expect(page).toContain(`# ${title.replaceAll("*", "\\*")}\n`);
    expect(page).toContain(md5);
    expect(page).toMatch(/\| number \| action \| meaning \|\n\|---\|---\|---\|\n\| 0 \| `[A-Z]+` \|/);
    expect(page).toMatch(/\| picture \| 160 x \d+ pixels, (NTSC|PAL), [56]0 frames a second \|/);
    expect(page).not.toMatch(/undefined|\[object/);
  }
});

test("a page says in words what the rules say", () => {
  const breakout = PAGES.get("breakout") ?? "";
  expect(breakout).toContain("| 2 | `RIGHT` | the paddle turns right |");
  expect(breakout).toContain("| difficulty | 0 (both switches at B), 1 (the left switch at A) | 0 |");
  expect(breakout).toContain("They are byte 0xB9; 0 after the end.");
  expect(breakout).toContain("The game is over when `started` and byte 0xB9 is 0.");
  const pitfall = PAGES.get("pitfall") ?? "";
  expect(pitfall).toContain("Every game begins with `UP` for a frame.");
  expect(pitfall).toContain(
    "The score is the decimal number in bytes 0xD5, 0xD6, 0xD7. A game starts with 2000 points.",
  );
  const wraps = "What the score gains in a frame, also where it begins anew at 100,000.";
  expect(PAGES.get("asteroids")).toContain(wraps);
  // A variable that a line further down sets has the value of the frame before.
  expect(PAGES.get("riverraid")).toContain("The game is over when byte 0xC0 is 0x58 and `lives_byte` is 0x59.");
  expect(PAGES.get("combat")).toContain("There are no rules");
});

test("what a game does that surprises stands in a box, and only free games have a picture", () => {
  for (const rom of Object.keys(ODDITIES)) expect(PAGES.get(rom)).toContain("::: warning");
  const boxes = [...PAGES].filter(([, text]) => text.includes("::: warning"));
  expect(boxes.map(([rom]) => rom)).toEqual(Object.keys(ODDITIES).sort());
  expect([...PAGES].filter(([, text]) => text.includes("![")).map(([rom]) => rom)).toEqual(["wallop"]);
});

test.for([
  ["ram[0x80] >> 4", "the upper half of byte 0x80"],
  ["(ram[0x80] & 0x40) != 0", "bit 6 of byte 0x80 is set"],
  ["(ram[0x80] & 7) + 1", "the number in the lowest 3 bits of byte 0x80 plus 1"],
  ["10 * (ram[0x80] + 2)", "10 times (byte 0x80 plus 2)"],
  ["ram[0x80] - (ram[0x81] - 1)", "byte 0x80 minus (byte 0x81 minus 1)"],
  ["a or b and c", "`a` or `b` and `c`"],
  ["(a or b) and not c", "(`a` or `b`) and not `c`"],
  ["x not in (1, 2)", "`x` is neither 1 nor 2"],
  ["1 if a else 2", "1 if `a`, otherwise 2"],
  ["bcd(0x82, 0x81)", "the decimal number in bytes 0x81, 0x82"],
  ["lives == 1", "the number of lives is 1"],
  ["sum(ram[a] for a in range(0x80, 0x88))", undefined],
  ["[3, 5][x]", undefined],
  ["a ? b", undefined],
] as const)("the words of %s", ([expression, words]) => {
  expect(wordsOf(expression)).toBe(words);
});
