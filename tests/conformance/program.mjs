// `trace` and `rollout` of the native program, through the npm package: the same arguments, and the same bytes.
//
//     node program.mjs trace ROM ACTIONS [--seed N] [--sticky P] [--mode M] [--difficulty D] [--game FILE] [--sound]
//                            [--dump-line LINE --dump-to FILE]
//     node program.mjs rollout ROM ACTIONS [--preset NAME|--options JSON] [--seed N] [--envs N] [--game FILE]
//                              [--restore FILE] [--save FILE]

import { readFileSync, writeFileSync } from "node:fs";
import { crc32 } from "node:zlib";
import { Arcade, Game } from "gym2600";
import { parseDefinition } from "gym2600/toml";

async function trace() {
  const { seed = 0, sticky = 0, mode, difficulty, sound } = options;
  const last = Number(options["dump-line"] ?? Number.POSITIVE_INFINITY);
  const arcade = await Arcade.create({
    rom,
    game,
    // As in ALE, a negative seed is the unsigned number with the same 32 bits.
    seed: Number(seed) >>> 0,
    repeatActionProbability: Number(sticky),
    mode: mode && Number(mode),
    difficulty: difficulty && Number(difficulty),
    soundObs: sound,
  });
  const lines = [];
  const print = (frame, reward, afterReset) => {
    const { lives, gameOver: over } = arcade;
    const checksums = { ram: checksum(arcade.ram()), screen: checksum(arcade.screen()) };
    if (sound) checksums.sound = checksum(arcade.audio());
    lines.push(JSON.stringify({ frame, reward, lives, over, ...checksums, ...(afterReset && { reset: true }) }));
    return lines.length < last;
  };
  arcade.resetGame();
  let isOpen = print(0, 0, true);
  for (let frame = 1; isOpen && frame <= actions.length; frame++) {
    isOpen = print(frame, arcade.act(actions[frame - 1]), false);
    if (!isOpen || !arcade.gameOver) continue;
    arcade.resetGame();
    isOpen = print(frame, 0, true);
  }
  if (options["dump-to"]) writeFileSync(options["dump-to"], Buffer.concat([arcade.ram(), arcade.screen()]));
  return lines;
}

async function rollout() {
  const given = JSON.parse(options.options ?? "{}");
  const first = Number(options.seed ?? given.seed ?? 0);
  const preset = options.preset ?? given.preset;
  const open = (seed) => Game.create({ ...given, rom, preset, game: game ?? given.game, seed });
  const lanes = [new Lane(await open(first))];
  // In the Python originals with the seeding "gym" all environments of a batch have the same seed.
  const stride = lanes[0].game.description.spec.seeding === "gym" ? 0 : 1;
  while (lanes.length < (options.envs ?? 1)) lanes.push(new Lane(await open(first + lanes.length * stride)));
  const lines = [];
  if (options.restore) lanes[0].game.restore(new Uint8Array(readFileSync(options.restore)));
  else lines.push(line(lanes.map((lane) => lane.reset())));
  for (let at = 0; at < actions.length; at += lanes.length) {
    const step = at / lanes.length + 1;
    lines.push(line(lanes.map((lane, index) => lane.step(step, actions[at + index]))));
  }
  if (options.save) writeFileSync(options.save, lanes[0].save());
  return lines;
}

/** An environment that is reset after an end if it does not reset itself. */
class Lane {
  ended = false;

  constructor(game) {
    this.game = game;
  }

  reset() {
    return described(0, { reward: 0, terminated: false, truncated: false, ...this.game.reset() });
  }

  step(number, action) {
    this.#resetAfterEnd();
    const result = this.game.step(action);
    this.ended = (result.terminated || result.truncated) && !this.game.description.resetsItself;
    return described(number, result);
  }

  save() {
    this.#resetAfterEnd();
    return this.game.save();
  }

  #resetAfterEnd() {
    if (this.ended) this.game.reset();
  }
}

/** The values of a line by name, as JSON. */
function described(step, { observation, reward, terminated, truncated, info: { lives, episode } }) {
  const { buffer, byteOffset, byteLength } = observation;
  const obs = `"${checksum(new Uint8Array(buffer, byteOffset, byteLength))}"`;
  const summary = episode ? `{"reward":${real(episode.reward)},"length":${episode.length}}` : "null";
  return { step, reward: real(reward), terminated, truncated, lives, obs, episode: summary };
}

/** A line of one environment, or with an array of each value. */
function line(entries) {
  const text = (name) => {
    const values = entries.map((entry) => entry[name]);
    return `"${name}":${options.envs ? `[${values.join(",")}]` : values[0]}`;
  };
  return `{${Object.keys(entries[0]).map(text).join(",")}}`;
}

/** A real number, which the native program writes with a point. */
function real(value) {
  return Number.isInteger(value) ? (value + 0).toFixed(1) : String(value);
}

/** zlib's CRC-32 in eight hexadecimal digits. */
function checksum(bytes) {
  return crc32(bytes).toString(16).padStart(8, "0");
}

const COMMANDS = {
  trace: { run: trace, options: ["seed", "sticky", "mode", "difficulty", "game", "dump-line", "dump-to"] },
  rollout: { run: rollout, options: ["preset", "options", "seed", "envs", "game", "restore", "save"] },
};

const [command, ...words] = process.argv.slice(2);
const { run, options: names } = COMMANDS[command];
const files = [];
const options = {};
while (words.length > 0) {
  const word = words.shift();
  const name = word.slice(2);
  if (!word.startsWith("--")) files.push(word);
  else if (word === "--sound") options.sound = true;
  else if (names.includes(name)) options[name] = words.shift();
  else throw new Error(`${command} has no option ${word}`);
}
const rom = new Uint8Array(readFileSync(files[0]));
const actions = (readFileSync(files[1], "utf8").match(/\d+/g) ?? []).map(Number);
const game = options.game && parseDefinition(readFileSync(options.game, "utf8"), options.game);
const lines = await run();
process.stdout.write(`${lines.join("\n")}\n`);
