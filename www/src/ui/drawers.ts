/**
 * Drawers and dialogs: one drawer is open at a time; Escape closes it, and a focus in it goes back to its button, or to a person's game.
 */

import { effect } from "@preact/signals-core";
import { keepKeyboard } from "../app/game.js";
import { fail } from "../app/messages.js";
import * as store from "../state/store.js";
import { textOf } from "../text.js";
import { button, element, h } from "./dom.js";

const DRAWERS = ["setup", "data", "explain"] as const;
/** The drawer that the menu of the game opens. */
const OF_MENU = "find";
const DIALOGS = ["share", "code", "docs"] as const;

export function mountDrawers(opening: Readonly<Record<(typeof DIALOGS)[number], () => void | Promise<void>>>): void {
  for (const name of [...DRAWERS, OF_MENU] as const) mountDrawer(name);
  for (const name of DIALOGS) {
    const dialog = element(name, HTMLDialogElement);
    const open = async (): Promise<void> => {
      try {
        await opening[name]();
        // A second click may have opened it meanwhile.
        if (!dialog.open) dialog.showModal();
      } catch (error) {
        fail("The dialog cannot be opened.", textOf(error));
      }
    };
    const opener = button(`${name}-button`, () => void open());
    addClose(dialog, opener, () => dialog.close());
    // A click on the backdrop is one on the dialog itself.
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) dialog.close();
    });
  }
}

function mountDrawer(name: store.Drawer): void {
  const panel = element(name, HTMLElement);
  const opener = button(`${name}-button`, () => {
    store.drawer.value = store.drawer.value === name ? undefined : name;
  });
  const close = (): void => {
    store.drawer.value = undefined;
    // A button in a menu that is closed cannot have it.
    if (!keepKeyboard()) (name === OF_MENU ? element("game-button", HTMLElement) : opener).focus();
  };
  const header = addClose(panel, opener, close);
  // The open drawer covers the buttons of the others.
  for (const other of name === OF_MENU ? [] : DRAWERS.filter((one) => one !== name)) {
    const text = element(`${other}-button`, HTMLElement).textContent ?? "";
    const made = h("button", { type: "button", class: "quiet small" }, text);
    made.addEventListener("click", () => {
      store.drawer.value = other;
    });
    header?.lastElementChild?.before(made);
  }
  document.addEventListener("keydown", ({ key }) => {
    // A dialog or a menu is above it.
    if (key !== "Escape" || panel.hidden || document.querySelector("dialog[open], :popover-open") !== null) return;
    const { activeElement: focused } = document;
    if (panel.contains(focused) || focused === document.body) close();
    else store.drawer.value = undefined;
  });
  let shown = false;
  effect(() => {
    const open = store.drawer.value === name;
    panel.hidden = !open;
    opener.setAttribute("aria-expanded", String(open));
    if (open && !shown) element(`${name}-title`, HTMLElement).focus();
    shown = open;
  });
}

/** Adds the close button to the header, and gives the header. */
function addClose(panel: HTMLElement, opener: HTMLElement, close: () => void): HTMLElement | null {
  const label = `Close ${opener.textContent}`;
  const made = h("button", { type: "button", class: "quiet close", "aria-label": label }, "×");
  made.addEventListener("click", close);
  const header = panel.querySelector("header");
  header?.append(made);
  return header;
}
