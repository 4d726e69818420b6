/** Animated GIFs (GIF89a; LZW as in its appendix F). */

import { checkAboveZero, checkOptions, expected, namedOptions } from "../arguments.js";
import { joined } from "../buffers/joined.js";
import { arrayName, arrayType, byteCount, bytesOf } from "../buffers/observation-buffers.js";
import { Gym2600Error, shown } from "../errors.js";

/** A picture: what `render` gives. */
export interface GifPicture {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and opacity of each pixel. The opacity is ignored. */
  readonly data: Uint8Array | Uint8ClampedArray;
}

/** Options of {@link GifWriter}. */
export interface GifOptions {
  /**
   * 50 unless given. More count as 50: delays are hundredths of a second, and browsers make 10 of those below 2. A program that records
   * 60 frames a second in real time leaves some of them out.
   */
  readonly framesPerSecond?: number | undefined;
}

/** A picture is shown for at least 2 hundredths of a second: browsers make 10 of less. */
const MOST_FRAMES_PER_SECOND = 50;
/** The most codes of a GIF's LZW. */
const MOST_CODES = 4096;
/** The most colours of a picture. */
const MOST_COLOURS = 256;
/** The largest size of a GIF. */
const MOST_PIXELS = 65_535;

/**
 * Writes an animated GIF that repeats forever. Pixels are doubled in width, as on a television.
 *
 * ```ts
 * import { Game, wallop } from "gym2600";
 * import { GifWriter } from "gym2600/record";
 *
 * const game = await Game.create({ rom: wallop });
 * const gif = new GifWriter({ framesPerSecond: 15 });
 * game.reset();
 * for (let step = 0; step < 30; step++) {
 *   game.step(step % 4);
 *   gif.add(game.render());
 * }
 * const bytes = gif.finish();
 * ```
 */
export class GifWriter {
  readonly #framesPerSecond: number;
  readonly #parts: Uint8Array<ArrayBuffer>[] = [];
  #pictures = 0;
  #size: readonly [width: number, height: number] | undefined;

  /** @throws Gym2600Error `bad-option` for an impossible speed */
  constructor(options: GifOptions = {}) {
    const { framesPerSecond = MOST_FRAMES_PER_SECOND } = namedOptions(options, "framesPerSecond");
    checkAboveZero("framesPerSecond", framesPerSecond);
    this.#framesPerSecond = Math.min(framesPerSecond, MOST_FRAMES_PER_SECOND);
  }

  /**
   * Adds a picture. All pictures have the size of the first. If one has more than 256 colours, the later of them become similar ones.
   *
   * @throws Gym2600Error `bad-buffer` for a picture of another or an impossible size
   */
  add(picture: GifPicture): void {
    const { width, height, data } = checkOptions(picture);
    const [wide, high] = this.#size ?? [width, height];
    const isPossible = isSide(width) && isSide(2 * width) && isSide(height);
    const isBytes = /^Uint8(Clamped)?Array$/.test(arrayType(data) ?? "");
    if (!isPossible || !isBytes || width !== wide || height !== high || byteCount(data) !== 4 * width * height) {
      const found = `${shown(width)} x ${shown(height)} with ${arrayName(data)}`;
      throw new Gym2600Error(
        "bad-buffer",
        `a picture of ${found} does not fit a GIF of ${shown(wide)} x ${shown(high)}`,
      );
    }
    this.#size = [width, height];
    const { pixels, colours } = indexed(bytesOf(data as Uint8Array<ArrayBuffer>));
    const bits = Math.max(2, Math.ceil(Math.log2(colours.length)));
    const table = new Uint8Array(3 << bits);
    for (const [index, colour] of colours.entries())
      table.set([colour >> 16, (colour >> 8) & 255, colour & 255], 3 * index);
    const delay = this.#delay();
    const control = [0x21, 0xf9, 4, 4, ...word(delay), 0, 0];
    const descriptor = [0x2c, 0, 0, 0, 0, ...word(2 * width), ...word(height), 0x80 | (bits - 1)];
    this.#parts.push(Uint8Array.from([...control, ...descriptor, ...table, bits]), blocks(lzw(doubled(pixels), bits)));
    this.#pictures++;
  }

  /**
   * The file with all pictures so far.
   *
   * @throws Gym2600Error `bad-state` without a picture
   */
  finish(): Uint8Array<ArrayBuffer> {
    if (this.#size === undefined) throw new Gym2600Error("bad-state", "a GIF has at least one picture");
    const [width, height] = this.#size;
    const screen = [...ascii("GIF89a"), ...word(2 * width), ...word(height), 0, 0, 0];
    const forever = [0x21, 0xff, 11, ...ascii("NETSCAPE2.0"), 3, 1, 0, 0, 0];
    return joined(Uint8Array, [Uint8Array.from([...screen, ...forever]), ...this.#parts, Uint8Array.of(0x3b)]);
  }

  /** The next picture's hundredths of a second. They alternate to keep the rate. */
  #delay(): number {
    const at = (picture: number) => Math.round((100 * picture) / this.#framesPerSecond);
    return Math.min(at(this.#pictures + 1) - at(this.#pictures), MOST_PIXELS);
  }
}

/** A picture as indices of its colours. */
function indexed(data: GifPicture["data"]): { readonly pixels: Uint8Array; readonly colours: readonly number[] } {
  const pixels = new Uint8Array(data.length / 4);
  const known = new Map<number, number>();
  const colours: number[] = [];
  for (let pixel = 0; pixel < pixels.length; pixel++) {
    const at = 4 * pixel;
    const colour = ((data[at] as number) << 16) | ((data[at + 1] as number) << 8) | (data[at + 2] as number);
    let index = known.get(colour);
    if (index === undefined) {
      index = colours.length < MOST_COLOURS ? colours.push(colour) - 1 : nearest(colours, colour);
      known.set(colour, index);
    }
    pixels[pixel] = index;
  }
  return { pixels, colours };
}

/** The index of the most similar colour. */
function nearest(colours: readonly number[], colour: number): number {
  const distance = (other: number) =>
    [16, 8, 0].reduce((sum, shift) => sum + (((other >> shift) & 255) - ((colour >> shift) & 255)) ** 2, 0);
  const distances = colours.map(distance);
  return distances.indexOf(Math.min(...distances));
}

function doubled(pixels: Uint8Array): Uint8Array {
  const wide = new Uint8Array(pixels.length * 2);
  for (const [at, pixel] of pixels.entries()) wide.fill(pixel, 2 * at, 2 * at + 2);
  return wide;
}

/** Codes of `bits + 1` to 12 bits, the lowest bit first. */
function lzw(pixels: Uint8Array, bits: number): Uint8Array {
  const [clear, end] = [1 << bits, (1 << bits) + 1];
  const out: number[] = [];
  let [count, held, size] = [0, 0, bits + 1];
  const emit = (code: number): void => {
    held |= code << count;
    count += size;
    while (count >= 8) {
      out.push(held & 255);
      held >>>= 8;
      count -= 8;
    }
  };
  let table = new Map<number, number>();
  let next = end + 1;
  emit(clear);
  let prefix = expected(pixels[0], "a picture has at least one pixel");
  for (let at = 1; at < pixels.length; at++) {
    const pixel = pixels[at] as number;
    const key = prefix * MOST_COLOURS + pixel;
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
    [next, size] = [end + 1, bits + 1];
  }
  emit(prefix);
  // The reader makes an entry of this code too.
  if (next < MOST_CODES && next === 1 << size) size += 1;
  emit(end);
  if (count > 0) out.push(held & 255);
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

function ascii(text: string): number[] {
  return Array.from(text, (character) => character.charCodeAt(0));
}

function word(value: number): [number, number] {
  return [value & 255, value >> 8];
}

/** Whether a GIF can have so many pixels in a direction. */
function isSide(pixels: number): boolean {
  return Number.isInteger(pixels) && pixels > 0 && pixels <= MOST_PIXELS;
}
