/** The memory of the package's WebAssembly module in this thread, found when the first environment is created. */

/** @type {WebAssembly.Exports | undefined} */
let exports;

const { instantiate } = WebAssembly;
/** @type {(module: WebAssembly.Module, imports?: WebAssembly.Imports) => Promise<WebAssembly.Instance>} */
const observed = async (module, imports) => {
  const instance = await instantiate(module, imports);
  // Node has modules of its own, which start when `fetch` or `Response` is first used.
  if (imports !== undefined && "./gym2600_wasm_bg.js" in imports) exports = instance.exports;
  return instance;
};
Object.assign(WebAssembly, { instantiate: observed });

/** Its size in bytes; 0 before the first environment. */
export function moduleMemory() {
  const { memory } = exports ?? {};
  return memory instanceof WebAssembly.Memory ? memory.buffer.byteLength : 0;
}

/** Its table of functions, to which compiled programs are added. */
export function moduleTable() {
  return Object.values(exports ?? {}).find((value) => value instanceof WebAssembly.Table);
}
