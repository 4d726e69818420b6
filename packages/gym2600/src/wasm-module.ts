/** The WebAssembly module: compiled once in a thread, handed to workers compiled. */

import init from "../wasm/gym2600_wasm.js";
import { Gym2600Error } from "./errors.js";
import { platform } from "./platform.js";

let module: Promise<WebAssembly.Module> | undefined;
let memory: Promise<WebAssembly.Memory> | undefined;

/** The compiled module. A failure is not remembered: the next call tries again. */
export function compiledModule(): Promise<WebAssembly.Module> {
  module ??= platform()
    .compile()
    .catch((error: unknown) => {
      module = undefined;
      throw wasmFailed(error);
    });
  return module;
}

/** The module's memory in this thread, after making an instance of it if there is none yet. */
export function instantiated(compiled: Promise<WebAssembly.Module> = compiledModule()): Promise<WebAssembly.Memory> {
  memory ??= compiled
    .then((module_or_path) => init({ module_or_path }))
    .then((exports) => exports.memory)
    .catch((error: unknown) => {
      memory = undefined;
      throw wasmFailed(error);
    });
  return memory;
}

function wasmFailed(error: unknown): Gym2600Error {
  if (error instanceof Gym2600Error) return error;
  const text = error instanceof Error ? error.message : String(error);
  return new Gym2600Error("wasm-failed", `the WebAssembly module could not be loaded: ${text}`, { cause: error });
}
