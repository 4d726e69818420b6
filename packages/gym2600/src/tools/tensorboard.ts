/**
 * TensorBoard event files, in Node: `import { TensorBoardWriter } from "gym2600/tensorboard"`.
 *
 * @module gym2600/tensorboard
 */

import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { checkOptions } from "../arguments.js";
import { Gym2600Error, messageOf, shown } from "../errors.js";
import type { ScalarWriter } from "./statistics.js";

let files = 0;

/** A `SessionLog` with the status `START`. */
const SESSION_START = Buffer.of(1 << 3, 1);

/**
 * Writes scalars to a new event file in a folder, which `tensorboard --logdir` shows.
 *
 * A value is in the file when the call returns. TensorBoard's scalars are 32-bit floats.
 */
export class TensorBoardWriter implements ScalarWriter {
  /** The file's path. */
  readonly path: string;
  #file: number | undefined;

  /**
   * Creates the folder, if it is missing, and the file.
   *
   * @throws Gym2600Error `bad-option` if it cannot, with the error of Node as its cause
   */
  constructor(folder: string) {
    const seconds = String(Math.floor(Date.now() / 1000)).padStart(10, "0");
    try {
      mkdirSync(folder, { recursive: true });
      this.path = join(folder, `events.out.tfevents.${seconds}.${hostname()}.${process.pid}.${files++}`);
      this.#file = openSync(this.path, "ax");
    } catch (error) {
      throw new Gym2600Error("bad-option", `folder: ${(error as Error).message}`, { cause: error });
    }
    this.#event(bytesField(3, Buffer.from("brain.Event:2")));
  }

  /**
   * Has TensorBoard drop the values that earlier files of the folder have from `step` on: those of a run that ended after the checkpoint
   * from which this one goes on.
   *
   * @throws Gym2600Error `bad-option` for a step that is not a whole number of at least 0; `closed`
   */
  restart(step: number): void {
    checkStep(step);
    this.#event(Buffer.concat([Buffer.of(2 << 3), varint(step), bytesField(7, SESSION_START)]));
  }

  /** @throws Gym2600Error `bad-option` for a step that is not a whole number of at least 0; `closed` */
  scalar(name: string, value: number, step: number): void {
    checkStep(step);
    if (typeof name !== "string" || typeof value !== "number") {
      throw new Gym2600Error("bad-option", `a scalar has a name and a number, not ${shown(name)} and ${shown(value)}`);
    }
    const simpleValue = Buffer.alloc(5);
    simpleValue.writeUInt8((2 << 3) | 5);
    simpleValue.writeFloatLE(value, 1);
    const summary = bytesField(1, Buffer.concat([bytesField(1, Buffer.from(name)), simpleValue]));
    this.#event(Buffer.concat([Buffer.of(2 << 3), varint(step), bytesField(5, summary)]));
  }

  /**
   * Writes the settings of a run for TensorBoard's tab HPARAMS.
   *
   * @throws Gym2600Error `bad-option` for a setting that is no text, number or boolean; `closed`
   */
  hyperParameters(settings: Readonly<Record<string, string | number | boolean>>): void {
    const entries = Object.entries(checkOptions(settings)).map(([name, value]) =>
      bytesField(1, Buffer.concat([bytesField(1, Buffer.from(name)), bytesField(2, settingOf(name, value))])),
    );
    const seconds = Buffer.alloc(9);
    seconds.writeUInt8((5 << 3) | 1);
    seconds.writeDoubleLE(Date.now() / 1000, 1);
    // HParamsPluginData with session_start_info.
    const content = bytesField(3, Buffer.concat([...entries, seconds]));
    const plugin = Buffer.concat([bytesField(1, Buffer.from("hparams")), bytesField(2, content)]);
    const value = [
      bytesField(1, Buffer.from("_hparams_/session_start_info")),
      // The plug-in reads the metadata alone, and TensorBoard drops a value without content: an empty list of floats.
      bytesField(8, Buffer.concat([Buffer.of(1 << 3, 1), bytesField(2, bytesField(2, Buffer.alloc(0)))])),
      bytesField(9, bytesField(1, plugin)),
    ];
    this.#event(bytesField(5, bytesField(1, Buffer.concat(value))));
  }

  /** Closes the file. Calls after the first have no effect. */
  close(): void {
    const file = this.#file;
    this.#file = undefined;
    if (file !== undefined) this.#onFile(() => closeSync(file));
  }

  /** {@link close}, for `using`. */
  [Symbol.dispose](): void {
    this.close();
  }

  /** Writes an event with these fields and the time. */
  #event(fields: Buffer): void {
    if (this.#file === undefined) throw new Gym2600Error("closed", `${this.path} has been closed`);
    const wallTime = Buffer.alloc(9);
    wallTime.writeUInt8((1 << 3) | 1);
    wallTime.writeDoubleLE(Date.now() / 1000, 1);
    const bytes = record(Buffer.concat([wallTime, fields]));
    const file = this.#file;
    this.#onFile(() => {
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    });
  }

  /** Uses the file. */
  #onFile(use: () => void): void {
    try {
      use();
    } catch (error) {
      throw new Gym2600Error("bad-option", `${this.path} cannot be written: ${messageOf(error)}`, { cause: error });
    }
  }
}

function checkStep(step: number): void {
  if (Number.isSafeInteger(step) && step >= 0) return;
  throw new Gym2600Error("bad-option", `step has to be a whole number of at least 0, not ${shown(step)}`);
}

/** A `google.protobuf.Value`. */
function settingOf(name: string, value: unknown): Buffer {
  if (typeof value === "string") return bytesField(3, Buffer.from(value));
  if (typeof value === "boolean") return Buffer.of(4 << 3, Number(value));
  if (typeof value !== "number") {
    throw new Gym2600Error("bad-option", `settings.${name}: ${shown(value)} is no text, number or boolean`);
  }
  const number = Buffer.alloc(9);
  number.writeUInt8((2 << 3) | 1);
  number.writeDoubleLE(value, 1);
  return number;
}

/** A TFRecord: the length of the bytes, its checksum, the bytes, and their checksum. */
function record(data: Buffer): Buffer {
  const frame = Buffer.alloc(data.length + 16);
  frame.writeBigUInt64LE(BigInt(data.length));
  frame.writeUInt32LE(maskedCrc(frame.subarray(0, 8)), 8);
  data.copy(frame, 12);
  frame.writeUInt32LE(maskedCrc(data), 12 + data.length);
  return frame;
}

/** A field of bytes of a protocol buffer. */
function bytesField(number: number, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.of((number << 3) | 2), varint(bytes.length), bytes]);
}

/** A varint: a whole number of at least 0, seven bits per byte. */
function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.of(...bytes, rest);
}

/** TFRecord's mask, because a checksum of data that contains checksums is weak. */
function maskedCrc(bytes: Uint8Array): number {
  const crc = crc32c(bytes);
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}

/** The CRC-32 with Castagnoli's polynomial. */
function crc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0x82f63b78 : 0);
  }
  return ~crc >>> 0;
}
