/** The top bar: the game and its menu. */

import { effect } from "@preact/signals-core";
import { openCartridge } from "../app/cartridges.js";
import { openFile } from "../app/files.js";
import { keepKeyboard, newGame } from "../app/game.js";
import { listenForFiles } from "../input/rom-drop.js";
import * as store from "../state/store.js";
import { bindText, button, element } from "./dom.js";
import { mountStates } from "./states.js";

export function mountTopBar(): void {
  const choose = (id: string, act: () => void): HTMLButtonElement =>
    button(id, () => {
      closeMenu();
      act();
    });
  choose("open-rom", () => element("rom-file", HTMLInputElement).click());
  choose("open-wallop", () => void openCartridge(store.WALLOP));
  choose("new-game", newGame);
  mountStates(choose);
  listenForFiles((file) => void openFile(file));
  bindText("game-title", () => store.game.value?.title ?? "WALLOP");
  effect(() => {
    const title = store.game.value?.title;
    if (title !== undefined) document.title = `${title} · gym2600`;
  });
}

/** Closes the menu of the game. The focus goes back to its button, so that the keyboard does not start over, or to a person's game. */
export function closeMenu(): void {
  element("game-menu", HTMLElement).hidePopover();
  if (!keepKeyboard()) element("game-button", HTMLButtonElement).focus();
}
