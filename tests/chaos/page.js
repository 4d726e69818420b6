/** Chaos in a page: `startChaos(rounds, seed, scale)` plays rounds; `chaos` tells how far they are and how they ended. */

import * as gym2600 from "/package/dist/index.js";
import { Chaos } from "/tests/chaos/chaos.js";
import { SabotagedWorker } from "/tests/chaos/sabotaged-worker.js";

const PageWorker = globalThis.Worker;

globalThis.Worker = SabotagedWorker;

/** How many workers still hold the lock by which their end is noticed. */
async function live() {
  const { held = [] } = await navigator.locks.query();
  return held.length;
}

/** Workers that have sent a message: the package notices their end. */
const watched = new WeakSet();
const { postMessage } = PageWorker.prototype;
PageWorker.prototype.postMessage = function (...args) {
  this.addEventListener("message", () => watched.add(this), { once: true });
  return postMessage.apply(this, args);
};

async function run(rounds, seed, scale) {
  const chaos = new Chaos(
    gym2600,
    PageWorker,
    ["exit", "throw", "throwNull", "trap", "allocation"],
    (worker) => watched.has(worker),
    scale,
  );
  for (let round = 0; round < rounds; round++) {
    await chaos.round(seed + round);
    globalThis.chaos = { done: false, rounds: round + 1 };
  }
  const deadline = performance.now() + 5_000 * scale;
  while ((await live()) > 0 && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
  return { seed, ...chaos.counts, live: await live(), missing: chaos.missing() };
}

globalThis.startChaos = (...args) => {
  globalThis.chaos = { done: false, rounds: 0 };
  run(...args).then(
    (result) => {
      globalThis.chaos = { done: true, result };
    },
    (error) => {
      globalThis.chaos = { done: true, error: String(error?.message ?? error) };
    },
  );
};
