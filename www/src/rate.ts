/** The rate of steps over the last second. */

const WINDOW_MS = 1000;

export class Rate {
  /** Times and numbers of steps, the oldest first. */
  #marks: { readonly at: number; readonly steps: number }[] = [];

  /** The rate, given the number of steps up to this call. */
  measure(now: number, steps: number): number {
    this.#marks.push({ at: now, steps });
    // The last mark before the window stays, because the rate is measured from it.
    while (this.#marks.length > 2 && (this.#marks[1]?.at ?? now) <= now - WINDOW_MS) this.#marks.shift();
    const first = this.#marks[0];
    if (first === undefined || now === first.at) return 0;
    return ((steps - first.steps) * 1000) / (now - first.at);
  }

  /** Starts again. */
  clear(): void {
    this.#marks = [];
  }
}
