// The summaries of the package's `EpisodeStatistics` over the preset nature-dqn: a line of JSON for each value, in the order of writing.
//
//     node summaries.mjs ROM ACTIONS SEED ENVS
//
// With ENVS 0 the environment is a single one; otherwise a batch, whose actions are dealt in turn.

import { readFileSync } from "node:fs";
import { EpisodeStatistics, Game, VectorEnv } from "gym2600";

const [romPath, actionsPath, seed, envs] = process.argv.slice(2);
const rom = new Uint8Array(readFileSync(romPath));
const actions = readFileSync(actionsPath, "utf8").trim().split("\n").map(Number);
const numEnvs = Number(envs);
const writer = { scalar: (name, value, step) => process.stdout.write(`${JSON.stringify([name, step, value])}\n`) };
const options = { rom, preset: "nature-dqn", seed: Number(seed) };

async function single() {
  const game = await Game.create(options);
  const statistics = new EpisodeStatistics({ writer });
  game.reset();
  for (const action of actions) {
    const result = game.step(action);
    statistics.record(result);
    if (result.terminated || result.truncated) game.reset();
  }
}

async function batch() {
  const games = await VectorEnv.create({ ...options, numEnvs, workers: 2, autoreset: "same-step" });
  const statistics = new EpisodeStatistics({ writer, numEnvs });
  await games.reset();
  for (let at = 0; at < actions.length; at += numEnvs) {
    statistics.record(await games.step(actions.slice(at, at + numEnvs)));
  }
  await games.close();
}

await (numEnvs === 0 ? single() : batch());
