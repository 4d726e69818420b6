/**
 * The learning curve: of the present run and earlier ones, or of the shipped policy before there is any. A click on one of the
 * shipped checkpoints plays it; the slider of the controls does the same for the keyboard.
 */

import { effect } from "@preact/signals-core";
import uPlot from "uplot";
import { POLICIES } from "../policies/pretrained.js";
import { type Curve, OVER } from "../state/curve.js";
import * as store from "../state/store.js";
import { element, h, setText } from "./dom.js";
import { plural, score, short, tick } from "./format.js";

/** A line of the chart. The first three are the run's. */
interface Line {
  readonly name: string;
  readonly kind: "mean" | "band" | "old" | "random" | "you" | "games" | "shipped";
  /** Its points: x and y. */
  readonly table: readonly [x: number[], y: number[]];
  /** The earlier run that it is of. */
  readonly run?: store.Run;
}

/** @param play lets the agent play by a shipped checkpoint */
export function mountCurve(play: (place: 0 | 1 | 2) => void): void {
  const place = element("chart", HTMLElement);
  let plot: uPlot | undefined;
  let drawn = "";
  /** The lines with their present values. The chart lives longer than they do. */
  let lines: Line[] = [];
  effect(() => {
    store.curveVersion.value;
    lines = linesOf();
    const empty = lines.every(({ table }) => table[0].length === 0);
    element("chart-empty", HTMLElement).hidden = lines.some(
      ({ kind, table: [x] }) => TRAINED.has(kind) && x.length > 0,
    );
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
      playByClick(plot, play);
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

/** The lines of training: without any, the panel says how to begin. */
const TRAINED: ReadonlySet<Line["kind"]> = new Set(["mean", "old", "shipped"]);

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
    { name: "lower quartile", kind: "band", table: [x, curve.points.map(({ lowerQuartile }) => lowerQuartile)] },
    { name: "upper quartile", kind: "band", table: [x, curve.points.map(({ upperQuartile }) => upperQuartile)] },
  ];
  // The latest comes first in the legend. Scores of another unit are told, and not drawn.
  const old = store.oldRuns.value.toReversed().map((run): Line => {
    const { number, name, curve: kept, skip, unit } = run;
    const drawn = unit === store.unit.value;
    const points = drawn ? kept.points : [];
    const table = [drawn ? xOf(kept, skip) : [], points.map(({ mean }) => mean)] as const;
    return { name: `run ${number}, ${name}`, kind: "old", table, run };
  });
  if (curve.points.length === 0 && old.length === 0) lines.push(...shipped());
  const ends = endsOf([...lines, ...old]);
  const level = (name: string, kind: "random" | "you", mean: number | undefined): void => {
    if (mean !== undefined) lines.push({ name, kind, table: [ends, ends.map(() => mean)] });
  };
  level("random play", "random", store.randomMean.value);
  level("you", "you", store.yourMean.value);
  if (store.yourMean.value !== undefined) lines.push(yourGames(ends[1]));
  return [...lines, ...old];
}

/** The curve of the shipped policy, where it can play: of the game's default mode. */
function shipped(): Line[] {
  const { mode, difficulty } = store.setup.value;
  if (store.game.value === undefined || store.unfitForShipped() !== undefined || mode || difficulty) return [];
  return [{ name: SHIPPED, kind: "shipped", table: [shippedX(), POLICIES.map(({ mean }) => mean)] }];
}

const SHIPPED = "the shipped policy";

function shippedX(): number[] {
  return POLICIES.map(({ steps, minutes }) => (store.xAxis.value === "frames" ? steps * store.skip.value : minutes));
}

/** The latest games of the person, in their order over the width of the chart: they have no place in a training. */
function yourGames(width: number): Line {
  const scores = store.presentEpisodes.value.filter(({ player }) => player === "you").slice(-MOST_GAMES);
  const x = scores.map((_, game) => (width * (game + 1)) / (scores.length + 1));
  return { name: "your games", kind: "games", table: [x, scores.map(({ score }) => score)] };
}

const MOST_GAMES = 50;

/** The width of a chart without any training, in frames or minutes. */
const EMPTY_WIDTH = { frames: 1_000_000, minutes: 5 } as const;

/** Where the horizontal lines begin and end. */
function endsOf(lines: readonly Line[]): [number, number] {
  const last = Math.max(...lines.map(({ table }) => table[0].at(-1) ?? 0));
  return [0, last > 0 ? last : EMPTY_WIDTH[store.xAxis.value]];
}

/** Lets a click on a shipped checkpoint play it. */
function playByClick(plot: uPlot, play: (place: 0 | 1 | 2) => void): void {
  const { over } = plot;
  const at = ({ clientX, clientY }: MouseEvent): number => {
    if (plot.series.every(({ label }) => label !== SHIPPED)) return -1;
    const { left, top } = over.getBoundingClientRect();
    const xs = shippedX();
    return POLICIES.findIndex(({ mean }, place) => {
      const [x, y] = [plot.valToPos(xs[place] ?? 0, "x"), plot.valToPos(mean, "y")];
      return Math.hypot(clientX - left - x, clientY - top - y) < NEAR;
    });
  };
  over.addEventListener("mousemove", (event) => {
    over.style.cursor = at(event) < 0 ? "" : "pointer";
  });
  over.addEventListener("click", (event) => {
    const place = at(event);
    if (place >= 0) play(place as 0 | 1 | 2);
  });
}

/** Pixels around a checkpoint that count for it. */
const NEAR = 24;

function joined(lines: readonly Line[]): uPlot.AlignedData {
  return uPlot.join(lines.map(({ table: [x, y] }) => [x, y]));
}

/** The chart as text, for screen readers. */
function described(): string {
  const { latest } = store.curve.value;
  if (latest === undefined) {
    const points = shipped().length === 0 ? [] : POLICIES.map(({ name, mean }) => `${name} ${score(mean)}`);
    const before = points.length === 0 ? "" : `. The shipped policy: ${points.join(", ")} a game`;
    return `Learning curve: no game of a training has ended yet${before}`;
  }
  const frames = short(latest.steps * store.skip.value);
  return `Learning curve: ${score(latest.mean)} a ${store.unit.value} after ${frames} frames, quartiles ${score(latest.lowerQuartile)} and ${score(latest.upperQuartile)}`;
}

const COLOURS: Readonly<Record<Exclude<Line["kind"], "old">, string>> = {
  mean: "--accent",
  band: "--band",
  random: "--series-random",
  you: "--series-you",
  games: "--series-you",
  shipped: "--shipped",
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
      y: { range: (_plot, low, high) => [Math.min(0, low ?? 0) * ROOM, Math.max(1, high ?? 1) * ROOM] },
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
        const { name, kind } = line;
        return {
          label: name,
          stroke: colour(colourOf(line)),
          width: kind === "mean" ? 2.5 : kind === "band" ? 0 : 1.5,
          ...(DASHES[kind] === undefined ? undefined : { dash: DASHES[kind] }),
          spanGaps: true,
          ...(kind === "games" ? { paths: () => null } : undefined),
          points: { show: showsPoints(line), size: kind === "shipped" ? 10 : 7, fill: colour(colourOf(line)) },
        };
      }),
    ],
    hooks: {
      setCursor: [moved],
      draw: [
        (plot) => numberRuns(lines, plot, (line) => colour(colourOf(line))()),
        (plot) => nameCheckpoints(plot, colour("--soft")()),
      ],
    },
  };
}

/** A line of few points is not seen. */
function showsPoints({ kind, table: [x] }: Line): boolean {
  if (kind === "games" || kind === "shipped") return true;
  return kind === "mean" ? x.length < 12 : kind === "old" && x.length === 1;
}

/** Writes the name of each shipped checkpoint beside it. */
function nameCheckpoints(plot: uPlot, colour: string): void {
  if (plot.series.every(({ label }) => label !== SHIPPED)) return;
  const xs = shippedX();
  for (const [place, { name, mean }] of POLICIES.entries()) {
    const [x, y] = [plot.valToPos(xs[place] ?? 0, "x", true), plot.valToPos(mean, "y", true)];
    const right = place === POLICIES.length - 1;
    const aside = 10 * devicePixelRatio;
    write(plot.ctx, name, right ? x - aside : x + aside, y - (right ? 0 : aside / 2), colour, right ? "right" : "left");
  }
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
    if (kind === "shipped") return `${name} ${told(series)}: a click on a point plays it`;
    if (kind === "band") return `the middle half ${told(series)} to ${told(series + 1)}`;
    return `${name} ${told(series)}`;
  };
  const before = new Map([...legend.children].map((item) => [item.getAttribute("data-name"), item]));
  const items = lines.flatMap((line, series) => {
    // The band has one item, at its lower end; so has the person, at the mean.
    if ((line.table[0].length === 0 && line.run === undefined) || series === 2 || line.kind === "games") return [];
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
  if (kind === "band")
    item.title = "A quarter of them scores less, a quarter more. A few high scores can lift the mean above the band.";
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

/** Room above the lines, and below. */
const ROOM = 1.05;

/** Writes a text that ends at a point, or begins there. */
function write(
  ctx: CanvasRenderingContext2D,
  text: string,
  x: number,
  y: number,
  colour: string,
  align: "left" | "right" = "right",
): void {
  ctx.save();
  ctx.font = `600 ${12 * devicePixelRatio}px system-ui, sans-serif`;
  ctx.fillStyle = colour;
  ctx.textAlign = align;
  ctx.fillText(text, x, y);
  ctx.restore();
}

function sizeOf(place: HTMLElement): { width: number; height: number } {
  return { width: Math.max(place.clientWidth, 50), height: Math.max(place.clientHeight, 50) };
}
