/** The platform of Node for the learner. */

import { readFile } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { setLearnerModule } from "./learn/wasm.js";
import { setLearnerWorker } from "./learn/worker-shards.js";
import { setFiles } from "./platform.js";
import { node, readBeside, startAt, startBeside } from "./platform-node.js";

/** Called once by an entry module. */
export function setLearnerPlatform(): void {
  setFiles(node);
  setLearnerModule(() =>
    readBeside("../wasm-learn/gym2600_learn_bg.wasm", () =>
      readFile(new URL("../wasm-learn/gym2600_learn_bg.wasm", import.meta.url)),
    ),
  );
  setLearnerWorker((name, address) =>
    address === undefined
      ? startBeside(
          "./learn-worker-node.js",
          name,
          () => new Worker(new URL("./learn-worker-node.js", import.meta.url), { name }),
        )
      : startAt(address, name),
  );
}
