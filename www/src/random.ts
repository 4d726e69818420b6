/** A small seeded generator, so that a run of the random agent can be repeated. */

export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed ^ Math.floor(seed / 2 ** 32)) >>> 0;
  }

  /** A number of at least 0 and below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number below `n`. */
  below(n: number): number {
    return Math.floor(this.next() * n);
  }

  /** An index, drawn with these probabilities. */
  among(probabilities: ArrayLike<number>): number {
    let left = this.next();
    for (let index = 0; index < probabilities.length; index++) {
      left -= probabilities[index] ?? 0;
      if (left < 0) return index;
    }
    return probabilities.length - 1;
  }
}
