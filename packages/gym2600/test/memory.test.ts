/** Planning from one state does not grow the WebAssembly memory. */

import { Arcade, Game, wallop } from "gym2600";
import { expect, test } from "vitest";
import { moduleMemory } from "../../../tests/package/module-memory.js";
import { rom } from "../../../tests/package/support.js";
import { digest } from "./digest.js";

/** Branches before the measurement, after which the program is compiled. Compiling needs memory once. */
const FIRST = 1500;

function keepsNothing(branch: (number: number) => void): void {
  for (let number = 0; number < FIRST; number++) branch(number);
  const before = moduleMemory();
  expect(before).toBeGreaterThan(0);
  for (let number = FIRST; number < FIRST + 10_000; number++) branch(number);
  expect(moduleMemory()).toBe(before);
}

test("ten thousand branches of an arcade from one state do not grow the memory", async () => {
  const arcade = await Arcade.create({ rom: rom("space_invaders"), soundObs: true });
  arcade.resetGame();
  for (let frame = 0; frame < 100; frame++) arcade.act(frame % 18);
  const state = arcade.save();
  const reached = new Set<unknown>();
  keepsNothing(() => {
    arcade.restore(state);
    arcade.act("FIRE");
    arcade.act("LEFTFIRE");
    reached.add(JSON.stringify(digest([arcade.ram(), arcade.screen(), arcade.lives, arcade.frameNumber])));
  });
  expect(reached.size).toBe(1);
});

test("ten thousand clones of an arcade, each closed, do not grow the memory", async () => {
  const arcade = await Arcade.create({ rom: wallop });
  keepsNothing((number) => {
    const clone = arcade.clone();
    clone.act(number % 18);
    clone.save({ generators: false });
    clone.close();
  });
});

test("ten thousand branches of a game from one state do not grow the memory", async () => {
  const game = await Game.create({ rom: wallop, preset: "gymnasium", seed: 4, soundObs: true });
  game.reset();
  const state = game.save();
  const into = new Uint8Array(game.observationSpace.size);
  const expected = digest(game.step(1));
  keepsNothing((number) => {
    game.restore(state);
    const result = game.step(1, { into });
    if (number % 100 === 0) expect(digest(result)).toEqual(expected);
    if (number % 100 === 1) game.save();
  });
});
