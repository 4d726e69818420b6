/** The page's elements. A missing element is reported by its id. */

import { effect } from "@preact/signals-core";

/** The element with this id, of this class. */
export function element<T extends Element>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${kind.name} #${id}`);
}

export function button(id: string, act: () => void): HTMLButtonElement {
  const found = element(id, HTMLButtonElement);
  found.addEventListener("click", act);
  return found;
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

/** Shows a text of the store in an element. */
export function bindText(id: string, text: () => string): void {
  const target = element(id, HTMLElement);
  effect(() => setText(target, text()));
}

/** A new element with a class, attributes and children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** Makes radio buttons show a value of the store, and write it. */
export function bindRadios<T extends string>(name: string, read: () => T, write: (value: T) => void): void {
  const inputs = [...document.querySelectorAll<HTMLInputElement>(`input[name="${name}"]`)];
  for (const input of inputs) {
    input.addEventListener("change", () => {
      if (input.checked) write(input.value as T);
    });
  }
  effect(() => {
    const value = read();
    for (const input of inputs) input.checked = input.value === value;
  });
}
