/** What a person who plays sees over the picture: the countdown, and the card at the end of the game. */

import { effect, untracked } from "@preact/signals-core";
import { newGame, setPlayer } from "../app/game.js";
import { keysLine } from "../input/keys-line.js";
import * as store from "../state/store.js";
import { bindText, button, element, h, setText } from "./dom.js";
import { score } from "./format.js";
import { netScore } from "./net-score.js";

export function mountPlay(): void {
  const countdown = element("countdown", HTMLElement);
  effect(() => {
    countdown.hidden = store.countdown.value === 0;
    setText(element("countdown-number", HTMLElement), String(store.countdown.value));
  });
  bindText("countdown-keys", () => (store.player.value === "you" ? keysLine() : ""));
  mountCard();
}

/** The card: what the person, the net and random play score. It is told to screen readers, and takes no focus from the keys. */
function mountCard(): void {
  const card = element("card", HTMLElement);
  const keepFocus = (): void => element("television", HTMLElement).focus({ preventScroll: true });
  button("again", () => {
    newGame();
    keepFocus();
  });
  button("watch", () => {
    setPlayer("agent");
    keepFocus();
  });
  effect(() => {
    card.hidden = !store.over.value;
    if (card.hidden) return;
    const scores = scoresOfCard();
    element("card-scores", HTMLElement).replaceChildren(
      ...scores.map(([who, mean]) => h("div", {}, h("dt", {}, who), h("dd", {}, score(mean)))),
    );
  });
  effect(() => {
    // Told once: the net's score changes while it trains.
    if (store.over.value) store.announcement.value = untracked(announced);
  });
}

function announced(): string {
  return `Game over. ${scoresOfCard()
    .map(([who, mean]) => `${who} ${score(mean)}`)
    .join(", ")}.`;
}

function scoresOfCard(): readonly (readonly [who: string, score: number])[] {
  const a = store.unit.value === "life" ? ", a life" : "";
  const all = [
    ["You", store.record.value?.score],
    [`The net${a}`, netScore()?.mean],
    [`Random play${a}`, store.randomMean.value],
  ] as const;
  return all.flatMap(([who, mean]) => (mean === undefined ? [] : [[who, mean] as const]));
}
