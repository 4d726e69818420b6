/** A setup as a program. */

import { type Cartridge, gameOptions, type Setup } from "../state/setup.js";
import { WALLOP } from "../state/store.js";

/** TypeScript, which is JavaScript too, that trains as the setup says and then plays a game. */
export function programOf(setup: Setup, { name, definition }: Cartridge, isWallop: boolean): string {
  const options = gameOptions(setup, definition);
  const { algorithm, net, numEnvs, workers, seed, hyperParameters } = setup;
  const plan = { algorithm, net, numEnvs, workers, seed, options, hyperParameters };
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

/**
 * The same environment in Python, where a Python package gives the same bytes; undefined elsewhere.
 *
 * @param game the open game: the catalogue's name and Gymnasium's
 */
export function pythonOf(
  { environment, mode, difficulty, seed }: Setup,
  { rom, envId }: { readonly rom: string; readonly envId: string | undefined },
): string | undefined {
  if (envId === undefined || mode !== undefined || difficulty !== undefined) return undefined;
  if (environment === "ale-vector") {
    return `# pip install ale-py
from ale_py.vector_env import AtariVectorEnv

env = AtariVectorEnv("${rom}", num_envs=1)
observation, info = env.reset(seed=${seed})
`;
  }
  if (environment !== "gymnasium") return undefined;
  return `# pip install ale-py "gymnasium[atari,other]"
import ale_py
import gymnasium as gym
from gymnasium.wrappers import AtariPreprocessing, FrameStackObservation

gym.register_envs(ale_py)
env = FrameStackObservation(AtariPreprocessing(gym.make("${envId}", frameskip=1)), 4)
observation, info = env.reset(seed=${seed})
`;
}

/** A value as a literal, without quotes around keys that need none. */
function literal(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/^(\s*)"([A-Za-z_]\w*)":/gm, "$1$2:");
}

/** Whether a cartridge is the one that the package has. */
export function isWallop(cartridge: Cartridge): boolean {
  return cartridge === WALLOP;
}
