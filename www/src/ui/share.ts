/** The dialogs Share and Code. */

import { effect } from "@preact/signals-core";
import { playingProgramOf, programOf, pythonOf } from "../data/program.js";
import { fits, hashOf } from "../state/link.js";
import * as store from "../state/store.js";
import { button, element, setText } from "./dom.js";

export function mountShare(): void {
  button("share-copy", () => void copy(element("share-link", HTMLInputElement).value, "share-note"));
  const native = button("share-native", () => {
    void navigator
      .share({ title: document.title, url: element("share-link", HTMLInputElement).value })
      .catch(() => undefined);
  });
  native.hidden = typeof navigator.share !== "function";
  button("code-copy", () => void copy(element("code-text", HTMLElement).textContent ?? "", "code-note"));
  button("python-copy", () => void copy(element("python-text", HTMLElement).textContent ?? "", "code-note"));
  // A ROM may be dropped while a dialog is open.
  effect(() => {
    if (store.game.value === undefined) return;
    if (element("share", HTMLDialogElement).open) openShare();
    if (element("code", HTMLDialogElement).open) openCode();
  });
}

export function openShare(): void {
  const { md5, title } = store.game.value ?? { md5: undefined, title: undefined };
  const address = new URL(location.href);
  const { value: choice } = store.policyChoice;
  const { value: panel } = store.drawer;
  const { text } = store.cartridge.value;
  const view = {
    policy: typeof choice === "number" && store.unfitForShipped() === undefined ? choice : undefined,
    saliency: store.saliency.value,
    // It is a person's search, which a link does not have.
    panel: panel === "find" ? undefined : panel,
  };
  address.hash = hashOf(store.setup.value, md5, title, view, text);
  element("share-link", HTMLInputElement).value = address.href;
  setText(
    element("share-note", HTMLElement),
    text === undefined
      ? ""
      : fits(text)
        ? "The description of this game is in the link."
        : `The description of this game has ${text.length.toLocaleString("en")} characters, which is too long for a link: send it along, or its ROM plays without scores.`,
  );
}

/** Writes the programs. */
export function openCode(): void {
  const [cartridge, setup] = [store.cartridge.value, store.setup.value];
  const plays = store.scoreless.value;
  setText(element("code-file", HTMLElement), plays ? "play.mjs" : "train.mjs");
  setText(
    element("code-text", HTMLElement),
    plays ? playingProgramOf(setup, cartridge) : programOf(setup, cartridge, cartridge === store.WALLOP),
  );
  setText(element("python-text", HTMLElement), pythonOf(setup, cartridge, store.game.value?.rom ?? "wallop"));
  setText(element("code-note", HTMLElement), "");
}

async function copy(text: string, note: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    setText(element(note, HTMLElement), "Copied.");
  } catch {
    setText(element(note, HTMLElement), "The browser does not allow it: select the text and copy it.");
  }
}
