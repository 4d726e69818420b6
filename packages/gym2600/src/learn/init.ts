/** Where the learner's own files are, for those who host them elsewhere. */

import { Gym2600Error, shown } from "../errors.js";
import type { InitOptions } from "../init.js";
import { checkOptions } from "../rom.js";
import { compiledLearner, useLearner } from "./wasm.js";
import { setLearnerWorkerAddress } from "./worker-shards.js";

/** Reads the file at an address; set by the entry module that the environment chose. */
let read: ((address: string | URL) => Promise<BufferSource>) | undefined;

/** Called once by an entry module. */
export function setLearnerReader(reader: (address: string | URL) => Promise<BufferSource>): void {
  read = reader;
}

/**
 * Says where the files of `gym2600/learn` are, and compiles the module. The `init` of `gym2600` does the same for those of the games.
 * A refused call changes nothing.
 *
 * `init({ wasm: "/assets/gym2600_learn_bg.wasm", worker: "/assets/learn-worker.js" })` names two files of a host.
 *
 * @throws Gym2600Error `bad-option`; `wasm-failed` if the module cannot be read or compiled
 */
export async function init(options: InitOptions = {}): Promise<void> {
  const { wasm, worker } = checkOptions(options);
  if (worker !== undefined && typeof worker !== "string" && !(worker instanceof URL)) {
    throw new Gym2600Error("bad-option", `worker: an address is needed, not ${shown(worker)}`);
  }
  if (read === undefined) throw new Error("import gym2600/learn by its entry module");
  await (wasm === undefined ? compiledLearner() : useLearner(wasm, read));
  if (worker !== undefined) setLearnerWorkerAddress(worker);
}
