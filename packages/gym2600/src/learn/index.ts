/**
 * Policies learned from pixels, in pages: {@link Trainer} and {@link Policy}.
 *
 * @module gym2600/learn
 */

import { responseBytes } from "../wasm-module.js";
import { BrowserPort } from "../worker/browser-port.js";
import { setLearnerModule } from "./wasm.js";
import { setLearnerWorker } from "./worker-shards.js";

export * from "./public.js";

setLearnerModule(async () =>
  responseBytes(await fetch(new URL("../wasm-learn/gym2600_learn_bg.wasm", import.meta.url))),
);
setLearnerWorker(
  (name) => new BrowserPort(new Worker(new URL("./learn-worker.js", import.meta.url), { type: "module" }), name),
);
