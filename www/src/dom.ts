/** Finding the page's elements: a missing one is a mistake in the page, and says which it is. */

/** The element with this id, of this class. */
export function element<T extends Element>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${kind.name} #${id}`);
}

/** What a canvas is drawn with. */
export function context2d(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext("2d");
  if (context === null) throw new Error(`#${canvas.id} cannot be drawn on`);
  return context;
}

/** Writes text only where it changes, so that nothing is laid out again for nothing. */
export function setText(target: Element, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}
