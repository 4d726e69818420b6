/** Paints the show game's picture, the saliency map over it, and the frames that the agent sees. */

import type { Picture } from "gym2600";
import { drawGrey } from "../grey.js";
import { PATCHES } from "./brain.js";

/** The map's colour: red, green, blue. */
const HEAT = [255, 64, 160];

/** The least change of the policy that is drawn in full strength. */
const STRONG = 0.05;

export class Painter {
  readonly #canvas: OffscreenCanvas;
  readonly #context: OffscreenCanvasRenderingContext2D;
  #frames: readonly OffscreenCanvasRenderingContext2D[] = [];
  readonly #heat = new OffscreenCanvas(PATCHES, PATCHES);

  constructor(canvas: OffscreenCanvas) {
    const context = canvas.getContext("2d", { alpha: false });
    if (context === null) throw new Error("the canvas cannot be drawn on");
    this.#canvas = canvas;
    this.#context = context;
  }

  /** Takes the canvases of the stack's frames, the oldest first. */
  useFrames(canvases: readonly OffscreenCanvas[]): void {
    this.#frames = canvases.flatMap((canvas) => canvas.getContext("2d", { alpha: false }) ?? []);
  }

  /** Paints a stack of grey pictures. */
  paintStack(stack: Uint8Array, [frames, height, width]: readonly [number, number, number]): void {
    if (this.#frames.length !== frames) return;
    for (const [frame, context] of this.#frames.entries()) {
      drawGrey(context, stack.subarray(frame * height * width), width, height);
    }
  }

  paint(picture: Picture, saliency: readonly number[] | undefined): void {
    const { width, height } = picture;
    if (this.#canvas.width !== width) this.#canvas.width = width;
    if (this.#canvas.height !== height) this.#canvas.height = height;
    this.#context.putImageData(picture as ImageData, 0, 0);
    if (saliency !== undefined) this.#paintHeat(saliency, width, height);
  }

  #paintHeat(saliency: readonly number[], width: number, height: number): void {
    const heat = this.#heat.getContext("2d");
    if (heat === null) return;
    const most = Math.max(STRONG, ...saliency);
    const image = heat.createImageData(PATCHES, PATCHES);
    for (const [patch, change] of saliency.entries()) image.data.set([...HEAT, (change / most) * 190], 4 * patch);
    heat.putImageData(image, 0, 0);
    this.#context.imageSmoothingEnabled = true;
    this.#context.drawImage(this.#heat, 0, 0, width, height);
  }
}
