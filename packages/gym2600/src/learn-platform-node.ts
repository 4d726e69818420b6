/** The platform of Node for the learner. */

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { setLearnerModule } from "./learn/wasm.js";
import { setLearnerWorker } from "./learn/worker-shards.js";
import { setFiles } from "./platform.js";
import { node } from "./platform-node.js";

/** Called once by an entry module. */
export function setLearnerPlatform(): void {
  setFiles(node);
  setLearnerModule(async () => {
    const path = beside("../wasm-learn/gym2600_learn_bg.wasm");
    return { bytes: await readFile(path), from: path };
  });
  setLearnerWorker((name, address) => node.startWorker(name, address ?? beside("./learn-worker-node.js")));
}

function beside(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url).href);
}
