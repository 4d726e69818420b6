/** The learning curve. */

import { effect } from "@preact/signals-core";
import uPlot from "uplot";
import { type Curve, OVER } from "../state/curve.js";
import * as store from "../state/store.js";
import { bindRadios, element, h, setText } from "./dom.js";
import { plural, score, short, tick } from "./format.js";

/** A line of the chart. The first three are the run's. */
interface Line {
  readonly name: string;
  readonly kind: "mean" | "band" | "old" | "random" | "you";
  /** Its points: x and y. */
  readonly table: readonly [x: number[], y: number[]];
  /** The earlier run that it is of. */
  readonly run?: store.Run;
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
    const shape = `${store.xAxis.value}/${store.unit.value}/${few}/${lines.map(({ name }) => name).join("/")}`;
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
    {
      name: `mean of up to ${OVER} ${plural(store.unit.value)}`,
      kind: "mean",
      table: [x, curve.points.map(({ mean }) => mean)],
    },
    { name: "least", kind: "band", table: [x, curve.points.map(({ least }) => least)] },
    { name: "most", kind: "band", table: [x, curve.points.map(({ most }) => most)] },
  ];
  // The latest comes first in the legend. Scores of another unit are told, and not drawn.
  const old = store.oldRuns.value.toReversed().map((run): Line => {
    const { number, name, curve: kept, skip, unit } = run;
    const drawn = unit === store.unit.value;
    const points = drawn ? kept.points : [];
    const table = [drawn ? xOf(kept, skip) : [], points.map(({ mean }) => mean)] as const;
    return { name: `run ${number}, ${name}`, kind: "old", table, run };
  });
  const ends = endsOf([...lines, ...old]);
  const level = (name: string, kind: "random" | "you", mean: number | undefined): void => {
    if (mean !== undefined) lines.push({ name, kind, table: [ends, ends.map(() => mean)] });
  };
  level("random play", "random", store.randomMean.value);
  level("you", "you", store.yourMean.value);
  return [...lines, ...old];
}

/** Where the horizontal lines begin and end. */
function endsOf(lines: readonly Line[]): number[] {
  const all = lines.flatMap(({ table }) => [table[0].at(-1) ?? 0]);
  const last = Math.max(...all);
  return last > 0 ? [0, last] : [];
}

function joined(lines: readonly Line[]): uPlot.AlignedData {
  return uPlot.join(lines.map(({ table: [x, y] }) => [x, y]));
}

/** The chart as text, for screen readers. */
function described(): string {
  const { latest } = store.curve.value;
  if (latest === undefined) return "Learning curve: no game of a training has ended yet";
  const frames = short(latest.steps * store.skip.value);
  return `Learning curve: ${score(latest.mean)} a ${store.unit.value} after ${frames} frames, least ${score(latest.least)}, most ${score(latest.most)}`;
}

const COLOURS: Readonly<Record<Exclude<Line["kind"], "old">, string>> = {
  mean: "--accent",
  band: "--band",
  random: "--series-random",
  you: "--series-you",
};

/** Colours of earlier runs. A run keeps its colour when another is removed. */
const RUN_COLOURS = 6;

function colourOf({ kind, run }: Line): string {
  return kind === "old" ? `--run-${(((run?.number ?? 1) - 1) % RUN_COLOURS) + 1}` : COLOURS[kind];
}

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
    padding: [8, 24, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
    scales: {
      x: { time: false, range: (_plot, low, high) => [0, Math.max(high ?? 1, (low ?? 0) + 0.1)] },
      y: { range: (plot, low, high) => rangeOf(plot, low ?? 0, high ?? 1) },
    },
    axes: [
      {
        ...axis,
        label: store.xAxis.value === "frames" ? "frames" : "minutes of training",
        size: 26,
        gap: 4,
        space: 60,
        values: (_plot, splits) => splits.map(tick),
      },
      {
        ...axis,
        label: `score a ${store.unit.value}`,
        size: 46,
        gap: 4,
        space: 30,
        values: (_plot, splits) => splits.map(tick),
      },
    ],
    bands: [{ series: [3, 2], fill: colour("--band") }],
    series: [
      {},
      ...lines.map((line): uPlot.Series => {
        const { name, kind, table } = line;
        return {
          label: name,
          stroke: colour(colourOf(line)),
          width: kind === "mean" ? 2.5 : kind === "band" ? 0 : 1.5,
          ...(DASHES[kind] === undefined ? undefined : { dash: DASHES[kind] }),
          spanGaps: true,
          // The range has its own rule for the band.
          auto: kind !== "band",
          // A line of few points is not seen.
          points: {
            show: kind === "mean" ? table[0].length < 12 : kind === "old" && table[0].length === 1,
            size: 7,
            fill: colour(colourOf(line)),
          },
        };
      }),
    ],
    hooks: {
      setCursor: [moved],
      draw: [
        (plot) => numberRuns(lines, plot, (line) => colour(colourOf(line))()),
        (plot) => tellCut(plot, colour(COLOURS.mean)()),
      ],
    },
  };
}

/** Writes the number of each earlier run at the end of its line, left of the others that end there. */
function numberRuns(lines: readonly Line[], plot: uPlot, colour: (line: Line) => string): void {
  const taken: Array<{ readonly right: number; readonly bottom: number }> = [];
  const size = 14 * devicePixelRatio;
  for (const [at, line] of lines.entries()) {
    if (line.run === undefined) continue;
    const values = Array.from(plot.data[at + 1] ?? []);
    const end = values.findLastIndex((value) => value !== null && value !== undefined);
    const [x, y] = [plot.data[0][end], values[end]];
    if (x === undefined || y === null || y === undefined) continue;
    let right = plot.valToPos(x, "x", true);
    const bottom = plot.valToPos(y, "y", true) - 4 * devicePixelRatio;
    const crowded = () =>
      taken.some((other) => Math.abs(other.right - right) < size && Math.abs(other.bottom - bottom) < size);
    while (crowded()) right -= size;
    taken.push({ right, bottom });
    write(plot.ctx, String(line.run.number), right, bottom, colour(line));
  }
}

/** The lines with their values: under the pointer, or the latest. */
function drawLegend(lines: readonly Line[], plot: uPlot): void {
  const legend = element("chart-legend", HTMLUListElement);
  const { idx: at } = plot.cursor;
  const x = at === undefined || at === null ? undefined : plot.data[0][at];
  const text = (line: Line, series: number): string => {
    const { name, kind, run } = line;
    if (run !== undefined && run.unit !== store.unit.value) {
      return `${name} ${score(run.curve.latest?.mean ?? 0)} a ${run.unit}, not drawn`;
    }
    const told = (place: number): string => {
      const value = valueAt(lines[place]?.table ?? [[], []], x);
      return value === undefined ? "–" : score(value);
    };
    return kind === "band" ? `least to most ${told(series)} to ${told(series + 1)}` : `${name} ${told(series)}`;
  };
  const before = new Map([...legend.children].map((item) => [item.getAttribute("data-name"), item]));
  const items = lines.flatMap((line, series) => {
    // The band has one item, at its least.
    if ((line.table[0].length === 0 && line.run === undefined) || series === 2) return [];
    const item = before.get(line.name) ?? itemOf(line);
    setText(item.children[1] ?? item, text(line, series));
    return [item];
  });
  if (items.length === legend.children.length && items.every((item, place) => item === legend.children[place])) return;
  const { activeElement: focused } = document;
  legend.replaceChildren(...items);
  // An item that moves loses the focus.
  if (focused instanceof HTMLElement && legend.contains(focused)) focused.focus();
}

/** The value of a line at `x`, or its last one: its points are not those of other lines. None before its first point and after its last. */
function valueAt([xs, ys]: Line["table"], x: number | undefined): number | undefined {
  if (x === undefined) return ys.at(-1);
  const next = xs.findIndex((point) => point >= x);
  const [from, to, before, after] = [xs[next - 1], xs[next], ys[next - 1], ys[next]];
  if (to === x) return after;
  if (from === undefined || to === undefined || before === undefined || after === undefined) return undefined;
  return before + ((after - before) * (x - from)) / (to - from);
}

/** An item of the legend, whose text is written by {@link drawLegend}. An earlier run can be removed. */
function itemOf(line: Line): HTMLElement {
  const { name, kind, run } = line;
  const item = h(
    "li",
    { "data-name": name, "data-kind": kind },
    h("span", { class: "key" }),
    h("span", { class: "label" }),
  );
  if (run === undefined) return item;
  item.title = name;
  item.style.setProperty("--run", `var(${colourOf(line)})`);
  const remove = h("button", { type: "button", class: "quiet small", "aria-label": `Remove run ${run.number}` }, "×");
  remove.addEventListener("click", () => {
    const next =
      item.nextElementSibling?.querySelector("button") ?? item.previousElementSibling?.querySelector("button");
    store.oldRuns.value = store.oldRuns.value.filter((other) => other !== run);
    (next ?? element("chart-legend", HTMLElement)).focus();
  });
  item.append(remove);
  return item;
}

/** The most of the band, and the least. */
function bandOf(plot: uPlot): readonly [number, number] {
  const [leasts, mosts] = [2, 3].map((series) => Array.from(plot.data[series] ?? [], (value) => value ?? 0));
  return [Math.min(...(leasts ?? []), 0), Math.max(...(mosts ?? []), 0)];
}

/** The range of the lines, of 0, and of the band as far as it leaves the lines a third of the height. */
function rangeOf(plot: uPlot, low: number, high: number): [number, number] {
  const [from, to] = [Math.min(0, low), Math.max(1, high)];
  const [least, most] = bandOf(plot);
  const room = 2 * (to - from);
  const above = Math.max(to, Math.min(most, to + room));
  return [Math.min(from, Math.max(least, from - room)) * ROOM, above * ROOM];
}

const ROOM = 1.05;

/** Says how far the band goes on where the chart ends. */
function tellCut(plot: uPlot, colour: string): void {
  const [least, most] = bandOf(plot);
  const { ctx } = plot;
  const { left, top, width, height } = plot.bbox;
  const { min = 0, max = 0 } = plot.scales.y ?? {};
  const tell = (text: string, y: number): void => write(ctx, text, left + width - 4 * devicePixelRatio, y, colour);
  if (most > max) tell(`▲ ${score(most)}`, top + 12 * devicePixelRatio);
  if (least < min) tell(`▼ ${score(least)}`, top + height - 4 * devicePixelRatio);
}

/** Writes a text that ends at a point. */
function write(ctx: CanvasRenderingContext2D, text: string, x: number, y: number, colour: string): void {
  ctx.save();
  ctx.font = `600 ${12 * devicePixelRatio}px system-ui, sans-serif`;
  ctx.fillStyle = colour;
  ctx.textAlign = "right";
  ctx.fillText(text, x, y);
  ctx.restore();
}

function sizeOf(place: HTMLElement): { width: number; height: number } {
  return { width: Math.max(place.clientWidth, 50), height: Math.max(place.clientHeight, 50) };
}
