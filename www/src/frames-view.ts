/** The observation of the watched game, frame by frame. */

import type { GameDescription, Observation } from "gym2600";
import { context2d, element, setText } from "./dom.js";
import { FramePainter } from "./frame-stack.js";

export class FramesView {
  readonly #list = element("frames", HTMLOListElement);
  readonly #shape = element("observation-shape", HTMLElement);
  #painter: FramePainter | undefined;
  #contexts: readonly CanvasRenderingContext2D[] = [];

  /** Prepares for the observations of a game. */
  use(description: GameDescription): void {
    const painter = new FramePainter(description);
    const { frames, width, height } = painter;
    const canvases = Array.from({ length: frames }, (_, frame) => canvasOf(frame, frames, width, height));
    this.#painter = painter;
    this.#contexts = canvases.map(context2d);
    this.#list.replaceChildren(...canvases.map((canvas, frame) => itemOf(canvas, captionOf(frame, frames))));
    const { shape, dtype } = description.observation;
    setText(this.#shape, `${shape.join(" × ")} ${dtype}`);
  }

  /** Draws an observation. The caller may recycle it afterwards. */
  draw(observation: Observation): void {
    for (const [frame, context] of this.#contexts.entries()) this.#painter?.draw(observation, frame, context);
  }
}

function canvasOf(frame: number, frames: number, width: number, height: number): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  const caption = captionOf(frame, frames);
  canvas.id = `frame-${frame}`;
  canvas.width = width;
  canvas.height = height;
  canvas.role = "img";
  canvas.ariaLabel = `Frame ${frame + 1} of ${frames} of the observation${caption === "" ? "" : `, the ${caption}`}`;
  return canvas;
}

function captionOf(frame: number, frames: number): string {
  if (frame === frames - 1) return frames === 1 ? "" : "newest";
  return frame === 0 ? "oldest" : "";
}

function itemOf(canvas: HTMLCanvasElement, caption: string): HTMLLIElement {
  const item = document.createElement("li");
  const text = document.createElement("span");
  text.textContent = caption === "" ? "\u00a0" : caption;
  item.append(canvas, text);
  return item;
}
