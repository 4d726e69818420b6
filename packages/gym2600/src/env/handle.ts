/** A handle of an object in WebAssembly memory, for `Game` and `Arcade`: closing, saved states, RAM, pictures and sound. */

import { arrayName, arrayType, byteCount, bytesOf } from "../buffers/observation-buffers.js";
import { Gym2600Error, shown } from "../errors.js";
import { InstanceObject } from "../wasm-instance.js";
import { instance } from "../wasm-module.js";

/** Bytes of the console's memory. */
const RAM_BYTES = 128;

/** No saved state is larger. */
const MAX_STATE_BYTES = 1 << 24;

/** The methods that all classes on the WebAssembly side have. */
interface WasmObject {
  free(): void;
  ram(ram: Uint8Array): void;
  setRam(index: number, value: number): void;
  draw(channels: number, picture: Uint8Array): void;
  audio(): Uint8Array;
}

/** The forms of a picture: their numbers on the WebAssembly side, and the bytes of a pixel. */
export const SCREENS = {
  indices: { channels: 1, bytes: 1 },
  grey: { channels: 2, bytes: 1 },
  rgb: { channels: 3, bytes: 3 },
  rgba: { channels: 4, bytes: 4 },
} as const;

type AnyBytes = Uint8Array<ArrayBuffer> | Uint8ClampedArray<ArrayBuffer>;

/** An object of the WebAssembly side, until it is closed. It never keeps an array that it was given. */
export class Handle<T extends WasmObject> extends InstanceObject<T> {
  /** `make` makes the object in the current instance. */
  constructor(make: () => T) {
    super(instance, "the environment", make);
  }

  ram(into: Uint8Array<ArrayBuffer> = new Uint8Array(RAM_BYTES)): Uint8Array<ArrayBuffer> {
    checkBytes(into, RAM_BYTES, "the memory");
    this.run((object) => object.ram(bytesOf(into)));
    return into;
  }

  setRam(index: number, value: number): void {
    checkRam(index, value);
    this.run((object) => object.setRam(index, value));
  }

  /** The picture of so many pixels in one of its forms. */
  screen<A extends AnyBytes>(form: keyof typeof SCREENS, pixels: number, into: A): A {
    const { channels, bytes } = SCREENS[form];
    checkBytes(into, pixels * bytes, "this picture");
    this.run((object) => object.draw(channels, bytesOf(into)));
    return into;
  }

  /** All samples of the last step. */
  audio(): Uint8Array<ArrayBuffer> {
    return this.run((object) => object.audio()) as Uint8Array<ArrayBuffer>;
  }
}

/**
 * Checks that a saved state given by the caller is bytes of a possible size.
 *
 * @throws Gym2600Error `bad-saved-state`
 */
export function checkState(state: unknown): Uint8Array {
  const size = arrayType(state) === "Uint8Array" ? byteCount(state) : -1;
  if (size > 0 && size <= MAX_STATE_BYTES) return bytesOf(state as Uint8Array<ArrayBuffer>);
  const given = size < 0 ? shown(state) : `${size} bytes`;
  throw new Gym2600Error("bad-saved-state", `a saved state is a Uint8Array that save gave, not ${given}`);
}

/** Refuses an array of the caller's of the wrong type or size. A detached array has length 0. */
function checkBytes(into: AnyBytes, bytes: number, what: string): void {
  if (/^Uint8(Clamped)?Array$/.test(arrayType(into) ?? "") && byteCount(into) === bytes) return;
  throw new Gym2600Error("bad-buffer", `${what} is ${bytes} bytes, a Uint8Array, not ${arrayName(into)}`);
}

/**
 * Refuses what is no strength of a paddle.
 *
 * @throws Gym2600Error `bad-action`
 */
export function checkStrength(strength: unknown): void {
  if (typeof strength === "number" && strength >= 0 && strength <= 1) return;
  throw new Gym2600Error("bad-action", `paddleStrength: ${shown(strength)} is not from 0 to 1`);
}

/**
 * Refuses what is no place of the console's memory, or no byte.
 *
 * @throws Gym2600Error `bad-option`
 */
export function checkRam(index: number, value: number): void {
  checkNumber("index", index, RAM_BYTES - 1);
  checkNumber("value", value, 255);
}

/** Refuses a value that is not a whole number from 0 to `last`. */
function checkNumber(what: string, value: number, last: number): void {
  if (Number.isInteger(value) && value >= 0 && value <= last) return;
  throw new Gym2600Error("bad-option", `${what}: ${shown(value)} is no whole number from 0 to ${last}`);
}
