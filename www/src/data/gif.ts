/** A film as an animated GIF. */

import { GifWriter } from "gym2600/record";
import type { Film } from "../show/protocol.js";

/** A film as a GIF that repeats forever. */
export function gifOf({ width, height, pictures, palette, perSecond }: Film): Uint8Array<ArrayBuffer> {
  const gif = new GifWriter({ framesPerSecond: perSecond });
  const data = new Uint8Array(width * height * 4);
  for (const picture of pictures) {
    for (const [pixel, index] of picture.entries()) {
      data.set(palette.subarray(4 * index, 4 * index + 4), 4 * pixel);
    }
    gif.add({ width, height, data });
  }
  return gif.finish();
}
