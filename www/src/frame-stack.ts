/** The frames of an observation, drawn exactly as the agent gets them: one canvas pixel for each of its places. */

import type { GameDescription, Observation } from "gym2600";

/** Where the numbers of each frame lie in an observation. */
interface Layout {
  readonly frames: number;
  readonly width: number;
  readonly height: number;
  /** 1 for grey, 3 for red, green and blue, which lie side by side. */
  readonly channels: number;
  /** From a frame's first number to the next frame's. */
  readonly frameStride: number;
  /** From one pixel of a frame to its next. */
  readonly pixelStride: number;
}

/** The console's memory is shown as a picture of its 128 bytes. */
const MEMORY = { width: 16, height: 8 };

/** How observations of a game are drawn. */
export class FramePainter {
  readonly frames: number;
  readonly width: number;
  readonly height: number;

  readonly #layout: Layout;
  readonly #image: ImageData;
  readonly #scale: number;

  constructor(description: GameDescription) {
    this.#layout = layoutOf(description);
    const { frames, width, height } = this.#layout;
    this.frames = frames;
    this.width = width;
    this.height = height;
    this.#image = new ImageData(width, height);
    this.#scale = description.observation.dtype === "uint8" ? 1 : 255;
  }

  /** Draws a frame of an observation, the oldest of which is 0, with its left edge at `x`. */
  draw(observation: Observation, frame: number, context: CanvasRenderingContext2D, x = 0): void {
    const { channels, frameStride, pixelStride } = this.#layout;
    const { data } = this.#image;
    const [green, blue] = channels === 3 ? [1, 2] : [0, 0];
    let from = frame * frameStride;
    for (let to = 0; to < data.length; to += 4) {
      data[to] = (observation[from] ?? 0) * this.#scale;
      data[to + 1] = (observation[from + green] ?? 0) * this.#scale;
      data[to + 2] = (observation[from + blue] ?? 0) * this.#scale;
      data[to + 3] = 255;
      from += pixelStride;
    }
    context.putImageData(this.#image, x, 0);
  }
}

function layoutOf({ observation: { shape }, spec }: GameDescription): Layout {
  const queue = spec.wrappers.find((wrapper) => wrapper.type === "QueueFrames");
  const frames = queue?.n ?? 1;
  const grey = spec.wrappers.some((wrapper) => wrapper.type === "ImagePreprocessing" && wrapper.grey !== null);
  const channels = spec.observation === "rgb" && !grey ? 3 : 1;
  const numbers = shape.reduce((product, size) => product * size, 1) / frames;
  const strides =
    queue?.axis === "last"
      ? { frameStride: channels, pixelStride: frames * channels }
      : { frameStride: numbers, pixelStride: channels };
  if (spec.observation === "ram") return { frames, channels, ...MEMORY, ...strides };
  // The last two axes but for colours and frames that stand behind them; frames may be stacked on the first of these.
  const stackedFirst = queue !== undefined && queue.axis !== "last" && queue.concat !== true;
  const width = shape[stackedFirst ? 2 : 1] ?? 1;
  return { frames, channels, width, height: numbers / channels / width, ...strides };
}
