/** The scenarios of learn-scenarios.js in a page, over the built package without a bundler. */

import { wallop } from "/package/dist/index.js";
import { Trainer } from "/package/dist/learn.js";
import { SabotagedWorker } from "/tests/chaos/sabotaged-worker.js";
import { scenarios } from "/tests/package/learn-scenarios.js";

globalThis.Worker = SabotagedWorker;

const { disturbed, ...others } = scenarios({ Trainer, wallop, Worker: SabotagedWorker });

export const { weights, parts, closed, refusals } = others;

/** `how` is `terminate`, or what the saboteur does. */
export function killed(options, count, at, how) {
  const kill = (worker) => (how === "terminate" ? worker.terminate() : worker.postMessage({ sabotage: how }));
  return disturbed(options, count, at, kill);
}
