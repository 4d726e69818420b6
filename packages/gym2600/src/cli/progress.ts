/** How far a run is, on the terminal; without one a line now and then. */

import type { Trainer } from "../learn/trainer.js";
import type { TrainingUpdate } from "../learn/types.js";

/** Steps between two lines where there is no terminal. */
const LINE_STEPS = 25_000;

/** A progress bar on the standard error. */
export class Progress {
  readonly #steps: number;
  readonly #first: number;
  readonly #start = performance.now();
  #shown: number;

  /** `done` of `steps` steps were played before. */
  constructor(steps: number, done: number) {
    this.#steps = steps;
    this.#first = done;
    this.#shown = done;
  }

  show(update: TrainingUpdate): void {
    const { steps, reward, length, entropy, stepsPerSecond } = update;
    const score =
      reward === null || length === null ? "no game ended yet" : `score ${reward.toFixed(1)} in ${length.toFixed(0)}`;
    const message = `${score}, entropy ${entropy.toFixed(2)}, ${stepsPerSecond.toFixed(0)}/s`;
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${this.#bar(steps, message)}`);
    else if (Math.floor(steps / LINE_STEPS) !== Math.floor(this.#shown / LINE_STEPS)) {
      process.stderr.write(`${steps} steps, ${message}\n`);
    }
    this.#shown = steps;
  }

  /** Ends the bar; the last line tells the weights. */
  finish({ updates, steps, checksum }: Trainer): void {
    if (process.stderr.isTTY) process.stderr.write("\n");
    process.stderr.write(`${updates} update${updates === 1 ? "" : "s"}, ${steps} steps, weights ${checksum}\n`);
  }

  /** The bar takes the room that the text leaves. */
  #bar(steps: number, message: string): string {
    const share = Math.min(steps / this.#steps, 1);
    const elapsed = (performance.now() - this.#start) / 1000;
    const left = (elapsed * Math.max(this.#steps - steps, 0)) / Math.max(steps - this.#first, 1);
    const text = ` ${steps}/${this.#steps} steps, ${message}, ${duration(left)} left`;
    const width = Math.max((process.stderr.columns ?? 80) - text.length - 10, 0);
    const full = Math.round(width * share);
    return `${duration(elapsed)} ${"█".repeat(full)}${"░".repeat(width - full)}${text}`;
  }
}

/** Seconds as hours, minutes and seconds. */
function duration(seconds: number): string {
  const parts = [seconds / 3600, (seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(Math.floor(part)).padStart(2, "0")).join(":");
}
