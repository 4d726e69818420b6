/**
 * Chaos in Node: `node tests/chaos/node.js [--rounds N] [--seed S]` prints counts as JSON; see chaos.js.
 *
 * It starts itself again with the saboteur in every thread.
 */

import { spawnSync } from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import workerThreads from "node:worker_threads";

const SABOTEUR = new URL("saboteur-node.js", import.meta.url).href;

const { Worker } = workerThreads;

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "1000" }, seed: { type: "string", default: String(Date.now() % 1e9) } },
});

if (process.execArgv.some((argument) => argument.includes("saboteur-node"))) {
  // Threads that run out of memory soon. They have more than a game needs.
  workerThreads.Worker = class extends Worker {
    constructor(file, options) {
      super(file, { ...options, resourceLimits: { maxOldGenerationSizeMb: 64 } });
    }
  };
  syncBuiltinESMExports();
  const [gym2600, { Chaos }] = await Promise.all([import("gym2600"), import("./chaos.js")]);
  const live = new Set();
  const known = new WeakSet();
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (...args) {
    if (!known.has(this)) {
      known.add(this);
      live.add(this);
      this.once("exit", () => live.delete(this));
    }
    return post.apply(this, args);
  };
  const scale = Number(process.env.GYM2600_TEST_TIMEOUT_SCALE ?? 1);
  const chaos = new Chaos(
    gym2600,
    Worker,
    ["exit", "throw", "throwNull", "reject", "trap", "allocation", "memory"],
    () => true,
    scale,
  );
  const [first, rounds] = [Number(values.seed), Number(values.rounds)];
  for (let round = 0; round < rounds; round++) await chaos.round(first + round);
  const deadline = Date.now() + 5_000 * scale;
  while (live.size > 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
  const missing = chaos.missing();
  console.log(JSON.stringify({ seed: first, ...chaos.counts, live: live.size, missing }));
  process.exit(live.size === 0 && missing.length === 0 ? 0 : 1);
} else {
  const args = ["--import", SABOTEUR, fileURLToPath(import.meta.url), "--rounds", values.rounds, "--seed", values.seed];
  process.exit(spawnSync(process.execPath, args, { stdio: "inherit" }).status ?? 1);
}
