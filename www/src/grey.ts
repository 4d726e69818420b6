/** Draws a picture of greys, row by row. */
export function drawGrey(
  context: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D,
  greys: Uint8Array,
  width: number,
  height: number,
): void {
  const image = context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  for (let at = 0; at < pixels.length; at++) pixels[at] = 0xff000000 | ((greys[at] ?? 0) * 0x010101);
  context.putImageData(image, 0, 0);
}
