/** The page's elements. A missing element is reported by its id. */

/** The element with this id, of this class. */
export function element<T extends Element>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${kind.name} #${id}`);
}

/** A canvas for a worker to paint a lane's picture on. The worker sets its size. */
export function laneCanvas(): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.role = "img";
  return canvas;
}

/** The context of a canvas that the page itself draws on. */
export function context2d(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext("2d");
  if (context === null) throw new Error(`#${canvas.id} cannot be drawn on`);
  return context;
}

/** Writes text only where it changes, to avoid needless layout. */
export function setText(target: Element, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}
