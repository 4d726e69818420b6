/** Draws the frames of an observation as the agent gets them: one canvas pixel for each pixel. */

import type { GameDescription, Observation } from "gym2600";

/** The layout of the frames in an observation. */
interface Layout {
  readonly frames: number;
  readonly width: number;
  readonly height: number;
  /** 1 for grey; 3 for red, green and blue, which are adjacent. */
  readonly channels: number;
  /** The distance between the first values of two frames. */
  readonly frameStride: number;
  /** The distance between two pixels of a frame. */
  readonly pixelStride: number;
}

/** RAM observations are drawn as a picture of 128 bytes. */
const MEMORY = { width: 16, height: 8 };

/** Draws the observations of a game. */
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

  /** Draws a frame of an observation with its left edge at `x`. The oldest frame is 0. */
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
  // Height and width are the last two axes before colours or frames on a last axis. Frames may also be the first axis.
  const stackedFirst = queue !== undefined && queue.axis !== "last" && queue.concat !== true;
  const width = shape[stackedFirst ? 2 : 1] ?? 1;
  return { frames, channels, width, height: numbers / channels / width, ...strides };
}
