/** The top bar: the game and its menu. */

import { effect } from "@preact/signals-core";
import { openCartridge, openFile } from "../app/cartridges.js";
import { show } from "../app/show.js";
import * as memory from "../data/memory.js";
import { listenForFiles } from "../input/rom-drop.js";
import type { SavedGame } from "../show/shown-game.js";
import * as store from "../state/store.js";
import { bindText, button, element } from "./dom.js";

export function mountTopBar(): void {
  const choose = (id: string, act: () => void): HTMLButtonElement =>
    button(id, () => {
      closeMenu();
      act();
    });
  choose("open-rom", () => element("rom-file", HTMLInputElement).click());
  choose("open-wallop", () => void openCartridge(store.WALLOP));
  choose("new-game", () => show.newGame());
  mountStates(choose);
  listenForFiles((file) => void openFile(file));
  bindText("game-title", () => store.game.value?.title ?? "WALLOP");
  effect(() => {
    const title = store.game.value?.title;
    if (title !== undefined) document.title = `${title} · gym2600`;
  });
}

/** Closes the menu of the game. The focus goes back to its button, so that the keyboard does not start over. */
export function closeMenu(): void {
  element("game-menu", HTMLElement).hidePopover();
  element("game-button", HTMLButtonElement).focus();
}

/** Save state and Load state: one state of each game, which lasts as long as the page, or longer if it is remembered. */
function mountStates(choose: (id: string, act: () => void) => HTMLButtonElement): void {
  const states = new Map<string, SavedGame>();
  const key = (): string => JSON.stringify([store.game.value?.title, store.setup.value.environment]);
  const load = choose("load-state", () => {
    const saved = states.get(key());
    if (saved === undefined) return;
    show.restore(saved);
    store.announcement.value = "The saved state is loaded";
  });
  choose("save-state", () => {
    void show.save().then(async (state) => {
      states.set(key(), state);
      load.disabled = false;
      store.announcement.value = "The state is saved";
      if (store.remember.value) await memory.keepState(key(), state);
    });
  });
  effect(() => {
    const wanted = key();
    load.disabled = !states.has(wanted);
    if (!store.remember.value || states.has(wanted)) return;
    void memory.stateOf(wanted).then((state) => {
      if (state === undefined) return;
      states.set(wanted, state);
      if (key() === wanted) load.disabled = false;
    });
  });
}
