// The games of crates/learn/examples/scores.rs in JavaScript: a line of JSON for each.
//
//     node scores.mjs ROM WEIGHTS ACTIONS STATE

import { readFileSync } from "node:fs";
import { Game } from "gym2600";
import { Policy } from "gym2600/learn";

const SEED = 7;
const STEPS_BEFORE = 60;
const [rom, weights, text, state] = process.argv.slice(2).map((path) => new Uint8Array(readFileSync(path)));
const actions = new TextDecoder().decode(text).trim().split("\n").map(Number);
const options = { rom, preset: "nature-dqn", seed: SEED };

/** Plays a game from an observation on to its end and prints it. */
function played(name, game, first, decide) {
  let observation = first;
  let info;
  do {
    const result = game.step(decide(observation));
    ({ observation, info } = result);
    if ((result.terminated || result.truncated) && !info.realDone) ({ observation } = game.reset());
  } while (info.episode === undefined);
  // Six decimal digits, the highest first, two in each byte.
  const ram = Number(Buffer.from(game.ram().subarray(3, 6)).toString("hex"));
  const { reward: score, length: steps, frames } = info.episode;
  process.stdout.write(`${JSON.stringify({ game: name, score, steps, frames, ram })}\n`);
}

/** Takes the actions from a place on. */
function listed(from) {
  let at = from;
  return () => actions[at++];
}

const random = await Game.create(options);
played("random", random, random.reset().observation, listed(0));

const policy = await Policy.load(weights);
const its = await Game.create({ rom, ...(await policy.environment(rom)), autoreset: "disabled", seed: SEED });
played(
  "policy",
  its,
  its.reset().observation,
  (observation) => policy.act(observation, { shape: its.observationSpace.shape, seed: SEED }).action,
);

const restored = await Game.create(options);
restored.reset();
played("restored", restored, restored.restore(state).observation, listed(STEPS_BEFORE));
