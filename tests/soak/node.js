/** The soak in Node: `node --expose-gc tests/soak/node.js [--steps N] [--environments N]`; see soak.js. */

import { memoryUsage } from "node:process";
import { moduleMemory } from "../package/module-memory.js";
import { mib, soak } from "./report.js";
import { playPart } from "./soak.js";

const gym2600 = await import("gym2600");

/** After closed threads have ended. Compiled code is given up some turns after the last reference to it. */
async function measure() {
  for (let turn = 0; turn < 10; turn++) {
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { rss, heapUsed } = memoryUsage();
  return { moduleMib: mib(moduleMemory()), processMib: mib(rss), heapMib: mib(heapUsed) };
}

const flat = await soak("Node", (...part) => playPart(gym2600, ...part), measure);
process.exit(flat ? 0 : 1);
