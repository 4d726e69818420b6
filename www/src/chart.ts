/** The live chart of the statistics over the batch. */

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { Scalar } from "gym2600";
import type { BatchStatistics } from "./statistics.js";

/** The series of the chart. */
export type Topic = "reward" | "length";

/** The number of values in the chart. */
const SPAN = 400;

/** Milliseconds between two drawings. More would slow the games at full speed. */
const EVERY_MS = 120;

export class StatisticsChart {
  topic: Topic = "reward";

  readonly #place: HTMLElement;
  readonly #plot: uPlot;
  #drawn: Scalar | undefined;
  #drawnTopic: Topic = "reward";
  #drawnAt = 0;

  constructor(place: HTMLElement) {
    this.#place = place;
    this.#plot = new uPlot(optionsFor(place), [[], [], [], [], []], place);
    this.#place.dataset.empty = "true";
    new ResizeObserver(() => this.#plot.setSize(sizeOf(place))).observe(place);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#plot.redraw());
  }

  /** Draws the latest values, unless the last drawing is recent. */
  draw(statistics: BatchStatistics, now: number): void {
    const latest = statistics.series("total_reward").at(-1);
    const changed = latest !== this.#drawn || this.topic !== this.#drawnTopic;
    if (!changed || (now - this.#drawnAt < EVERY_MS && latest !== undefined)) return;
    this.#drawn = latest;
    this.#drawnTopic = this.topic;
    this.#drawnAt = now;
    const values = (name: string) => statistics.series(name).slice(-SPAN);
    const steps = values("total_reward").map(({ step }) => step);
    const main = values(this.topic === "reward" ? "total_reward" : "episode_length");
    this.#place.dataset.empty = String(steps.length === 0);
    this.#place.setAttribute("aria-label", described(this.topic, main));
    const rest = ["reward_mean_100", "min_reward", "max_reward"].map((name) => {
      const series = this.topic === "reward" ? values(name) : [];
      return steps.map((_, index) => series[index]?.value ?? null);
    });
    this.#plot.setData([steps, main.map(({ value }) => value), ...rest]);
  }
}

/** The chart as text, for screen readers. */
function described(topic: Topic, values: readonly Scalar[]): string {
  const latest = values.at(-1);
  if (latest === undefined) return `Chart of each ${topic}: the games have not all ended yet`;
  return `Chart of each ${topic}: ${latest.value.toFixed(2)} after ${latest.step} steps`;
}

function optionsFor(place: HTMLElement): uPlot.Options {
  const colour = (name: string) => () => getComputedStyle(place).getPropertyValue(name).trim();
  const axis: uPlot.Axis = {
    stroke: colour("--soft"),
    font: "11px system-ui, sans-serif",
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { show: false },
  };
  const bound: uPlot.Series = { stroke: colour("--band"), width: 1, points: { show: false } };
  return {
    ...sizeOf(place),
    padding: [8, 8, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: false, range: (_plot, low, high) => [low ?? 1, Math.max(high ?? 1, (low ?? 1) + 10)] },
      y: { range: (_plot, low, high) => withRoom(low ?? 0, high ?? 1) },
    },
    axes: [
      { ...axis, size: 24, gap: 4, space: 70, values: (_plot, splits) => splits.map(short) },
      { ...axis, size: 42, gap: 4, space: 30, values: (_plot, splits) => splits.map(short) },
    ],
    bands: [{ series: [4, 3], fill: colour("--band") }],
    series: [
      {},
      {
        label: "latest",
        stroke: colour("--points"),
        paths: () => null,
        points: { show: true, size: 4, fill: colour("--points") },
      },
      { label: "mean of 100", stroke: colour("--accent"), width: 2, points: { show: false } },
      { ...bound, label: "least" },
      { ...bound, label: "most" },
    ],
  };
}

/** A short form of a number. */
function short(value: number): string {
  return Intl.NumberFormat("en", { notation: "compact" }).format(value);
}

/** The range of the values and 0, with a margin above and below. */
function withRoom(low: number, high: number): [number, number] {
  const from = Math.min(0, low);
  const to = Math.max(1, high);
  const room = (to - from) * 0.08;
  return [from < 0 ? from - room : -room, to + room];
}

function sizeOf(place: HTMLElement): { width: number; height: number } {
  return { width: Math.max(place.clientWidth, 50), height: Math.max(place.clientHeight, 50) };
}
