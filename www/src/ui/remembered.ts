/** Remember and forget, and the remembered ROMs in the menu. */

import { effect } from "@preact/signals-core";
import { openCartridge } from "../app/cartridges.js";
import { fail } from "../app/messages.js";
import * as memory from "../data/memory.js";
import * as store from "../state/store.js";
import { textOf } from "../text.js";
import { button, element, h } from "./dom.js";
import { closeMenu } from "./top-bar.js";

/** Shows what is remembered, and keeps what is played from now on. Resolves when that is known. */
export async function mountRemembered(): Promise<memory.LastPlayed | undefined> {
  const box = element("remember", HTMLInputElement);
  box.addEventListener("change", () => {
    store.remember.value = box.checked;
    if (!box.checked) void forget();
  });
  button("forget", () => void forget());
  effect(() => {
    box.checked = store.remember.value;
  });
  effect(() => {
    const [game, cartridge, setup] = [store.game.value, store.cartridge.value, store.setup.value];
    if (store.remember.value && game !== undefined) void memory.inTurn(() => keep(game.title, cartridge, setup));
  });
  try {
    if (!(await memory.isRemembered())) return undefined;
    store.remember.value = true;
    await list();
    return await memory.lastPlayed();
  } catch {
    return undefined;
  }
}

async function keep(
  title: string,
  cartridge: typeof store.cartridge.value,
  setup: typeof store.setup.value,
): Promise<void> {
  if (!store.remember.value) return;
  try {
    if (cartridge !== store.WALLOP) await memory.keepCartridge(title, cartridge);
    await memory.keepLast({ title, setup });
    await list();
  } catch (error) {
    store.remember.value = false;
    fail("The browser remembers nothing.", textOf(error));
  }
}

async function forget(): Promise<void> {
  store.remember.value = false;
  await memory.inTurn(async () => {
    await memory.forget();
    element("remembered", HTMLElement).replaceChildren();
    store.announcement.value = "Everything is forgotten";
  });
}

async function list(): Promise<void> {
  const kept = await memory.cartridges();
  element("remembered", HTMLElement).replaceChildren(
    ...[...kept].map(([title, cartridge]) => {
      const made = h("button", { type: "button" }, title);
      made.addEventListener("click", () => {
        closeMenu();
        void openCartridge(cartridge);
      });
      return made;
    }),
  );
}
