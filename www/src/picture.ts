/** The large picture of the watched lane. */

import { context2d } from "./dom.js";

const WIDTH = 160;

/** On a television, a pixel is about twice as wide as high. */
const PIXEL_ASPECT = 2;

/** The least part of the place's width that the picture should fill. */
const LEAST_FILLED = 0.7;

export class PictureView {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;

  constructor(canvas: HTMLCanvasElement, place: HTMLElement) {
    this.#canvas = canvas;
    this.#context = context2d(canvas);
    new ResizeObserver(() => this.#fit(place.clientWidth)).observe(place);
  }

  /** Copies what a lane's worker has painted. The canvas has the console's pixels; the style sheet widens them. */
  draw(painted: HTMLCanvasElement): void {
    const { width, height } = painted;
    if (this.#canvas.width !== width) this.#canvas.width = width;
    if (this.#canvas.height !== height) {
      this.#canvas.height = height;
      this.#canvas.style.aspectRatio = `${width * PIXEL_ASPECT} / ${height}`;
    }
    this.#context.drawImage(painted, 0, 0);
  }

  /**
   * Takes the largest width at which a pixel of the console covers a whole number of the display's pixels in both directions.
   * If that leaves too much of the place empty, lines may differ in height by one pixel of the display.
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
