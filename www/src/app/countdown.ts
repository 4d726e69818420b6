/** The countdown before a person's game, at whose end the page serves. */

import { effect } from "@preact/signals-core";
import { hold } from "../input/held.js";
import * as store from "../state/store.js";

const FROM = 3;
const BEAT_MS = 700;

/** Counts down before the game goes on, if a person plays. */
export function countDown(): void {
  store.countdown.value = store.player.value === "you" ? FROM : 0;
}

/** Counts while the game is not paused. Another player needs no countdown. */
export function mountCountdown(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    clearTimeout(timer);
    const { value: left } = store.countdown;
    if (left === 0) return;
    if (store.player.value !== "you") {
      store.countdown.value = 0;
      return;
    }
    if (!store.running.value) return;
    timer = setTimeout(() => {
      store.countdown.value = left - 1;
      if (left === 1) serve();
    }, BEAT_MS);
  });
}

/** A short press of FIRE, unless the environment has pressed it already. */
function serve(): void {
  const { actions = [], wrappers = [] } = store.game.value ?? {};
  if (!actions.includes("FIRE") || wrappers.some(({ type }) => type === "FireReset")) return;
  hold("serve", ["FIRE"]);
  hold("serve", []);
}
