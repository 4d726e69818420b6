/** How far a run is, on the terminal; without one a line now and then. */

import type { Trainer } from "../learn/trainer.js";
import type { TrainingUpdate } from "../learn/types.js";

/** Steps between two lines where there is no terminal, and the longest time in milliseconds but for that of an update. */
const LINE_STEPS = 25_000;
const LINE_PERIOD = 30_000;
/** Cells of the bar at least. */
const BAR_CELLS = 10;

/** A progress bar on the standard error. */
export class Progress {
  readonly #steps: number;
  readonly #first: number;
  readonly #start = performance.now();
  /** Steps of the last update, and when the last line was printed. */
  #shown: number;
  #told = this.#start;

  /** `done` of `steps` steps were played before. */
  constructor(steps: number, done: number) {
    this.#steps = steps;
    this.#first = done;
    this.#shown = done;
    if (process.stderr.isTTY) this.#draw(done, "the first update runs");
  }

  /** `doubt` is what may be wrong with the game. */
  show(update: TrainingUpdate, doubt?: string): void {
    const { steps, reward, length, entropy, stepsPerSecond } = update;
    const score =
      reward === null || length === null ? "no game ended yet" : `score ${reward.toFixed(1)} in ${length.toFixed(0)}`;
    const message = `${score}${doubt === undefined ? "" : `, ${doubt}`}, entropy ${entropy.toFixed(2)}, ${stepsPerSecond.toFixed(0)}/s`;
    if (process.stderr.isTTY) this.#draw(steps, `${message}, ${this.#left(steps)} left`);
    else if (this.#isDue(steps) || (doubt !== undefined && this.#shown === this.#first)) {
      process.stderr.write(`${steps} steps, ${message}, ${this.#left(steps)} left\n`);
      this.#told = performance.now();
    }
    this.#shown = steps;
  }

  #isDue(steps: number): boolean {
    const isNext = Math.floor(steps / LINE_STEPS) !== Math.floor(this.#shown / LINE_STEPS);
    return isNext || performance.now() - this.#told >= LINE_PERIOD;
  }

  #draw(steps: number, message: string): void {
    process.stderr.write(`\r\x1b[K${this.#row(steps, message)}`);
  }

  /** The time that the rest of the run takes at the speed until now. */
  #left(steps: number): string {
    const elapsed = (performance.now() - this.#start) / 1000;
    return duration((elapsed * Math.max(this.#steps - steps, 0)) / Math.max(steps - this.#first, 1));
  }

  /** Ends the bar; the last line tells the weights. */
  finish({ updates, steps, checksum }: Trainer): void {
    if (process.stderr.isTTY) process.stderr.write("\n");
    process.stderr.write(`${updates} update${updates === 1 ? "" : "s"}, ${steps} steps, weights ${checksum}\n`);
  }

  /** A row of the terminal. The bar takes the room that the text leaves; the text is cut where it leaves less than {@link BAR_CELLS}. */
  #row(steps: number, message: string): string {
    const share = Math.min(steps / this.#steps, 1);
    const text = ` ${steps}/${this.#steps}, ${message}`;
    // A terminal without a size has 0 columns.
    const columns = process.stderr.columns || 80;
    const width = Math.max(columns - text.length, BAR_CELLS);
    const full = Math.round(width * share);
    return `${"█".repeat(full)}${"░".repeat(width - full)}${text}`.slice(0, columns);
  }
}

/** A time in seconds, minutes or hours, whichever gives a number above 1. */
function duration(seconds: number): string {
  const minutes = seconds / 60;
  if (seconds < 90) return `${seconds.toFixed(0)}s`;
  return minutes < 90 ? `${minutes.toFixed(0)}m` : `${(minutes / 60).toFixed(0)}h`;
}
