// Calls the npm package's Arcade and prints the values of its getters. test_arcade.py makes the same calls of ale-py.
//
//     node arcade.mjs < { "rom": path, "options": ArcadeOptions, "calls": [[name, ...arguments], ...], "every": n }
//
// The getters are read after every n-th call only, so that frames that are never drawn are tested too.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { Arcade } from "gym2600";

const { rom, options, calls, every } = JSON.parse(readFileSync(0, "utf8"));
const arcade = await Arcade.create({ ...options, rom: new Uint8Array(readFileSync(rom)) });
let state = new Uint8Array();

const digest = (bytes) => createHash("sha1").update(bytes).digest("hex");

/** The calls by name. Each returns a reward or nothing. */
const methods = {
  reset: () => arcade.resetGame(),
  act: (action, paddleStrength) => arcade.act(action, { paddleStrength }),
  setRam: (index, value) => arcade.setRam(index, value),
  setMode: (mode) => arcade.setMode(mode),
  setDifficulty: (difficulty) => arcade.setDifficulty(difficulty),
  save: (generators) => {
    state = arcade.save({ generators });
  },
  restore: () => arcade.restore(state),
};

const { minimalActions, legalActions, modes, difficulties } = arcade.description;
console.log(JSON.stringify({ minimalActions, legalActions, modes, difficulties }));
for (const [index, [name, ...values]] of calls.entries()) {
  const reward = methods[name](...values) ?? 0;
  if (index % every !== 0) {
    console.log(JSON.stringify({ reward }));
    continue;
  }
  const { lives, gameOver, gameTruncated, frameNumber, episodeFrameNumber } = arcade;
  const seen = {
    reward,
    lives,
    gameOver,
    gameTruncated,
    frameNumber,
    episodeFrameNumber,
    ram: digest(arcade.ram()),
    screen: digest(arcade.screen()),
    rgb: digest(arcade.screenRgb()),
    grey: digest(arcade.screenGrey()),
    audio: digest(arcade.audio()),
  };
  console.log(JSON.stringify(seen));
}
