/** What a person who plays sees over the picture: the countdown, and the card at the end of the game. */

import { effect, untracked } from "@preact/signals-core";
import { newGame, setPlayer } from "../app/game.js";
import { keysLine } from "../input/keys-line.js";
import { POLICIES } from "../policies/pretrained.js";
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
    setText(element("card-next", HTMLElement), nextToBeat());
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

/** The one that scores least of those that score more than the person did: the last net of a training is out of a beginner's reach. */
function nextToBeat(): string {
  const you = store.record.value?.score ?? 0;
  const { mode, difficulty } = store.setup.value;
  const shipped = store.unfitForShipped() !== undefined || mode || difficulty ? [] : POLICIES.slice(1);
  const others = [
    { who: "random play", mean: store.randomMean.value },
    ...shipped.map(({ name, mean }) => ({ who: `the net after ${name}`, mean })),
    { who: "the net", mean: netScore()?.mean },
  ].flatMap(({ who, mean }) => (mean === undefined ? [] : [{ who, mean }]));
  if (others.length === 0) return "";
  const [next] = others.filter(({ mean }) => mean > you).sort((one, other) => one.mean - other.mean);
  return next === undefined ? "You beat them all!" : `Next to beat: ${next.who}, ${score(next.mean)}`;
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
