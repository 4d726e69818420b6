/** The form for the description of a game that is not in the catalogue. */

import { type GameDefinition, Gym2600Error } from "gym2600";
import * as store from "../state/store.js";
import { textOf } from "../text.js";
import { button, element, setText } from "./dom.js";

/** A description has at most 256 K characters, of at most three bytes each. A larger file is not even read. */
const LARGEST_FILE = 3 * 256 * 1024;

/** A description that works for any cartridge, to begin with. */
const LEAST_DESCRIPTION = `rom = "mine"
title = "My game"

[picture]
whole = true

[rules]
start = "reward = 0"
frame = "reward = 0"
`;

/** Plays by a description and its text. @throws Gym2600Error */
type PlayDescribed = (definition: GameDefinition, text: string) => Promise<void>;

export function mountDefinition(play: PlayDescribed): void {
  button("definition-use", () => void use(play));
  const file = element("definition-file", HTMLInputElement);
  button("definition-choose", () => file.click());
  file.addEventListener("change", () => {
    const chosen = file.files?.[0];
    if (chosen !== undefined) void openDescription(chosen);
    file.value = "";
  });
}

/** Opens the form with the text of a file, or with the reason why that cannot be read. */
export async function openDescription(file: File): Promise<void> {
  if (file.size <= LARGEST_FILE) return file.text().then(showDescription, (error) => refuseFile(textOf(error)));
  refuseFile(`${file.name} has ${file.size.toLocaleString("en")} bytes, and no description is that large.`);
}

function refuseFile(reason: string): void {
  showDescription();
  refuse(reason);
}

/** Opens the form with a text; without one, with what it has, or the least description. */
export function showDescription(text?: string): void {
  store.message.value = undefined;
  store.drawer.value = "setup";
  element("definition-details", HTMLDetailsElement).open = true;
  const area = element("definition", HTMLTextAreaElement);
  area.value = text ?? (area.value || LEAST_DESCRIPTION);
  area.focus();
  refuse("");
}

async function use(play: PlayDescribed): Promise<void> {
  refuse("");
  const text = element("definition", HTMLTextAreaElement).value;
  // The reader of TOML is loaded on first use.
  const { locateError, parseDefinition } = await import("gym2600/toml");
  try {
    await play(parseDefinition(text), text);
    store.drawer.value = undefined;
    element("television", HTMLElement).focus({ preventScroll: true });
  } catch (thrown) {
    const error = locateError(thrown, text);
    const { line, column, reason } = error instanceof Gym2600Error ? error.details : {};
    if (line && column && reason) refuseAt(line, column, reason);
    else refuse(textOf(error));
  }
}

function refuse(reason: string): void {
  const area = element("definition", HTMLTextAreaElement);
  const shown = element("definition-error", HTMLElement);
  area.ariaInvalid = String(reason !== "");
  setText(shown, reason);
}

/** Shows a mistake and selects its place in the text. */
function refuseAt(line: number, column: number, reason: string): void {
  refuse(`Line ${line}, column ${column}: ${reason}`);
  const area = element("definition", HTMLTextAreaElement);
  const before = area.value.split("\n").slice(0, line - 1);
  const at = before.reduce((sum, text) => sum + text.length + 1, 0) + column - 1;
  area.focus();
  area.setSelectionRange(at, at + 1);
}
