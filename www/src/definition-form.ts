/** The form for the definition of a game that is not in the catalogue. */

import { element, setText } from "./dom.js";

/** The position of an error in a message of the package. */
const PLACE = /^game:(\d+):(\d+): (.*)$/s;

export class DefinitionForm {
  readonly #details = element("definition-details", HTMLDetailsElement);
  readonly #text = element("definition", HTMLTextAreaElement);
  readonly #error = element("definition-error", HTMLElement);

  /** @param use plays with a definition, or rejects with the reason */
  constructor(use: (definition: string) => Promise<void>) {
    element("definition-use", HTMLButtonElement).addEventListener("click", () => void this.#try(use));
    const file = element("definition-file", HTMLInputElement);
    element("definition-choose", HTMLButtonElement).addEventListener("click", () => file.click());
    file.addEventListener("change", () => {
      const chosen = file.files?.[0];
      if (chosen !== undefined) void this.read(chosen);
      file.value = "";
    });
  }

  /** Shows the text of a file in the form. */
  async read(file: File): Promise<void> {
    this.offer();
    this.#text.value = await file.text();
    this.#refuse("");
  }

  /** Opens the form. */
  offer(): void {
    this.#details.open = true;
  }

  async #try(use: (definition: string) => Promise<void>): Promise<void> {
    this.#refuse("");
    try {
      await use(this.#text.value);
    } catch (error) {
      this.#refuse(error instanceof Error ? error.message : String(error));
    }
  }

  #refuse(reason: string): void {
    this.#text.ariaInvalid = String(reason !== "");
    const [, line, column, what] = PLACE.exec(reason) ?? [];
    if (line === undefined || column === undefined) {
      setText(this.#error, reason);
      return;
    }
    setText(this.#error, `Line ${line}, column ${column}: ${what}`);
    const before = this.#text.value.split("\n").slice(0, Number(line) - 1);
    const at = before.reduce((sum, text) => sum + text.length + 1, 0) + Number(column) - 1;
    this.#text.focus();
    this.#text.setSelectionRange(at, at + 1);
  }
}
