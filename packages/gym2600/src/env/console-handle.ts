/** What an environment and a bare console have in common: a machine in WebAssembly memory, and ways to look at it. */

import { Gym2600Error, toGym2600Error } from "../errors.js";

/** Bytes of the console's memory. */
export const RAM_BYTES = 128;

/** What is common to the classes on the WebAssembly side. */
interface WasmConsole {
  free(): void;
  ramAddress(): number;
  setRam(index: number, value: number): void;
  draw(kind: number): number;
  audioAddress(): number;
  audioLength(): number;
}

/** How a picture is wanted, by the numbers that the WebAssembly side has for it, and the bytes of a pixel. */
export const SCREENS = {
  indices: { kind: 1, bytes: 1 },
  grey: { kind: 2, bytes: 1 },
  rgb: { kind: 3, bytes: 3 },
  rgba: { kind: 4, bytes: 4 },
} as const;

type AnyBytes = Uint8Array | Uint8ClampedArray;

/** A console on the WebAssembly side, until it is closed. It never keeps an array that it was given. */
export class Handle<T extends WasmConsole> {
  readonly memory: WebAssembly.Memory;
  readonly #console: T;
  #closed = false;

  constructor(console: T, memory: WebAssembly.Memory) {
    this.#console = console;
    this.memory = memory;
  }

  /** The console itself; refuses with `closed`. */
  get console(): T {
    this.#checkOpen();
    return this.#console;
  }

  /** Calls the console; what it throws becomes a `Gym2600Error`. */
  run<R>(call: (console: T) => R): R {
    const { console } = this;
    try {
      return call(console);
    } catch (error) {
      throw toGym2600Error(error);
    }
  }

  /** Copies what is at an address; refuses with `closed`. */
  copy<A extends AnyBytes>(address: number, target: A): A {
    this.#checkOpen();
    // Made anew each time: the memory's buffer is another one after it has grown.
    target.set(new Uint8Array(this.memory.buffer, address, target.length));
    return target;
  }

  ram(into: Uint8Array<ArrayBuffer> = new Uint8Array(RAM_BYTES)): Uint8Array<ArrayBuffer> {
    const { console } = this;
    checkBytes(into, RAM_BYTES, "the memory");
    return this.copy(console.ramAddress(), into);
  }

  setRam(index: number, value: number): void {
    const { console } = this;
    checkNumber("index", index, RAM_BYTES - 1);
    checkNumber("value", value, 255);
    console.setRam(index, value);
  }

  /** The picture of so many pixels in one of the ways. */
  screen<A extends AnyBytes>(way: keyof typeof SCREENS, pixels: number, into: A): A {
    const { kind, bytes } = SCREENS[way];
    const { console } = this;
    checkBytes(into, pixels * bytes, "this picture");
    return this.copy(
      this.run(() => console.draw(kind)),
      into,
    );
  }

  /** All samples there are. */
  audio(): Uint8Array<ArrayBuffer> {
    const { console } = this;
    return this.copy(console.audioAddress(), new Uint8Array(console.audioLength()));
  }

  /** A saved state that the caller gives, which has to be bytes. */
  static state(state: unknown): Uint8Array {
    if (state instanceof Uint8Array) return state;
    throw new Gym2600Error("bad-saved-state", `a saved state is a Uint8Array, not ${typeof state}`);
  }

  /** Gives the console's memory back. */
  close(): void {
    if (!this.#closed) this.#console.free();
    this.#closed = true;
  }

  #checkOpen(): void {
    if (this.#closed) throw new Gym2600Error("closed", "the environment has been closed");
  }
}

/** Refuses an array of the caller's of the wrong size. */
export function checkBytes(into: AnyBytes, bytes: number, what: string): void {
  if ((into instanceof Uint8Array || into instanceof Uint8ClampedArray) && into.length === bytes) return;
  const given = (into as unknown) instanceof Object ? `${into.constructor.name} of ${into.length}` : String(into);
  throw new Gym2600Error("bad-buffer", `${what} is ${bytes} bytes, a Uint8Array, not ${given}`);
}

/** Refuses what is no whole number from 0 to `last`. */
export function checkNumber(what: string, value: number, last: number): void {
  if (Number.isInteger(value) && value >= 0 && value <= last) return;
  throw new Gym2600Error("bad-option", `${what}: ${String(value)} is no whole number from 0 to ${last}`);
}
