/** Save state and Load state: a state of each game and setup, which lasts as long as the page, or longer if it is remembered. */

import { effect, signal } from "@preact/signals-core";
import { fail } from "../app/messages.js";
import { show } from "../app/show.js";
import * as memory from "../data/memory.js";
import type { SavedGame } from "../show/types.js";
import * as store from "../state/store.js";
import { textOf } from "../text.js";

const states = signal<ReadonlyMap<string, SavedGame>>(new Map());

/** What a state is of. Another mode or other wrappers make another game of the same ROM. */
function key(): string {
  const { mode, difficulty, environment } = store.setup.value;
  return JSON.stringify([store.cartridgeKey.value, mode, difficulty, environment]);
}

function keep(name: string, state: SavedGame): void {
  states.value = new Map(states.value).set(name, state);
}

export function forgetStates(): void {
  states.value = new Map();
}

/** @param choose makes a button of the menu act */
export function mountStates(choose: (id: string, act: () => void) => HTMLButtonElement): void {
  const load = choose("load-state", () => {
    const saved = states.value.get(key());
    if (saved === undefined) return;
    void loadState(saved).catch((error) => fail("The state cannot be loaded.", textOf(error)));
  });
  const save = choose("save-state", () => void saveState());
  effect(() => {
    // The state of a training game is not one of this game's.
    const watches = store.watchedLane.value !== undefined;
    save.disabled = store.game.value === undefined || watches;
    load.disabled = !states.value.has(key()) || watches;
  });
  effect(() => {
    const wanted = key();
    if (!store.remember.value || states.value.has(wanted)) return;
    void memory
      .turn()(() => memory.stateOf(wanted))
      .then((state) => state && keep(wanted, state))
      .catch(() => undefined);
  });
}

/** Goes on from a state. @throws Gym2600Error `bad-saved-state` */
export async function loadState(saved: SavedGame): Promise<void> {
  await show.restore(saved);
  store.announcement.value = "The saved state is loaded";
}

async function saveState(): Promise<void> {
  const turn = memory.turn();
  const state = await show.save();
  // The worker answers in order, so the state is of what is open now.
  const name = key();
  try {
    await turn(async () => {
      keep(name, state);
      if (store.remember.value) await memory.keepState(name, state);
      store.announcement.value = "The state is saved";
    });
  } catch (error) {
    fail("The state lasts as long as this page.", textOf(error));
  }
}
