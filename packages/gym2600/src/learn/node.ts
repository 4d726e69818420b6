/** The platform of Node for the learner. */

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { node } from "../platform-node.js";
import { setLearnerModule } from "./wasm.js";
import { setLearnerWorker } from "./worker-shards.js";

/** Called once by an entry module. */
export function setLearnerPlatform(): void {
  setLearnerModule(() => readFile(beside("../wasm-learn/gym2600_learn_bg.wasm")));
  setLearnerWorker((name) => node.startWorker(name, beside("./learn-worker-node.js")));
}

function beside(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url).href);
}
