/** Work of the learner's module. The package does not export it, so the module is instantiated here. */

import init, { WasmWorkload } from "../../packages/gym2600/wasm-learn/gym2600_learn.js";

const MODULE = new URL("../../packages/gym2600/wasm-learn/gym2600_learn_bg.wasm", import.meta.url);

let ready;

/** Makes work; `read` gives the bytes of the module. */
export function workloads(read) {
  return async (work, net) => {
    ready ??= WebAssembly.compile(await read(MODULE)).then((module) => init({ module_or_path: module }));
    await ready;
    return new WasmWorkload(work, net);
  };
}

/** The bytes of a file of the server. */
export async function fetched(url) {
  return (await fetch(url)).arrayBuffer();
}
