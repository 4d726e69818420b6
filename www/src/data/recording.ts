/** Records the picture as WebM, by the browser's own encoder. */

import { context2d } from "../ui/dom.js";

const BITS_PER_SECOND = 4_000_000;

/** Pixels of the film in a line of the console. A pixel of the console is twice as wide as high. */
const SCALE = 2;

const TYPE = "video/webm";

export function canRecord(): boolean {
  return typeof MediaRecorder === "function" && MediaRecorder.isTypeSupported(TYPE);
}

/** Begins a recording of the canvas. The result ends it and gives the file. */
export function record(
  screen: HTMLCanvasElement,
  size: { readonly width: number; readonly height: number },
): () => Promise<Blob> {
  const canvas = document.createElement("canvas");
  canvas.width = size.width * 2 * SCALE;
  canvas.height = size.height * SCALE;
  const context = context2d(canvas);
  context.imageSmoothingEnabled = false;
  let request = 0;
  const draw = (): void => {
    context.drawImage(screen, 0, 0, canvas.width, canvas.height);
    request = requestAnimationFrame(draw);
  };
  draw();
  const recorder = new MediaRecorder(canvas.captureStream(), { mimeType: TYPE, videoBitsPerSecond: BITS_PER_SECOND });
  const parts: Blob[] = [];
  recorder.addEventListener("dataavailable", ({ data }) => parts.push(data));
  recorder.start();
  return () =>
    new Promise((resolve) => {
      recorder.addEventListener("stop", () => resolve(new Blob(parts, { type: TYPE })), { once: true });
      recorder.stop();
      cancelAnimationFrame(request);
    });
}
