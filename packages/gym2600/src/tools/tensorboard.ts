/**
 * TensorBoard event files, in Node: `import { TensorBoardWriter } from "gym2600/tensorboard"`.
 *
 * @packageDocumentation
 */

import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { Gym2600Error } from "../errors.js";
import type { ScalarWriter } from "./statistics.js";

let files = 0;

/**
 * Writes scalars to an event file of its own in a folder, which `tensorboard --logdir` shows.
 *
 * What was written is in the file when a call returns. Values are 32-bit floats there, as TensorBoard's scalars are.
 */
export class TensorBoardWriter implements ScalarWriter {
  /** The file's path. */
  readonly path: string;
  #file: number | undefined;

  /** Makes the folder, if need be, and the file. Throws what Node throws if that cannot be. */
  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    const seconds = String(Math.floor(Date.now() / 1000)).padStart(10, "0");
    this.path = join(folder, `events.out.tfevents.${seconds}.${hostname()}.${process.pid}.${files++}`);
    this.#file = openSync(this.path, "ax");
    this.#event(bytesField(3, Buffer.from("brain.Event:2")));
  }

  /** @throws Gym2600Error `bad-option` for a step that is no whole number of at least 0; `closed` */
  scalar(name: string, value: number, step: number): void {
    if (!Number.isSafeInteger(step) || step < 0) {
      throw new Gym2600Error("bad-option", `step has to be a whole number of at least 0, not ${String(step)}`);
    }
    const simpleValue = Buffer.alloc(5);
    simpleValue.writeUInt8((2 << 3) | 5);
    simpleValue.writeFloatLE(value, 1);
    const summary = bytesField(1, Buffer.concat([bytesField(1, Buffer.from(name)), simpleValue]));
    this.#event(Buffer.concat([Buffer.of(2 << 3), varint(step), bytesField(5, summary)]));
  }

  /** Closes the file. Calls after the first do nothing; nothing can be written then. */
  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  /** Writes an event with these fields and the time. */
  #event(fields: Buffer): void {
    if (this.#file === undefined) throw new Gym2600Error("closed", `${this.path} has been closed`);
    const wallTime = Buffer.alloc(9);
    wallTime.writeUInt8((1 << 3) | 1);
    wallTime.writeDoubleLE(Date.now() / 1000, 1);
    const bytes = record(Buffer.concat([wallTime, fields]));
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
  }
}

/** Bytes in the frame of a TFRecord: their length, its checksum, they, and their checksum. */
function record(data: Buffer): Buffer {
  const frame = Buffer.alloc(data.length + 16);
  frame.writeBigUInt64LE(BigInt(data.length));
  frame.writeUInt32LE(maskedCrc(frame.subarray(0, 8)), 8);
  data.copy(frame, 12);
  frame.writeUInt32LE(maskedCrc(data), 12 + data.length);
  return frame;
}

/** A protocol buffer's field of bytes. */
function bytesField(number: number, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.of((number << 3) | 2), varint(bytes.length), bytes]);
}

/** A whole number of at least 0, seven bits a byte. */
function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.of(...bytes, rest);
}

/** TFRecord's mask: a checksum of data with checksums in it would be weak. */
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
