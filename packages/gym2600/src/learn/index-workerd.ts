/** The entry for workerd, with the exports of index.ts. */

import module from "../../wasm-learn/gym2600_learn_bg.wasm";
import { noWorkers, setFiles } from "../platform.js";
import { workerd } from "../platform-workerd.js";
import { setLearnerModule } from "./wasm.js";
import { setLearnerWorker } from "./worker-shards.js";

export * from "./public.js";

setFiles(workerd);
setLearnerModule(() => Promise.resolve({ module }));
setLearnerWorker(() => {
  throw noWorkers();
});
