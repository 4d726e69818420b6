/** The learning curve. */

import { effect } from "@preact/signals-core";
import uPlot from "uplot";
import type { Curve } from "../state/curve.js";
import * as store from "../state/store.js";
import { bindRadios, element, h, setText } from "./dom.js";
import { score, short } from "./format.js";

/** A line of the chart. The first three are the run's. */
interface Line {
  readonly name: string;
  readonly kind: "mean" | "band" | "old" | "random" | "you";
  readonly table: uPlot.AlignedData;
}

export function mountCurve(): void {
  bindRadios(
    "x-axis",
    () => store.xAxis.value,
    (value) => {
      store.xAxis.value = value;
    },
  );
  const place = element("chart", HTMLElement);
  let plot: uPlot | undefined;
  let drawn = "";
  /** The lines with their present values. The chart lives longer than they do. */
  let lines: Line[] = [];
  effect(() => {
    store.curveVersion.value;
    lines = linesOf();
    const empty = lines.every(({ table }) => table[0].length === 0);
    element("chart-empty", HTMLElement).hidden = !empty;
    place.dataset.empty = String(empty);
    place.setAttribute("aria-label", described());
    const few = store.curve.value.points.length < 12;
    const shape = `${store.xAxis.value}/${few}/${lines.map(({ name }) => name).join("/")}`;
    const data = joined(lines);
    if (plot === undefined || shape !== drawn) {
      plot?.destroy();
      drawn = shape;
      plot = new uPlot(
        optionsFor(place, lines, (chart) => drawLegend(lines, chart)),
        data,
        place,
      );
      drawLegend(lines, plot);
    } else {
      plot.setData(data);
      if (plot.cursor.idx == null) drawLegend(lines, plot);
    }
  });
  new ResizeObserver(() => plot?.setSize(sizeOf(place))).observe(place);
  for (const query of ["(prefers-color-scheme: dark)", "(forced-colors: active)"]) {
    matchMedia(query).addEventListener("change", () => plot?.redraw());
  }
}

function xOf(curve: Curve, skip: number): number[] {
  return curve.points.map(({ steps, minutes }) => (store.xAxis.value === "frames" ? steps * skip : minutes));
}

function linesOf(): Line[] {
  const curve = store.curve.value;
  const x = xOf(curve, store.skip.value);
  const lines: Line[] = [
    { name: "mean of up to 100 games", kind: "mean", table: [x, curve.points.map(({ mean }) => mean)] },
    { name: "least", kind: "band", table: [x, curve.points.map(({ least }) => least)] },
    { name: "most", kind: "band", table: [x, curve.points.map(({ most }) => most)] },
  ];
  for (const { name, curve: old, skip } of store.oldRuns.value) {
    lines.push({ name, kind: "old", table: [xOf(old, skip), old.points.map(({ mean }) => mean)] });
  }
  const ends = endsOf(lines);
  const level = (name: string, kind: "random" | "you", mean: number | undefined): void => {
    if (mean !== undefined) lines.push({ name, kind, table: [ends, ends.map(() => mean)] });
  };
  level("random play", "random", store.randomMean.value);
  level("you", "you", store.yourMean.value);
  return lines;
}

/** Where the horizontal lines begin and end. */
function endsOf(lines: readonly Line[]): number[] {
  const all = lines.flatMap(({ table }) => [table[0].at(-1) ?? 0]);
  const last = Math.max(...all);
  return last > 0 ? [0, last] : [];
}

function joined(lines: readonly Line[]): uPlot.AlignedData {
  return uPlot.join(lines.map(({ table }) => table));
}

/** The chart as text, for screen readers. */
function described(): string {
  const { latest } = store.curve.value;
  if (latest === undefined) return "Learning curve: no game of a training has ended yet";
  const frames = short(latest.steps * store.skip.value);
  return `Learning curve: ${score(latest.mean)} a game after ${frames} frames, least ${score(latest.least)}, most ${score(latest.most)}`;
}

const COLOURS: Readonly<Record<Line["kind"], string>> = {
  mean: "--accent",
  band: "--band",
  old: "--series-old",
  random: "--series-random",
  you: "--series-you",
};

const DASHES: Readonly<Partial<Record<Line["kind"], number[]>>> = { old: [2, 3], random: [8, 4], you: [3, 4] };

/** @param moved is called when the pointer moves over the chart or leaves it */
function optionsFor(place: HTMLElement, lines: readonly Line[], moved: (chart: uPlot) => void): uPlot.Options {
  const colour = (name: string) => () => getComputedStyle(place).getPropertyValue(name).trim();
  const axis: uPlot.Axis = {
    stroke: colour("--soft"),
    font: "12px system-ui, sans-serif",
    labelFont: "12px system-ui, sans-serif",
    labelSize: 18,
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { show: false },
  };
  return {
    ...sizeOf(place),
    padding: [8, 12, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
    scales: {
      x: { time: false, range: (_plot, low, high) => [0, Math.max(high ?? 1, (low ?? 0) + 0.1)] },
      y: { range: (_plot, low, high) => withRoom(low ?? 0, high ?? 1) },
    },
    axes: [
      {
        ...axis,
        label: store.xAxis.value === "frames" ? "frames" : "minutes of training",
        size: 26,
        gap: 4,
        space: 60,
        values: (_plot, splits) => splits.map(short),
      },
      { ...axis, label: "score a game", size: 46, gap: 4, space: 30, values: (_plot, splits) => splits.map(short) },
    ],
    bands: [{ series: [3, 2], fill: colour("--band") }],
    series: [
      {},
      ...lines.map(
        ({ name, kind, table }): uPlot.Series => ({
          label: name,
          stroke: colour(COLOURS[kind]),
          width: kind === "mean" ? 2.5 : kind === "band" ? 0 : 1.5,
          ...(DASHES[kind] === undefined ? undefined : { dash: DASHES[kind] }),
          spanGaps: true,
          // One high game would make the mean a flat line. The band is cut off at the edge.
          auto: kind !== "band",
          // A line of few points is not seen.
          points: {
            show: kind === "mean" ? table[0].length < 12 : kind === "old" && table[0].length === 1,
            size: 7,
            fill: colour(COLOURS[kind]),
          },
        }),
      ),
    ],
    hooks: { setCursor: [moved], draw: [(plot) => numberRuns(lines, plot, colour(COLOURS.old)())] },
  };
}

/** Writes the number of each earlier run at the end of its line. */
function numberRuns(lines: readonly Line[], plot: uPlot, colour: string): void {
  const runs = lines.flatMap(({ kind }, at) => (kind === "old" ? [at + 1] : []));
  for (const [run, series] of runs.entries()) {
    const values = Array.from(plot.data[series] ?? []);
    const end = values.findLastIndex((value) => value !== null && value !== undefined);
    const [x, y] = [plot.data[0][end], values[end]];
    if (x === undefined || y === null || y === undefined) continue;
    const { ctx } = plot;
    ctx.save();
    ctx.font = `600 ${12 * devicePixelRatio}px system-ui, sans-serif`;
    ctx.fillStyle = colour;
    ctx.textAlign = "right";
    ctx.fillText(String(run + 1), plot.valToPos(x, "x", true), plot.valToPos(y, "y", true) - 4 * devicePixelRatio);
    ctx.restore();
  }
}

/** The lines with their values: under the pointer, or the latest. */
function drawLegend(lines: readonly Line[], plot: uPlot): void {
  const legend = element("chart-legend", HTMLUListElement);
  const at = plot.cursor.idx;
  const latestOf = (series: number): number | undefined => {
    const values = Array.from(plot.data[series + 1] ?? []);
    if (at !== undefined && at !== null) return values[at] ?? undefined;
    return values.findLast((value) => value !== null && value !== undefined) ?? undefined;
  };
  const shown = lines.flatMap((line, series) =>
    line.table[0].length === 0 ? [] : [{ ...line, value: latestOf(series) }],
  );
  const [least, most] = [latestOf(1), latestOf(2)];
  const items = shown.flatMap(({ name, kind, value }) => {
    if (kind === "band") return [];
    const range =
      kind === "mean" && least !== undefined && most !== undefined ? ` (${score(least)} to ${score(most)})` : "";
    return [[kind, `${name} ${value === undefined ? "–" : score(value)}${range}`] as const];
  });
  while (legend.children.length > items.length) legend.lastElementChild?.remove();
  for (const [place, [kind, text]] of items.entries()) {
    const item = legend.children[place] ?? legend.appendChild(h("li", {}, h("span", { class: "key" }), h("span")));
    (item as HTMLElement).dataset.kind = kind;
    const [, label] = item.children;
    if (label !== undefined) setText(label, text);
  }
}

/** The range of the values and 0, with room above and below for a part of the band. */
function withRoom(low: number, high: number): [number, number] {
  const [from, to] = [Math.min(0, low), Math.max(1, high)];
  return [from < 0 ? from * ROOM : 0, to * ROOM];
}

const ROOM = 1.25;

function sizeOf(place: HTMLElement): { width: number; height: number } {
  return { width: Math.max(place.clientWidth, 50), height: Math.max(place.clientHeight, 50) };
}
