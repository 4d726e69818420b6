/**
 * A thread's instance of a WebAssembly module.
 *
 * Invariant: an instance that has trapped is never called again, because a trap leaves its stack and its data as they were
 * in mid-call. The handles of its objects refuse every call with `wasm-failed`; the next {@link WasmInstance.make} makes a new instance.
 */

import { Gym2600Error, messageOf, refusalOf } from "./errors.js";

/** What wasm-bindgen generates for a module. */
interface Glue {
  /** Makes an instance if there is none. */
  init(source: { module_or_path: WebAssembly.Module }): Promise<{ readonly memory: WebAssembly.Memory }>;
  /** Makes another instance of the same module. */
  replace(): void;
}

export class WasmInstance {
  /** What its objects are called in errors. */
  readonly what: string;
  readonly #glue: Glue;
  readonly #stopped: string;
  #number = 0;
  #trapped = false;

  /** `stopped` is the message of calls after a trap: what to do. */
  constructor(glue: Glue, what: string, stopped: string) {
    this.what = what;
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
   * Calls into the current instance, or into `number` while it is that. Errors thrown by the Rust side on purpose become a `Gym2600Error`
   * with their code; any other exception is a trap. A `Gym2600Error` is from a function that the instance has called, such as another instance's trap.
   *
   * @throws Gym2600Error `wasm-failed` after a trap of that instance
   */
  call<T>(call: () => T, number: number = this.number): T {
    if (number !== this.#number || this.#trapped) throw new Gym2600Error("wasm-failed", this.#stopped);
    try {
      return call();
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal !== undefined && (refusal === error || refusal.code !== "wasm-failed")) throw refusal;
      this.#number++;
      this.#trapped = true;
      throw new Gym2600Error("wasm-failed", `${this.#stopped} (${messageOf(error)})`, { cause: error });
    }
  }
}

/**
 * A handle of an object of an instance, until it is closed.
 *
 * Every call throws `closed` after {@link close}, and `wasm-failed` after a trap of the object's instance.
 */
export class Handle<T extends { free(): void }> {
  readonly #instance: WasmInstance;
  readonly #number: number;
  readonly #object: T;
  #closed = false;

  /** `make` makes the object in the current instance. */
  constructor(instance: WasmInstance, make: () => T) {
    this.#instance = instance;
    this.#number = instance.number;
    this.#object = instance.call(make);
  }

  /** Calls the object. Its errors become a `Gym2600Error`. */
  run<R>(call: (object: T) => R): R {
    if (this.#closed) throw new Gym2600Error("closed", `${this.#instance.what} has been closed`);
    return this.#instance.call(() => call(this.#object), this.#number);
  }

  /** Frees the object's memory. Idempotent. */
  close(): void {
    // After a trap the memory is not used again, and freeing in it could trap once more.
    if (!this.#closed && this.#number === this.#instance.number) this.run((object) => object.free());
    this.#closed = true;
  }
}
