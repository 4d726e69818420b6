/** Messages: errors, and announcements for screen readers. */

import { element } from "./dom.js";

export class Messages {
  readonly #box = element("message", HTMLElement);
  readonly #text = element("message-text", HTMLElement);
  readonly #close = element("message-close", HTMLButtonElement);
  readonly #announcement = element("announcement", HTMLElement);

  constructor() {
    this.#close.addEventListener("click", () => {
      this.clear();
      element("run", HTMLButtonElement).focus();
    });
  }

  /** Shows an error until it is dismissed or a request succeeds. */
  error(headline: string, detail: string): void {
    const strong = document.createElement("strong");
    strong.textContent = headline;
    this.#text.replaceChildren(strong, `\n${detail}`);
    this.#box.dataset.kind = "error";
    this.#close.hidden = false;
  }

  /** Removes the error. */
  clear(): void {
    this.#text.replaceChildren();
    delete this.#box.dataset.kind;
    this.#close.hidden = true;
  }

  /** Announces to screen readers what the page shows. */
  announce(text: string): void {
    this.#announcement.textContent = text;
  }
}
