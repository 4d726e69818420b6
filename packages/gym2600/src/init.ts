/** Where the package's own files are, for those who host them elsewhere. */

import { checkWorkerAddress, namedOptions } from "./arguments.js";
import { compiledModule, useWasm, type WasmSource } from "./wasm-module.js";
import { setWorkerAddress } from "./worker/worker-client.js";

/** Options of {@link init}. */
export interface InitOptions {
  /** The WebAssembly module: an address, its bytes, a response with them, or the compiled module. */
  readonly wasm?: WasmSource | undefined;
  /** The address of the worker's script, `gym2600/worker`. It may be of another origin that allows CORS. */
  readonly worker?: string | URL | undefined;
}

/**
 * Says where the package's files are, and compiles the module. Only needed where a bundler or a host moves them; otherwise
 * the first `create` loads what it needs. A refused call changes nothing.
 *
 * `init({ wasm: "/assets/gym2600_wasm_bg.wasm", worker: "/assets/worker.js" })` names two files of a host.
 *
 * @throws Gym2600Error `bad-option`; `wasm-failed` if the module cannot be read or compiled
 */
export async function init(options: InitOptions = {}): Promise<void> {
  const { wasm, worker } = namedOptions(options, "wasm", "worker");
  checkWorkerAddress(worker);
  await (wasm === undefined ? compiledModule() : useWasm(wasm));
  if (worker !== undefined) setWorkerAddress(worker);
}
