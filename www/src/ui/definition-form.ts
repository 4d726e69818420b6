/** The form for the description of a game that is not in the catalogue. */

import * as actions from "../app/actions.js";
import * as store from "../state/store.js";
import { button, element, setText } from "./dom.js";

/** An error with the place of a mistake in the text. */
const PLACE = /^game:(\d+):(\d+): (.*)$/s;

export function mountDefinition(): void {
  button("definition-use", () => void use());
  const file = element("definition-file", HTMLInputElement);
  button("definition-choose", () => file.click());
  file.addEventListener("change", () => {
    const chosen = file.files?.[0];
    if (chosen !== undefined) void readDescription(chosen);
    file.value = "";
  });
}

/** Shows the text of a file in the form. */
export async function readDescription(file: File): Promise<void> {
  store.drawer.value = "setup";
  element("definition-details", HTMLDetailsElement).open = true;
  const area = element("definition", HTMLTextAreaElement);
  area.value = await file.text();
  area.focus();
  refuse("");
}

async function use(): Promise<void> {
  refuse("");
  const text = element("definition", HTMLTextAreaElement).value;
  // The reader of TOML is loaded on first use.
  const { locateError, parseDefinition } = await import("gym2600/toml");
  try {
    await actions.openDescribed(parseDefinition(text));
    store.drawer.value = undefined;
    element("television", HTMLElement).focus({ preventScroll: true });
  } catch (thrown) {
    const error = locateError(thrown, text);
    refuse(error instanceof Error ? error.message : String(error));
  }
}

function refuse(reason: string): void {
  const area = element("definition", HTMLTextAreaElement);
  const shown = element("definition-error", HTMLElement);
  area.ariaInvalid = String(reason !== "");
  const [, line, column, what] = PLACE.exec(reason) ?? [];
  if (line === undefined || column === undefined) {
    setText(shown, reason);
    return;
  }
  setText(shown, `Line ${line}, column ${column}: ${what}`);
  const before = area.value.split("\n").slice(0, Number(line) - 1);
  const at = before.reduce((sum, text) => sum + text.length + 1, 0) + Number(column) - 1;
  area.focus();
  area.setSelectionRange(at, at + 1);
}
