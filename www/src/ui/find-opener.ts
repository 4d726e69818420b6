/** Opens the drawer "Find the score", and loads its script the first time. The picture is held there, so that the person can say what it shows. */

import { effect, untracked } from "@preact/signals-core";
import { openDescribed, playUnknown } from "../app/cartridges.js";
import { setPlayer } from "../app/game.js";
import * as store from "../state/store.js";
import { textOf } from "../text.js";
import { button, element, setText } from "./dom.js";
import { closeMenu } from "./top-bar.js";

const SMALL = matchMedia("(max-width: 999px)");

export function mountFindOpener(): void {
  // The drawer's own listener opens it.
  button("find-button", closeMenu);
  let loading: Promise<void> | undefined;
  let open = false;
  /** Whether the game ran before the drawer held it. */
  let ran = false;
  effect(() => {
    const opens = store.drawer.value === "find";
    if (opens === open) return;
    open = opens;
    untracked(() => {
      if (opens) {
        ran = store.running.value;
        loading ??= import("./find.js").then(({ mountFind }) => mountFind({ openDescribed, setPlayer }));
        void begin(loading);
      } else if (ran) store.running.value = true;
    });
  });
}

async function begin(loading: Promise<void>): Promise<void> {
  await playUnknown();
  store.running.value = false;
  // The drawer is a sheet there, below the picture.
  if (SMALL.matches) element("television", HTMLElement).scrollIntoView();
  await loading.catch((error: unknown) => {
    setText(element("find-status", HTMLElement), `The memory cannot be searched: ${textOf(error)}`);
  });
}
