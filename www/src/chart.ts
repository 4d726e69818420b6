/** The live chart: the reward of each finished episode as a point, the mean of the last hundred as a line. */

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { EpisodeLog } from "./episode-log.js";

/** How many of the latest episodes are in the chart. */
const SPAN = 400;

/** Drawing is dear at full speed, and nobody reads faster. */
const EVERY_MS = 120;

export class EpisodeChart {
  readonly #place: HTMLElement;
  readonly #plot: uPlot;
  #drawn = 0;
  #drawnAt = 0;

  constructor(place: HTMLElement) {
    this.#place = place;
    this.#plot = new uPlot(optionsFor(place), [[], [], []], place);
    this.#place.dataset.empty = "true";
    new ResizeObserver(() => this.#plot.setSize(sizeOf(place))).observe(place);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#plot.redraw());
  }

  /** Brings the chart up to date, unless it just was. */
  draw(log: EpisodeLog, now: number): void {
    if (log.count === this.#drawn || (now - this.#drawnAt < EVERY_MS && log.count > this.#drawn)) return;
    this.#drawn = log.count;
    this.#drawnAt = now;
    const shown = log.finished.slice(-SPAN);
    this.#place.dataset.empty = String(shown.length === 0);
    this.#place.setAttribute("aria-label", described(log));
    this.#plot.setData([
      shown.map((episode) => episode.number),
      shown.map((episode) => episode.reward),
      shown.map((episode) => episode.mean),
    ]);
  }
}

/** What the chart says, for those who cannot see it. */
function described({ count, finished }: EpisodeLog): string {
  const latest = finished.at(-1);
  if (latest === undefined) return "Chart of rewards: no episode has finished yet";
  return `Chart of rewards: ${count} episodes, mean of the last 100 is ${latest.mean.toFixed(2)}`;
}

function optionsFor(place: HTMLElement): uPlot.Options {
  const colour = (name: string) => () => getComputedStyle(place).getPropertyValue(name).trim();
  const axis: uPlot.Axis = {
    stroke: colour("--soft"),
    font: "11px system-ui, sans-serif",
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { show: false },
  };
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
      { ...axis, size: 24, gap: 4, space: 60, incrs: WHOLE_STEPS },
      { ...axis, size: 38, gap: 4, space: 30 },
    ],
    series: [
      {},
      {
        label: "reward",
        stroke: colour("--points"),
        paths: () => null,
        points: { show: true, size: 4, fill: colour("--points") },
      },
      { label: "mean of 100", stroke: colour("--accent"), width: 2, points: { show: false } },
    ],
  };
}

/** Episodes are counted: no axis between them. */
const WHOLE_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000];

/** The range of the rewards with zero in it and a little air above and below. */
function withRoom(low: number, high: number): [number, number] {
  const from = Math.min(0, low);
  const to = Math.max(1, high);
  const room = (to - from) * 0.08;
  return [from < 0 ? from - room : -room, to + room];
}

function sizeOf(place: HTMLElement): { width: number; height: number } {
  return { width: Math.max(place.clientWidth, 50), height: Math.max(place.clientHeight, 50) };
}
