/** The top bar: the game and its menu. */

import { effect, signal } from "@preact/signals-core";
import { openCartridge, openFile } from "../app/cartridges.js";
import { newGame } from "../app/game.js";
import { show } from "../app/show.js";
import * as memory from "../data/memory.js";
import { listenForFiles } from "../input/rom-drop.js";
import type { SavedGame } from "../show/types.js";
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
  choose("new-game", newGame);
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
  /** Counts changes of the map. */
  const version = signal(0);
  const keep = (name: string, state: SavedGame): void => {
    states.set(name, state);
    version.value += 1;
  };
  const load = choose("load-state", () => {
    const saved = states.get(key());
    if (saved === undefined) return;
    show.restore(saved);
    store.announcement.value = "The saved state is loaded";
  });
  const save = choose("save-state", () => {
    const name = key();
    void show.save().then(async (state) => {
      keep(name, state);
      store.announcement.value = "The state is saved";
      await memory.inTurn(async () => {
        if (store.remember.value) await memory.keepState(name, state);
      });
    });
  });
  effect(() => {
    version.value;
    // The state of a training game is not one of this game's.
    const watches = store.watchedLane.value !== undefined;
    save.disabled = store.game.value === undefined || watches;
    load.disabled = !states.has(key()) || watches;
  });
  effect(() => {
    const wanted = key();
    if (!store.remember.value || states.has(wanted)) return;
    void memory.inTurn(async () => {
      const state = store.remember.value ? await memory.stateOf(wanted) : undefined;
      if (state !== undefined) keep(wanted, state);
    });
  });
}
