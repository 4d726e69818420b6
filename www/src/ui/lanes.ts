/** The row of training games. */

import { effect } from "@preact/signals-core";
import * as store from "../state/store.js";
import { bindText, element, h } from "./dom.js";

let canvases: HTMLCanvasElement[] = [];
let chosen: ((lane: number) => void) | undefined;

/** New canvases for the training worker to paint on, in the row. */
export function laneCanvases(count: number): OffscreenCanvas[] {
  const list = element("lanes", HTMLOListElement);
  canvases = Array.from({ length: count }, () => h("canvas", { width: "160", height: "210", "aria-hidden": "true" }));
  list.replaceChildren(
    ...canvases.map((canvas, lane) => {
      const watch = h(
        "button",
        { type: "button", class: "lane", "aria-label": `Watch training game ${lane + 1}` },
        canvas,
      );
      watch.addEventListener("click", () => chosen?.(lane));
      return h("li", {}, watch);
    }),
  );
  return canvases.map((canvas) => canvas.transferControlToOffscreen());
}

/** @param watch is called with the game that is to be watched */
export function mountLanes(watch: (lane: number) => void): void {
  chosen = watch;
  bindText("lanes-note", () => {
    const { numEnvs, workers } = store.setup.value;
    if (!store.trains.value) return `none: training plays ${numEnvs} at once, and a click on one watches it`;
    if (store.training.value === "starting") return `${numEnvs} games`;
    const { value: processor } = store.processor;
    const places = `${workers} ${workers === 1 ? "worker" : "workers"}`;
    return `${numEnvs} games; ${processor.device === "gpu" ? `GPU: ${processor.name}` : `CPU, ${places}`}`;
  });
  effect(() => {
    const { value: processor } = store.processor;
    element("lanes-note", HTMLElement).title =
      (store.trains.value && processor.device === "cpu" && processor.reason) || "";
  });
  // The games end with their run.
  effect(() => {
    if (store.trains.value) return;
    const list = element("lanes", HTMLOListElement);
    if (list.contains(document.activeElement)) element("train", HTMLButtonElement).focus();
    canvases = [];
    list.replaceChildren();
  });
  effect(() => {
    const watched = store.watchedLane.value;
    for (const [lane, canvas] of canvases.entries()) {
      canvas.parentElement?.setAttribute("aria-pressed", String(lane === watched));
    }
  });
}
