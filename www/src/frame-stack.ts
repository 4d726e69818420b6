/** The frames of an observation, drawn exactly as the agent gets them: one canvas pixel for each of its numbers. */

import type { GameDescription, Observation } from "gym2600";
import { context2d } from "./dom.js";

/** Where the numbers of each frame lie in an observation. */
interface Layout {
  readonly frames: number;
  readonly width: number;
  readonly height: number;
  /** From a frame's first number to the next frame's. */
  readonly frameStride: number;
  /** From one number of a frame to its next. */
  readonly pixelStride: number;
}

export class FrameStackView {
  readonly #contexts: readonly CanvasRenderingContext2D[];
  #layout: Layout | undefined;
  #image = new ImageData(1, 1);
  #scale = 1;

  /** @param canvases one for each frame, the oldest first */
  constructor(canvases: readonly HTMLCanvasElement[]) {
    this.#contexts = canvases.map(context2d);
  }

  /** Gets ready for the observations of a game. */
  use({ observation: { shape, dtype } }: GameDescription): void {
    this.#layout = layoutOf(shape, this.#contexts.length);
    this.#scale = dtype === "uint8" ? 1 : 255;
    if (this.#layout === undefined) return;
    const { width, height } = this.#layout;
    this.#image = new ImageData(width, height);
    for (const { canvas } of this.#contexts) {
      canvas.width = width;
      canvas.height = height;
    }
  }

  /** Draws an observation; it may be given away afterwards. One that is no stack of grey frames is not drawn. */
  draw(observation: Observation): void {
    const layout = this.#layout;
    if (layout === undefined) return;
    const { data } = this.#image;
    for (const [frame, context] of this.#contexts.entries()) {
      let from = frame * layout.frameStride;
      for (let to = 0; to < data.length; to += 4) {
        const grey = (observation[from] ?? 0) * this.#scale;
        data[to] = grey;
        data[to + 1] = grey;
        data[to + 2] = grey;
        data[to + 3] = 255;
        from += layout.pixelStride;
      }
      context.putImageData(this.#image, 0, 0);
    }
  }
}

function layoutOf(shape: readonly number[], frames: number): Layout | undefined {
  const [first = 0, second = 0, third = 0] = shape;
  if (shape.length !== 3) return undefined;
  if (first === frames) return { frames, height: second, width: third, frameStride: second * third, pixelStride: 1 };
  if (third === frames) return { frames, height: first, width: second, frameStride: 1, pixelStride: frames };
  return undefined;
}
