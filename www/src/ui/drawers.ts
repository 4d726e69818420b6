/** Drawers and dialogs: one drawer is open at a time; Escape closes it, and the focus goes back to its button. */

import { effect } from "@preact/signals-core";
import * as store from "../state/store.js";
import { button, element } from "./dom.js";

const DRAWERS = ["setup", "data", "explain"] as const;
const DIALOGS = ["share", "code", "docs"] as const;

export function mountDrawers(opening: Readonly<Record<(typeof DIALOGS)[number], () => void>>): void {
  for (const name of DRAWERS) mountDrawer(name);
  for (const name of DIALOGS) {
    const dialog = element(name, HTMLDialogElement);
    button(`${name}-button`, () => {
      opening[name]();
      dialog.showModal();
    });
    dialog.querySelector(".close")?.addEventListener("click", () => dialog.close());
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
    opener.focus();
  };
  panel.querySelector(".close")?.addEventListener("click", close);
  panel.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
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
