/** Where the learner's own files are, for those who host them elsewhere. */

import { checkWorkerAddress, namedOptions } from "../arguments.js";
import type { InitOptions } from "../init.js";
import { compiledModule, useWasm, type WasmSource } from "../wasm-module.js";
import { useCard } from "./card.js";
import { compiledLearner, REMEDY, useLearner } from "./wasm.js";
import { setLearnerWorkerAddress } from "./worker-shards.js";

/** Options of `init` of `gym2600/learn`. */
export interface LearnInitOptions extends InitOptions {
  /** The WebAssembly module of the games, `gym2600/gym2600.wasm`, in the forms of `wasm`. */
  readonly games?: WasmSource | undefined;
  /** The WebAssembly module of graphics cards, `gym2600/gym2600-learn-gpu.wasm`, in the forms of `wasm`. */
  readonly card?: WasmSource | undefined;
}

/**
 * Says where the files of `gym2600/learn` are, and compiles both modules: `wasm` is the learner's, `games` that of the games. That of graphics
 * cards is compiled too where `card` names it, and otherwise when a trainer uses a card.
 * `init` of `gym2600` sets `games` too, but not that of `gym2600/inline`.
 *
 * `init({ wasm: "/assets/gym2600_learn_bg.wasm", games: "/assets/gym2600_wasm_bg.wasm", worker: "/assets/learn-worker.js" })` names three
 * files of a host.
 *
 * @throws Gym2600Error `bad-option`; `wasm-failed` if the module cannot be read or compiled
 */
export async function init(options: LearnInitOptions = {}): Promise<void> {
  const { wasm, games, card, worker } = namedOptions(options, "wasm", "games", "card", "worker");
  checkWorkerAddress(worker);
  await (wasm === undefined ? compiledLearner() : useLearner(wasm));
  await (games === undefined ? compiledModule() : useWasm(games, "games", REMEDY));
  if (card !== undefined) await useCard(card);
  if (worker !== undefined) setLearnerWorkerAddress(worker);
}
