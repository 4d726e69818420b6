/** What the agent sees, thinks and does: everything here is of one record, so of one decision. */

import { effect } from "@preact/signals-core";
import { show } from "../app/show.js";
import type { ShowRecord } from "../show/protocol.js";
import * as store from "../state/store.js";
import { bindText, element, h, setText } from "./dom.js";
import { tick } from "./format.js";

export function mountMind(): void {
  mountFrames();
  mountValue();
  mountActions();
  bindText("policy-name", policyName);
}

function policyName(): string {
  const { player, policy = "", value } = store.record.value ?? {};
  if (player === "you") return "you play: no policy decides";
  const refusal = store.policyRefusal.value;
  if (player === "agent" && refusal !== undefined) return `random agent, no policy: ${refusal}`;
  return value === undefined && policy !== "" ? `${policy}: equal chances` : policy;
}

function mountFrames(): void {
  const list = element("frames", HTMLOListElement);
  effect(() => {
    const shape = store.game.value?.shape;
    setText(element("observation-shape", HTMLElement), shape === undefined ? "" : `${shape.join(" × ")} bytes`);
    const [frames, height, width] = shape ?? [0, 0, 0];
    const canvases = Array.from({ length: frames }, (_, frame) =>
      h("canvas", {
        id: `frame-${frame}`,
        width: String(width),
        height: String(height),
        role: "img",
        "aria-label": `Frame ${frame + 1} of ${frames}${frame === frames - 1 ? ", the newest" : ""}`,
      }),
    );
    const skip = store.game.value?.skip ?? 4;
    const labels = frameLabels(frames, skip);
    list.dataset.many = String(frames > MANY_FRAMES);
    list.replaceChildren(...canvases.map((canvas, frame) => h("li", {}, canvas, h("span", {}, labels[frame] ?? ""))));
    show.frames(canvases);
  });
}

/** Frames above which only those at the ends have a label. */
const MANY_FRAMES = 8;

/** How old each frame is. A stack of many has room for numbers alone, and then for those at its ends. */
function frameLabels(frames: number, skip: number): string[] {
  const unit = frames > 4 ? "" : " frames";
  return Array.from({ length: frames }, (_, frame) => {
    if (frame === frames - 1) return "now";
    return frames > MANY_FRAMES && frame > 0 ? "" : `−${skip * (frames - 1 - frame)}${unit}`;
  });
}

// The size of the chart's view box.
const WIDTH = 300;
const HEIGHT = 60;
const MARGIN = 4;

function mountValue(): void {
  const chart = element("value-chart", SVGSVGElement);
  const [value, returns, zero] = [
    element("value-line", SVGPathElement),
    element("return-line", SVGPathElement),
    element("value-zero", SVGLineElement),
  ];
  effect(() => {
    const record = store.record.value;
    const number = record?.value;
    const text = number === undefined ? "value –" : `value ${number.toFixed(2)}`;
    setText(element("value-text", HTMLElement), text);
    if (record === undefined) return;
    const { least, most, scale } = scaleOf(record);
    setText(element("value-most", HTMLElement), tick(most));
    setText(element("value-least", HTMLElement), tick(least));
    value.setAttribute("d", pathOf(record.values, scale));
    returns.setAttribute("d", pathOf(record.returns, scale));
    for (const end of ["y1", "y2"]) zero.setAttribute(end, scale(0).toFixed(1));
    chart.setAttribute(
      "aria-label",
      `Value against the return that came, in discounted reward from ${tick(least)} to ${tick(most)}: ${text}`,
    );
  });
}

/** The ends of the axis, and the height of a value. */
function scaleOf({ values, returns }: ShowRecord) {
  const all = [0, 1, ...values, ...returns].filter((number) => !Number.isNaN(number));
  // Tenths, which the axis can name.
  const [least, most] = [Math.floor(10 * Math.min(...all)) / 10, Math.ceil(10 * Math.max(...all)) / 10];
  const scale = (value: number): number => HEIGHT - MARGIN - ((value - least) / (most - least)) * (HEIGHT - 2 * MARGIN);
  return { least, most, scale };
}

/** A path through numbers, the newest at the right; it is broken where there is none. */
function pathOf(numbers: Float32Array, scale: (value: number) => number): string {
  const kept = 300;
  let path = "";
  let pen = "M";
  for (const [at, number] of numbers.entries()) {
    if (Number.isNaN(number)) {
      pen = "M";
      continue;
    }
    const x = WIDTH - ((numbers.length - 1 - at) * WIDTH) / kept;
    path += `${pen}${x.toFixed(1)} ${scale(number).toFixed(1)}`;
    pen = "L";
  }
  return path;
}

/** Numbers of actions above which they stand in three columns, with short names, or in two. */
const MANY = 12;
const SOME = 6;

const ARROWS: Readonly<Record<string, string>> = {
  UP: "↑",
  RIGHT: "→",
  LEFT: "←",
  DOWN: "↓",
  UPRIGHT: "↗",
  UPLEFT: "↖",
  DOWNRIGHT: "↘",
  DOWNLEFT: "↙",
};

/** The name of an action with arrows for directions; the whole name for screen readers and under the pointer. */
function shortLabel(name: string): HTMLElement {
  const direction = name.replace(/FIRE$/, "");
  const arrow = ARROWS[direction] ?? direction;
  const shown = name === "FIRE" || arrow === name ? name : `${arrow}${direction === name ? "" : " FIRE"}`;
  return h(
    "span",
    { class: "name", title: name },
    h("span", { "aria-hidden": "true" }, shown),
    h("span", { class: "hidden" }, name),
  );
}

function mountActions(): void {
  const list = element("actions", HTMLOListElement);
  let rows: Readonly<Record<"item" | "mark" | "bar" | "text", HTMLElement>>[] = [];
  effect(() => {
    const names = store.game.value?.actions ?? [];
    rows = names.map((name) => {
      const [bar, text] = [h("span", { class: "bar-fill" }), h("span", { class: "share" })];
      const mark = h("span", { class: "mark", role: "img", "aria-label": "chosen" }, "▸");
      const label = names.length > MANY ? shortLabel(name) : h("span", { class: "name" }, name);
      const item = h("li", {}, mark, label, h("span", { class: "track" }, bar), text);
      return { item, mark, bar, text };
    });
    list.dataset.columns = names.length > MANY ? "3" : names.length > SOME ? "2" : "1";
    list.replaceChildren(...rows.map(({ item }) => item));
  });
  effect(() => {
    const record = store.record.value;
    if (record === undefined) return;
    const names = store.game.value?.actions ?? [];
    for (const [action, { item, mark, bar, text }] of rows.entries()) {
      const share = record.probabilities?.[action];
      bar.style.setProperty("--share", String(share ?? 0));
      setText(text, share === undefined ? "–" : `${Math.round(share * 100)} %`);
      const chosen = action === record.action;
      item.dataset.chosen = String(chosen);
      mark.hidden = !chosen;
    }
    setText(element("action-text", HTMLElement), names[record.action] ?? "");
  });
}
