/**
 * A thread's instance of a WebAssembly module.
 *
 * Invariant: an instance that has trapped is never called again, because a trap leaves its stack and its data as they were
 * in mid-call. All its objects refuse every call with `wasm-failed`; the next {@link WasmInstance.make} makes a new instance.
 */

import { Gym2600Error, refusalOf } from "./errors.js";

/** What wasm-bindgen generates for a module. */
interface Glue {
  /** Makes an instance if there is none. */
  init(source: { module_or_path: WebAssembly.Module }): Promise<{ readonly memory: WebAssembly.Memory }>;
  /** Makes another instance of the same module. */
  replace(): void;
}

export class WasmInstance {
  readonly #glue: Glue;
  readonly #stopped: string;
  #number = 0;
  #trapped = false;

  /** `stopped` is the message of calls after a trap: what to do. */
  constructor(glue: Glue, stopped: string) {
    this.#glue = glue;
    this.#stopped = stopped;
  }

  /** The number of the current instance, counted from 0. */
  get number(): number {
    return this.#number;
  }

  /** Makes an instance if there is none, or if it has trapped. Gives its memory. */
  async make(module: WebAssembly.Module): Promise<WebAssembly.Memory> {
    if (this.#trapped) this.#glue.replace();
    this.#trapped = false;
    return (await this.#glue.init({ module_or_path: module })).memory;
  }

  /**
   * Calls into instance `number`. Errors thrown by the Rust side on purpose become a `Gym2600Error` with their code; any other
   * exception is a trap. A `Gym2600Error` is from a function that the instance has called, such as another instance's trap.
   *
   * @throws Gym2600Error `wasm-failed` after a trap of that instance
   */
  call<T>(number: number, call: () => T): T {
    if (number !== this.#number || this.#trapped) throw new Gym2600Error("wasm-failed", this.#stopped);
    try {
      return call();
    } catch (error) {
      if (error instanceof Gym2600Error) throw error;
      const refusal = refusalOf(error);
      if (refusal !== undefined && refusal.code !== "wasm-failed") throw refusal;
      this.#number++;
      this.#trapped = true;
      const text = error instanceof Error ? error.message : String(error);
      throw new Gym2600Error("wasm-failed", `${this.#stopped} (${text})`, { cause: error });
    }
  }
}
