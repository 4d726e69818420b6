/** Measures how evenly pictures are painted. */

import type { Pace } from "./protocol.js";

/** Milliseconds over which is measured, and between two reports. */
const WINDOW_MS = 10_000;
const REPORT_EVERY_MS = 1000;

export class PaceMeter {
  #times: number[] = [];
  #reportedAt = 0;

  /** A picture has been painted. Gives a report when one is due. */
  add(now: number): Pace | undefined {
    this.#times.push(now);
    if (now - this.#reportedAt < REPORT_EVERY_MS) return undefined;
    this.#reportedAt = now;
    this.#times = this.#times.filter((time) => now - time <= WINDOW_MS);
    const gaps = this.#times.slice(1).map((time, at) => time - (this.#times[at] ?? time));
    gaps.sort((a, b) => a - b);
    const [first = now] = this.#times;
    if (gaps.length === 0) return undefined;
    return { perSecond: (gaps.length * 1000) / (now - first), p95: gaps[Math.floor(gaps.length * 0.95)] ?? 0 };
  }

  /** Measures anew, after a pause or with another speed. */
  restart(): void {
    this.#times = [];
  }
}
