/** Remember and forget, and the remembered ROMs in the menu. */

import { effect } from "@preact/signals-core";
import { openCartridge } from "../app/cartridges.js";
import { setPlayer, shippedChoice } from "../app/game.js";
import { fail } from "../app/messages.js";
import { forgetKeptRun } from "../app/run.js";
import * as memory from "../data/memory.js";
import { forgetRuns } from "../data/runs.js";
import * as store from "../state/store.js";
import { textOf } from "../text.js";
import { button, element, h } from "./dom.js";
import { forgetStates } from "./states.js";
import { closeMenu } from "./top-bar.js";

/** Shows what is remembered, and keeps what is played from now on. Resolves when that is known. */
export async function mountRemembered(): Promise<memory.Remembered | undefined> {
  const box = element("remember", HTMLInputElement);
  box.addEventListener("change", () => {
    if (box.checked) store.remember.value = true;
    else void forget();
  });
  button("forget", () => void forget());
  effect(() => {
    box.checked = store.remember.value;
  });
  effect(() => {
    const { value: game } = store.game;
    const last = { key: store.cartridgeKey.value, setup: store.setup.value };
    const kept = { key: last.key, title: game?.title ?? "", cartridge: store.cartridge.value };
    if (store.remember.value && game !== undefined) void keep(kept, last);
  });
  effect(() => {
    const manner: memory.Manner = {
      player: store.player.value,
      policy: shippedChoice(),
      speed: store.speed.value,
      saliency: store.saliency.value,
      volume: store.volume.value,
    };
    if (store.remember.value)
      void memory
        .turn()(() => memory.keepSetting("manner", manner))
        .catch(() => undefined);
  });
  const found = await memory
    .turn()(memory.read)
    .catch(() => undefined);
  if (found === undefined) return undefined;
  const { manner } = found;
  if (manner !== undefined) {
    [store.speed.value, store.saliency.value, store.volume.value] = [manner.speed, manner.saliency, manner.volume];
    store.policyChoice.value = manner.policy;
    setPlayer(manner.player);
  }
  store.remember.value = true;
  list(found.kept);
  return found;
}

async function keep(kept: memory.Kept, last: memory.LastPlayed): Promise<void> {
  try {
    const all = await memory.turn()(async () => {
      if (kept.cartridge !== store.WALLOP) await memory.keepCartridge(kept);
      // The settings of a link are not the person's own.
      if (!last.setup.fromLink) await memory.keepSetting("last", last);
      return memory.cartridges();
    });
    if (all !== undefined) list(all);
  } catch (error) {
    store.remember.value = false;
    fail("The browser remembers nothing.", textOf(error));
  }
}

async function forget(): Promise<void> {
  store.remember.value = false;
  forgetStates();
  list([]);
  try {
    await Promise.all([memory.forget(), forgetKeptRun().then(forgetRuns)]);
    store.announcement.value = "Everything is forgotten";
  } catch (error) {
    fail("The browser does not forget.", textOf(error));
  }
}

function list(all: readonly memory.Kept[]): void {
  element("remembered", HTMLElement).replaceChildren(
    ...all.map(({ title, cartridge }) => {
      // Two ROMs may have the same title.
      const made = h("button", { type: "button", title: cartridge.name }, title);
      made.addEventListener("click", () => {
        closeMenu();
        void openCartridge(cartridge);
      });
      return made;
    }),
  );
}
