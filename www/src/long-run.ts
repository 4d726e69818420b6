/** Runs of many steps or episodes, with their progress. */

import { element, setText } from "./dom.js";
import { Rate } from "./rate.js";
import type { Goal } from "./runner.js";

/** The longest run. */
const MOST = 1_000_000_000;

const EVERY_MS = 200;

/** The requests of the panel. */
export interface LongRunListener {
  run(goal: Goal): void;
  stop(): void;
}

export class LongRun {
  readonly #count = element("run-count", HTMLInputElement);
  readonly #unit = element("run-unit", HTMLSelectElement);
  readonly #start = element("run-start", HTMLButtonElement);
  readonly #stop = element("run-stop", HTMLButtonElement);
  readonly #bar = element("run-progress", HTMLProgressElement);
  readonly #text = element("run-text", HTMLElement);
  readonly #rate = new Rate();
  #drawnAt = 0;

  constructor(listener: LongRunListener) {
    this.#count.max = String(MOST);
    element("run-form", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      this.#rate.clear();
      const unit = this.#unit.value === "episodes" ? "episodes" : "steps";
      listener.run({ unit, count: this.#count.valueAsNumber });
    });
    this.#stop.addEventListener("click", () => {
      listener.stop();
      this.#start.focus();
    });
  }

  /** Enables the panel for games. */
  ready(ready: boolean): void {
    this.#start.disabled = !ready;
  }

  /** Shows the progress of a run, or none for undefined. */
  draw(goal: (Goal & { readonly done: number }) | undefined, running: boolean, now: number): void {
    if (this.#stop.disabled !== (goal === undefined)) {
      this.#stop.disabled = goal === undefined;
      this.#drawnAt = 0;
    }
    if (goal === undefined || now - this.#drawnAt < EVERY_MS) return;
    this.#drawnAt = now;
    const { unit, count, done } = goal;
    this.#bar.max = count;
    this.#bar.value = done;
    const perSecond = running ? this.#rate.measure(now, done) : 0;
    if (!running) this.#rate.clear();
    const left = perSecond > 0 ? `, ${durationOf((count - done) / perSecond)} left` : "";
    const rate = running ? `${whole(perSecond)} a second${left}` : "paused";
    setText(this.#text, `${whole(done)} of ${whole(count)} ${unit}: ${rate}`);
  }

  /** Shows that a run has ended, with its amount of work done. */
  ended({ unit, count }: Goal, done: number): void {
    this.#bar.max = count;
    this.#bar.value = done;
    const what = `${whole(done)} of ${whole(count)} ${unit}`;
    setText(this.#text, done === count ? `${what}: done` : `${what}: stopped`);
  }

  /** Clears the result of the last run. */
  clear(): void {
    this.#bar.max = 1;
    this.#bar.value = 0;
    setText(this.#text, "The random agent plays as fast as it can.");
  }
}

function whole(number: number): string {
  return Math.round(number).toLocaleString("en");
}

/** A duration in words. */
function durationOf(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${Math.floor(seconds % 60)} s` : `${Math.ceil(seconds)} s`;
}
