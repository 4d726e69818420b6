/** Helpers for the tests of `VectorEnv`. */

import { Worker } from "node:worker_threads";
import { VectorEnv, type VectorEnvOptions, wallop } from "gym2600";
import { afterEach, vi } from "vitest";

const OPTIONS = { rom: wallop, preset: "gym2600", numEnvs: 3, seed: 0, workers: 0 } satisfies VectorEnvOptions;
const open: VectorEnv[] = [];

afterEach(async () => {
  for (const envs of open.splice(0)) await envs.close();
});

/** Environments that are closed after the test. */
export async function create(options: Partial<VectorEnvOptions> = {}): Promise<VectorEnv> {
  const envs = await VectorEnv.create({ ...OPTIONS, ...options });
  open.push(envs);
  return envs;
}

/** Environments and their threads, in the order of the lanes. */
export async function createWithThreads(
  options: Partial<VectorEnvOptions>,
): Promise<{ envs: VectorEnv; threads: Worker[] }> {
  const post = vi.spyOn(Worker.prototype, "postMessage");
  const envs = await create(options);
  const threads = [...new Set(post.mock.contexts as Worker[])];
  post.mockRestore();
  return { envs, threads };
}

/** Actions for all lanes, different in each step. */
export function actionsAt(step: number, envs: VectorEnv): number[] {
  return Array.from({ length: envs.numEnvs }, (_, lane) => (step * 7 + lane * 3) % envs.singleActionSpace.n);
}
