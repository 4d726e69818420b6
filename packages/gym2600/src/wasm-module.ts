/**
 * The WebAssembly module and this thread's instance of it.
 *
 * The module is compiled once in a thread; workers receive it compiled. A thread has one instance.
 */

import init, { __wbg_reset_state as replace } from "../wasm/gym2600_wasm.js";
import { isArrayBuffer } from "./buffers/observation-buffers.js";
import { Gym2600Error, messageOf, shown } from "./errors.js";
import { type PackagedModule, platformFiles } from "./platform.js";
import { WasmInstance } from "./wasm-instance.js";

/** Where the module comes from: an address, its bytes, a response with them, or the module itself. */
export type WasmSource = string | URL | ArrayBuffer | Uint8Array | Response | WebAssembly.Module;

/**
 * The module of a kind that was compiled last, and those that are being compiled after it, in the order of the calls. The last one is
 * used, and one that fails is removed.
 */
export type Modules = Promise<WebAssembly.Module>[];

/** Those of the games. */
const modules: Modules = [];
/** This thread's instance. */
export const instance: WasmInstance = /* @__PURE__ */ new WasmInstance(
  { init, replace },
  "the environment",
  "the WebAssembly instance of this environment has trapped: create the environment, or the trainer that has it, anew",
);

/**
 * Takes the module from `wasm` and not from the address that the package was built with, unless that fails. `option` is its name in
 * messages.
 */
export function useWasm(wasm: WasmSource, option = "wasm", remedy?: string): Promise<WebAssembly.Module> {
  return begin(modules, compileSource(wasm, "wasmgame_new", option, remedy));
}

/** The compiled module. A failure is not cached: the next call tries again. */
export function compiledModule(): Promise<WebAssembly.Module> {
  return (
    modules.at(-1) ??
    begin(modules, compilePackaged(platformFiles().readModule(), "the package's", platformFiles().remedy))
  );
}

/** Makes the result of `compiling` the module. If it fails, the module is the one before. */
export function begin(modules: Modules, compiling: Promise<WebAssembly.Module>): Promise<WebAssembly.Module> {
  const begun = compiling.then(
    (compiled) => {
      // -1 if a later one has been compiled before: then nothing is removed.
      modules.splice(0, modules.indexOf(begun));
      return compiled;
    },
    (error: unknown) => {
      const at = modules.indexOf(begun);
      if (at >= 0) modules.splice(at, 1);
      throw loadFailed(error);
    },
  );
  modules.push(begun);
  return begun;
}

/** The memory of this thread's instance, which is made of the module if there is none or if it has trapped. */
export async function instantiated(
  compiled: WebAssembly.Module | Promise<WebAssembly.Module>,
): Promise<WebAssembly.Memory> {
  try {
    return await instance.make(await compiled);
  } catch (error) {
    throw loadFailed(error);
  }
}

/** Compiles a file of the package, `whose` in messages. */
export async function compilePackaged(
  reading: Promise<PackagedModule>,
  whose: string,
  remedy: string = REMEDY,
): Promise<WebAssembly.Module> {
  const { module, bytes, from } = await reading.catch((error: unknown) => {
    const text = `${whose} WebAssembly file cannot be read: ${messageOf(error)}. ${remedy}`;
    throw new Gym2600Error("wasm-failed", text, { cause: error });
  });
  return module ?? compileBytes(bytes, from, remedy);
}

/**
 * Compiles the module that `init` was given. Refuses another than that which exports `exported`, before an instance is made of it. Errors
 * name where it comes from.
 */
export async function compileSource(
  source: WasmSource,
  exported: string,
  option: string,
  remedy?: string,
): Promise<WebAssembly.Module> {
  const module = source instanceof WebAssembly.Module ? source : await compileFile(fileOf(source, option), remedy);
  if (WebAssembly.Module.exports(module).some(({ name }) => name === exported)) return module;
  throw new Gym2600Error(
    "wasm-failed",
    `${option}: the module given to init is another one: it does not export ${exported}`,
  );
}

/** A file that `init` was given: its name in messages, and its bytes. */
interface GivenFile {
  readonly from: string;
  read(): BufferSource | Promise<BufferSource>;
}

async function compileFile({ from, read }: GivenFile, remedy?: string): Promise<WebAssembly.Module> {
  try {
    return await compileBytes(await read(), from, remedy);
  } catch (error) {
    throw loadFailed(error, from);
  }
}

function fileOf(source: WasmSource, option: string): GivenFile {
  if (isArrayBuffer(source) || ArrayBuffer.isView(source)) {
    return { from: "the bytes given to init", read: () => source as BufferSource };
  }
  if ((typeof source === "string" && source !== "") || source instanceof URL) {
    return { from: String(source), read: () => platformFiles().read(source) };
  }
  if (typeof Response === "undefined" || !(source instanceof Response)) {
    throw new Gym2600Error(
      "bad-option",
      `${option}: an address, bytes, a Response or a module is needed, not ${shown(source) || "an empty one"}`,
    );
  }
  // Not compileStreaming, which refuses servers that do not send application/wasm.
  return { from: source.url || "the response given to init", read: () => responseBytes(source) };
}

/** The body of a successful response. */
export async function responseBytes(response: Response): Promise<ArrayBuffer> {
  if (response.ok) return response.arrayBuffer();
  throw new Gym2600Error(
    "wasm-failed",
    `${response.url || "the response"}: status ${response.status} ${response.statusText}`,
  );
}

/** The first bytes of any WebAssembly module. */
const MAGIC = [0x00, 0x61, 0x73, 0x6d];

/**
 * Compiles the bytes that were read from `from`.
 *
 * @throws Gym2600Error `wasm-failed` with the remedy where they are no module
 */
function compileBytes(given: BufferSource, from: string, remedy: string = REMEDY): Promise<WebAssembly.Module> {
  const bytes = ArrayBuffer.isView(given)
    ? new Uint8Array(given.buffer, given.byteOffset, given.byteLength)
    : new Uint8Array(given);
  if (MAGIC.every((byte, index) => bytes[index] === byte)) return WebAssembly.compile(given);
  const start = JSON.stringify(String.fromCharCode(...bytes.subarray(0, 15)));
  throw new Gym2600Error("wasm-failed", `${from}: no WebAssembly module; it begins with ${start}. ${remedy}`);
}

/** Edge runtimes such as Next's, which name themselves by this global, read no file and compile no bytes. */
const EDGE_REMEDY =
  'gym2600 does not run in edge runtimes: use that of Node, in Next `export const runtime = "nodejs"`';

const PAGE_REMEDY =
  "If a bundler has moved the package away from its files, serve them too and name them with init({ wasm, worker }), or import " +
  '"gym2600/inline", which has them inside; in Vite and what is built on it optimizeDeps: { exclude: ["gym2600"] }';

const REMEDY = "EdgeRuntime" in globalThis ? EDGE_REMEDY : PAGE_REMEDY;

/** Why `what` was not loaded, as `wasm-failed`. */
export function loadFailed(error: unknown, what = "the WebAssembly module"): Gym2600Error {
  if (error instanceof Gym2600Error) return error;
  const text = `${what} could not be loaded: ${messageOf(error)}${compileRemedy(messageOf(error))}`;
  return new Gym2600Error("wasm-failed", text, { cause: error });
}

/** What to do, as a sentence, where a runtime refuses to compile: the directive that a page's policy lacks, or a module that was imported. */
function compileRemedy(message: string): string {
  if (/disallowed by embedder/i.test(message)) {
    return ". This runtime compiles no bytes: import the file, whose module init({ wasm }) takes";
  }
  if (!/security policy|\bCSP\b|unsafe-eval/i.test(message)) return "";
  return ". The page's content security policy needs 'wasm-unsafe-eval' in script-src";
}
