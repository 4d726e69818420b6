/** A setup as a program. */

import { type Cartridge, environmentOptions, gameOptions, learnersChanges, type Setup } from "../state/setup.js";

/** JavaScript that trains as the setup says, and loads the policy. */
export function programOf(setup: Setup, { name, definition }: Cartridge, isWallop: boolean): string {
  const options = gameOptions(setup, definition);
  const { algorithm, net, numEnvs, workers, seed } = setup;
  const plan = { algorithm, net, numEnvs, workers, seed, options, hyperParameters: learnersChanges(setup) };
  const rom = isWallop ? "wallop" : `await readFile(${JSON.stringify(name)})`;
  const imports = [
    ...(isWallop ? [] : ['import { readFile } from "node:fs/promises";']),
    'import { writeFile } from "node:fs/promises";',
    ...(isWallop ? ['import { wallop } from "gym2600";'] : []),
    'import { Policy, Trainer } from "gym2600/learn";',
  ];
  return `${imports.join("\n")}

const rom = ${rom};
const trainer = await Trainer.create({ rom, ...${literal(plan)} });
for await (const { update, steps, reward } of trainer) {
  console.log(\`update \${update}, \${steps} steps, score \${reward}\`);
  if (steps >= 300_000) trainer.stop();
}
const weights = trainer.weights();
trainer.close();
await writeFile("policy.safetensors", weights);

const policy = await Policy.load(weights);
console.log(policy.origin);
`;
}

/** JavaScript that plays a game without a score, in which nothing can be learned. */
export function playingProgramOf(setup: Setup, { name, definition }: Cartridge): string {
  return `import { readFile } from "node:fs/promises";
import { Game } from "gym2600";

const rom = await readFile(${JSON.stringify(name)});
const game = await Game.create({ rom, ...${literal({ seed: setup.seed, ...gameOptions(setup, definition) })} });
game.reset();
for (let step = 0; step < 1000; step++) {
  const { terminated, truncated } = game.step(game.actionSpace.sample());
  if (terminated || truncated) game.reset();
}
// The console's memory, from which a description reads the score.
console.log(game.ram());
game.close();
`;
}

/**
 * The same environments in Python.
 *
 * @param rom the catalogue's name of the game; a described game is opened by its file
 */
export function pythonOf(
  { environment, mode, difficulty, seed, numEnvs }: Setup,
  { name, definition }: Cartridge,
  rom: string,
): string {
  const options = { num_envs: numEnvs, ...environmentOptions(environment), mode, difficulty, definition };
  const named = Object.entries(options)
    .filter(([, value]) => value !== undefined)
    .map(([option, value]) => `    ${option}=${pythonLiteral(value, "    ")},\n`);
  return `import gym2600

envs = gym2600.VectorEnv(
    ${JSON.stringify(definition === undefined ? rom : name)},
${named.join("")})
observations, infos = envs.reset(seed=${seed})
for _ in range(1000):
    actions = envs.action_space.sample()
    observations, rewards, terminations, truncations, infos = envs.step(actions)
envs.close()
`;
}

/** A value of JSON as Python writes it; each item of a list has a line. */
function pythonLiteral(value: unknown, indent = ""): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value) && indent !== "") {
    return `[\n${value.map((item) => `${indent}    ${pythonLiteral(item)},\n`).join("")}${indent}]`;
  }
  if (Array.isArray(value)) return `[${value.map((item) => pythonLiteral(item)).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${pythonLiteral(item)}`);
  return `{${entries.join(", ")}}`;
}

/** A value as a literal, without quotes around keys that need none. */
function literal(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/^(\s*)"([A-Za-z_]\w*)":/gm, "$1$2:");
}
