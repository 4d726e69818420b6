/** Writes pictures of a palette as an animated GIF (GIF89a, LZW as in its appendix F). */

import type { Film } from "../show/protocol.js";

/** Bytes of a GIF's colour table of 256 entries. */
const TABLE_BYTES = 768;

/** The most codes of a GIF's LZW. */
const MOST_CODES = 4096;

/** A film as a GIF that repeats forever. Pixels are doubled in width, as on a television. */
export function gifOf({ width, height, pictures, palette, perSecond }: Film): Uint8Array<ArrayBuffer> {
  const out: number[] = [];
  const word = (value: number): void => void out.push(value & 255, value >> 8);
  out.push(...ascii("GIF89a"));
  word(width * 2);
  word(height);
  // A global table of 256 colours.
  out.push(0xf7, 0, 0, ...palette.subarray(0, TABLE_BYTES));
  out.push(0x21, 0xff, 11, ...ascii("NETSCAPE2.0"), 3, 1, 0, 0, 0);
  const parts: Uint8Array<ArrayBuffer>[] = [Uint8Array.from(out)];
  let clock = 0;
  for (const [number, picture] of pictures.entries()) {
    // Delays are hundredths of a second, so they alternate to keep the rate.
    const next = Math.round(((number + 1) * 100) / perSecond);
    const head = [0x21, 0xf9, 4, 4, (next - clock) & 255, (next - clock) >> 8, 0, 0, 0x2c, 0, 0, 0, 0];
    clock = next;
    const size = [(width * 2) & 255, (width * 2) >> 8, height & 255, height >> 8, 0, 8];
    parts.push(Uint8Array.from([...head, ...size]), blocks(lzw(doubled(picture))));
  }
  parts.push(Uint8Array.of(0x3b));
  return new Uint8Array(joined(parts));
}

function ascii(text: string): number[] {
  return Array.from(text, (character) => character.charCodeAt(0));
}

function doubled(picture: Uint8Array): Uint8Array {
  const wide = new Uint8Array(picture.length * 2);
  for (let pixel = 0; pixel < picture.length; pixel++) {
    wide[2 * pixel] = picture[pixel] ?? 0;
    wide[2 * pixel + 1] = picture[pixel] ?? 0;
  }
  return wide;
}

/** Codes of 9 to 12 bits, the lowest bit first. */
function lzw(pixels: Uint8Array): Uint8Array {
  const [clear, end] = [256, 257];
  const out: number[] = [];
  let [bits, held, size] = [0, 0, 9];
  const emit = (code: number): void => {
    held |= code << bits;
    bits += size;
    while (bits >= 8) {
      out.push(held & 255);
      held >>>= 8;
      bits -= 8;
    }
  };
  let table = new Map<number, number>();
  let next = end + 1;
  emit(clear);
  let prefix = pixels[0] ?? 0;
  for (let at = 1; at < pixels.length; at++) {
    const pixel = pixels[at] ?? 0;
    const key = prefix * 256 + pixel;
    const known = table.get(key);
    if (known !== undefined) {
      prefix = known;
      continue;
    }
    emit(prefix);
    prefix = pixel;
    if (next < MOST_CODES) {
      table.set(key, next);
      if (next === 1 << size) size += 1;
      next += 1;
      continue;
    }
    emit(clear);
    table = new Map();
    [next, size] = [end + 1, 9];
  }
  emit(prefix);
  emit(end);
  if (bits > 0) out.push(held & 255);
  return Uint8Array.from(out);
}

/** Data in blocks of at most 255 bytes, and the empty one at the end. */
function blocks(data: Uint8Array): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(data.length + Math.ceil(data.length / 255) + 1);
  let to = 0;
  for (let from = 0; from < data.length; from += 255) {
    const block = data.subarray(from, from + 255);
    out[to] = block.length;
    out.set(block, to + 1);
    to += block.length + 1;
  }
  return out;
}

function joined(parts: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
