/** The console's picture on the page. */

import type { Picture } from "gym2600";
import { context2d } from "./dom.js";

const WIDTH = 160;

/** On a television, a pixel is about twice as wide as high. */
const PIXEL_ASPECT = 2;

/** How much of the place the picture should fill at least. */
const LEAST_FILLED = 0.7;

export class PictureView {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;

  constructor(canvas: HTMLCanvasElement, place: HTMLElement) {
    this.#canvas = canvas;
    this.#context = context2d(canvas);
    new ResizeObserver(() => this.#fit(place.clientWidth)).observe(place);
  }

  /** Draws the picture; it may be given away afterwards. The canvas has the console's pixels, the style sheet widens them. */
  draw({ width, height, data }: Picture): void {
    if (this.#canvas.width !== width) this.#canvas.width = width;
    if (this.#canvas.height !== height) {
      this.#canvas.height = height;
      this.#canvas.style.aspectRatio = `${width * PIXEL_ASPECT} / ${height}`;
    }
    this.#context.putImageData(new ImageData(data, width, height), 0, 0);
  }

  /**
   * Takes the largest width at which each of the console's pixels is a whole number of the display's both ways.
   * Where that leaves much of the place empty, lines may differ in height by one pixel of the display.
   */
  #fit(available: number): void {
    const sharp = (WIDTH * PIXEL_ASPECT) / devicePixelRatio;
    const step = wholeSteps(available, sharp) < available * LEAST_FILLED ? WIDTH / devicePixelRatio : sharp;
    this.#canvas.style.width = `${Math.min(wholeSteps(available, step), available)}px`;
  }
}

/** The largest multiple of `step` that fits, or `step` itself. */
function wholeSteps(available: number, step: number): number {
  return Math.max(1, Math.floor(available / step)) * step;
}
