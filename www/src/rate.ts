/** How many steps a second, over the last second or so. */

const WINDOW_MS = 1000;

export class Rate {
  /** When, and how many steps had been taken by then; the oldest first. */
  #marks: { readonly at: number; readonly steps: number }[] = [];

  /** The rate, given how many steps have been taken until now. */
  measure(now: number, steps: number): number {
    this.#marks.push({ at: now, steps });
    // One mark from before the window stays: the rate is measured from it.
    while (this.#marks.length > 2 && (this.#marks[1]?.at ?? now) <= now - WINDOW_MS) this.#marks.shift();
    const first = this.#marks[0];
    if (first === undefined || now === first.at) return 0;
    return ((steps - first.steps) * 1000) / (now - first.at);
  }

  /** Forgets what was measured. */
  clear(): void {
    this.#marks = [];
  }
}
