/** The form for the definition of a game that is not in the catalogue. */

import type { GameDefinition } from "gym2600";
import { element, setText } from "./dom.js";

/** An error with the place of a mistake in the text. */
const PLACE = /^game:(\d+):(\d+): (.*)$/s;

export class DefinitionForm {
  readonly #details = element("definition-details", HTMLDetailsElement);
  readonly #text = element("definition", HTMLTextAreaElement);
  readonly #error = element("definition-error", HTMLElement);

  /** @param use plays a game with the definition; rejects with the reason if it is wrong */
  constructor(use: (definition: GameDefinition) => Promise<void>) {
    element("definition-use", HTMLButtonElement).addEventListener("click", () => void this.#try(use));
    const file = element("definition-file", HTMLInputElement);
    element("definition-choose", HTMLButtonElement).addEventListener("click", () => file.click());
    file.addEventListener("change", () => {
      const chosen = file.files?.[0];
      if (chosen !== undefined) void this.read(chosen);
      file.value = "";
    });
  }

  /** Shows the text of a file. */
  async read(file: File): Promise<void> {
    this.offer();
    this.#text.value = await file.text();
    this.#refuse("");
  }

  /** Opens the form. */
  offer(): void {
    this.#details.open = true;
  }

  async #try(use: (definition: GameDefinition) => Promise<void>): Promise<void> {
    this.#refuse("");
    const text = this.#text.value;
    // The reader of TOML is loaded on first use.
    const { locateError, parseDefinition } = await import("gym2600/toml");
    try {
      await use(parseDefinition(text));
    } catch (thrown) {
      const error = locateError(thrown, text);
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
