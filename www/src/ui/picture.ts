/** The picture of the show game, its numbers, and the button that takes over. */

import { effect } from "@preact/signals-core";
import { showPicture, takeOver } from "../app/game.js";
import { keysLine } from "../input/keys-line.js";
import * as store from "../state/store.js";
import { bindText, button, element, h, setText } from "./dom.js";
import { score, whole } from "./format.js";

export function mountPicture(): void {
  const television = element("television", HTMLElement);
  const play = button("play", takeOver);
  const saliency = element("saliency", HTMLInputElement);
  saliency.addEventListener("change", () => {
    store.saliency.value = saliency.checked;
  });
  effect(() => {
    saliency.checked = store.saliency.value;
  });
  effect(() => {
    const { value: player } = store.player;
    play.disabled = store.game.value === undefined;
    if (player === "you") play.replaceChildren("Hand over", h("span", { class: "roomy-only" }, " to the agent"));
    else setText(play, "Play");
    document.body.dataset.player = player;
    place(play, television);
  });
  effect(() => {
    const loading = element("loading", HTMLElement);
    loading.hidden = store.game.value !== undefined;
  });
  bindText("picture-note", note);
  effect(() => {
    const pace = store.pace.value;
    if (pace === undefined) return;
    element("picture-note", HTMLElement).title =
      `${whole(pace.perSecond)} pictures a second painted; 95 of 100 within ${whole(pace.p95)} ms of the one before`;
  });
  effect(() => {
    television.dataset.still = String(store.still.value);
  });
  effect(() => {
    const watched = element("watched", HTMLElement);
    const text = badge();
    watched.hidden = text === "";
    setText(watched, text);
  });
  // A game without rules has neither score nor lives.
  effect(() => {
    element("score-fact", HTMLElement).hidden = store.scoreless.value;
    element("lives-fact", HTMLElement).hidden = store.lifeless.value;
  });
  bindText("score", () => score(store.record.value?.score ?? 0));
  bindText("lives", () => (store.record.value === undefined ? "–" : String(store.record.value.lives)));
  bindText("decisions", () => whole(store.record.value?.step ?? 0));
  bindText("episodes", () => whole(store.episodeCount.value));
  mountFullScreen(television);
  matchMedia("(orientation: portrait)").addEventListener("change", showPicture);
  // Without the focus on the picture the keyboard no longer plays, and space presses the control.
  television.closest("section")?.addEventListener("click", ({ detail }) => {
    if (detail === 0 || store.player.value !== "you") return;
    // A click on a label moves the focus when it has been handled.
    setTimeout(() => television.focus({ preventScroll: true }));
  });
}

/** A person sees the whole picture: the button is in the header. */
function place(play: HTMLButtonElement, television: HTMLElement): void {
  const header = television.closest("section")?.querySelector("header");
  const target = store.player.value === "you" && header ? header : television;
  if (play.parentElement === target) return;
  const focused = document.activeElement === play;
  target.append(play);
  // A button that moves loses the focus.
  if (focused) play.focus({ preventScroll: true });
}

function note(): string {
  const record = store.record.value;
  if (!store.running.value && record?.paused) return "paused";
  if (store.player.value === "you") return keysLine();
  if (record === undefined) return "";
  // The display does not show every frame at full speed.
  return `${rate(record.framesPerSecond)} ${record.speed === "fast" ? "frames" : "pictures"} a second`;
}

const rate = (perSecond: number | undefined): string => (perSecond === undefined ? "–" : whole(perSecond));

/** What the picture is of, and how much the most important patch matters. */
function badge(): string {
  const lane = store.watchedLane.value;
  const map = store.record.value?.saliency;
  const parts = [
    lane === undefined ? undefined : `from training game ${lane + 1}`,
    !store.saliency.value
      ? undefined
      : map === undefined
        ? "no policy to map"
        : `hiding the brightest patch changes the policy by ${Math.round(Math.max(...map) * 100)} %`,
  ].filter((part) => part !== undefined);
  return parts.join("; ");
}

function mountFullScreen(television: HTMLElement): void {
  const panel = television.closest("section") ?? television;
  const full = button("full-screen", () => {
    if (document.fullscreenElement === null) void panel.requestFullscreen();
    else void document.exitFullscreen();
  });
  full.hidden = !document.fullscreenEnabled;
  document.addEventListener("fullscreenchange", () => {
    setText(full, document.fullscreenElement === null ? "Full screen" : "Leave full screen");
    if (document.fullscreenElement !== null) television.focus();
  });
}
