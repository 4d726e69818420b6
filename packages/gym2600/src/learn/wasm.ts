/** The learner's WebAssembly module, which has no console: see {@link LearnerRom}. */

import init, { __wbg_reset_state as replace } from "../../wasm-learn/gym2600_learn.js";
import { arrayName, arrayType, byteCount, bytesOf } from "../buffers/observation-buffers.js";
import { Gym2600Error } from "../errors.js";
import { type PackagedModule, platformFiles } from "../platform.js";
import type { GameOptions } from "../types.js";
import { Handle, WasmInstance } from "../wasm-instance.js";
import {
  begin,
  compiledModule,
  compilePackaged,
  compileSource,
  instantiated,
  loadFailed,
  type Modules,
  type WasmSource,
} from "../wasm-module.js";

/** Reads the module where it lies; set by the entry module that the environment chose. */
let readModule: (() => Promise<PackagedModule>) | undefined;
const modules: Modules = [];

const instance = /* @__PURE__ */ new WasmInstance(
  { init, replace },
  "the trainer or policy",
  "the WebAssembly instance of the learner has trapped: create the trainer or load the policy anew",
);

/** What to do where a bundler has copied the learner's JavaScript and not its files. */
export const REMEDY: string =
  "With esbuild or Rollup copy the package's dist/learn-worker.js beside the bundle and its folders wasm, wasm-learn and wasm-learn-gpu beside the bundle's " +
  "folder, or name them with init({ wasm, games, worker }) of gym2600/learn; " +
  'in Vite optimizeDeps: { exclude: ["gym2600"] }';

/** What to do where the module is missing. */
const remedy = () => platformFiles().remedy ?? REMEDY;

/** Called once by an entry module. */
export function setLearnerModule(read: () => Promise<PackagedModule>): void {
  readModule = read;
}

/** Takes the module from `wasm` and not from the address that the package was built with, unless that fails. */
export function useLearner(wasm: WasmSource): Promise<WebAssembly.Module> {
  return begin(modules, compileSource(wasm, "wasmlearner_new", "wasm", remedy()));
}

/** The compiled module. A failure is not cached: the next call tries again. */
export function compiledLearner(): Promise<WebAssembly.Module> {
  if (readModule === undefined) throw new Error("import gym2600/learn by its entry module");
  return modules.at(-1) ?? begin(modules, compilePackaged(readModule(), "the learner's", remedy()));
}

/** The learner's module and that of its games. */
export interface LearnerModules {
  readonly learner: WebAssembly.Module;
  readonly games: WebAssembly.Module;
}

/** Both modules, compiled. */
export async function compiledModules(): Promise<LearnerModules> {
  const [learner, games] = await Promise.all([compiledLearner(), compiledModule()]);
  return { learner, games };
}

/** Makes this thread's instance of the learner's module, if there is none or if it has trapped. */
export async function instantiateLearner(module?: WebAssembly.Module): Promise<void> {
  const learner = module ?? (await compiledLearner());
  await instance.make(learner).catch((error: unknown) => {
    throw loadFailed(error);
  });
}

/** As {@link instantiateLearner}, for both modules. */
export async function instantiateModules(modules?: LearnerModules): Promise<void> {
  const { learner, games } = modules ?? (await compiledModules());
  await instantiateLearner(learner);
  await instantiated(games);
}

/** The most bytes of a file: those of the largest net are a tenth of them, with pictures of 84 x 84. */
const MAX_BYTES = 2 ** 29;

/**
 * The bytes of an array; refuses what is none, an empty one, or one of more than {@link MAX_BYTES}. A detached array has length 0.
 *
 * @throws Gym2600Error
 */
export function checkBytes(
  what: string,
  bytes: unknown,
  code: "bad-weights" | "bad-option" | "bad-rom",
): Uint8Array<ArrayBuffer> {
  const size = arrayType(bytes) === "Uint8Array" ? byteCount(bytes) : 0;
  if (size > MAX_BYTES) throw new Gym2600Error(code, `${what} has ${size} bytes: the limit is ${MAX_BYTES}`);
  if (size > 0) return bytesOf(bytes as Uint8Array<ArrayBuffer>);
  throw new Gym2600Error(code, `${what} has to be a Uint8Array, not ${arrayName(bytes)}`);
}

/** Calls a function of the learner's module, which has been instantiated. */
export function callLearner<T>(call: () => T): T {
  return instance.call(call);
}

/** A handle of an object of the learner's module. */
export class LearnerObject<T extends { free(): void }> extends Handle<T> {
  /** `make` makes the object in the current instance. */
  constructor(make: () => T) {
    super(instance, make);
  }
}

/** Options that the module has written: null stands for one that is left out. */
export function optionsOf(written: unknown): Omit<GameOptions, "rom" | "seed"> {
  const options = Object.entries(written as Record<string, unknown>).filter(([, value]) => value !== null);
  return Object.fromEntries(options) as Omit<GameOptions, "rom">;
}
