/** The scenarios of learn-scenarios.js in a page, over the built package without a bundler. */

import { wallop } from "/package/dist/index.js";
import { Trainer } from "/package/dist/learn.js";
import { scenarios } from "/tests/package/learn-scenarios.js";

const SABOTEUR = new URL("/tests/chaos/saboteur-page.js", location.href);

/** Workers that first load the saboteur. */
class SabotagedWorker extends Worker {
  constructor(script, options) {
    const text = [SABOTEUR, script].map((address) => `import ${JSON.stringify(String(address))};`).join("\n");
    super(URL.createObjectURL(new Blob([text], { type: "text/javascript" })), options);
  }
}
globalThis.Worker = SabotagedWorker;

const { disturbed, ...others } = scenarios({ Trainer, wallop, Worker: SabotagedWorker });

export const { weights, parts, closed, refusals } = others;

/** `how` is `terminate`, or what the saboteur does. */
export function killed(options, count, at, how) {
  const kill = (worker) => (how === "terminate" ? worker.terminate() : worker.postMessage({ sabotage: how }));
  return disturbed(options, count, at, kill);
}
