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

/** A value as a literal, without quotes around keys that need none. */
function literal(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/^(\s*)"([A-Za-z_]\w*)":/gm, "$1$2:");
}

/** Whether a cartridge is the one that the package has. */
export function isWallop(cartridge: Cartridge): boolean {
  return cartridge === WALLOP;
}
