/** The values of the last decisions, against the return that came. */

/** Decisions that are kept. */
const KEPT = 300;

/** A return is known when the rewards that are still to come weigh less than this. */
const UNKNOWN_WEIGHT = 0.1;

export class Trace {
  gamma: number;
  #values: number[] = [];
  #rewards: number[] = [];
  /** Whether the agent's episode ended with the decision. */
  #ends: boolean[] = [];

  constructor(gamma: number) {
    this.gamma = gamma;
  }

  /** Adds a decision: its value, the sign of its reward, whether the episode ended. */
  add(value: number | undefined, reward: number, end: boolean): void {
    this.#values.push(value ?? Number.NaN);
    this.#rewards.push(Math.sign(reward));
    this.#ends.push(end);
    if (this.#values.length <= KEPT) return;
    this.#values.shift();
    this.#rewards.shift();
    this.#ends.shift();
  }

  clear(): void {
    this.#values = [];
    this.#rewards = [];
    this.#ends = [];
  }

  values(): Float32Array<ArrayBuffer> {
    return Float32Array.from(this.#values);
  }

  /** The discounted rewards after each decision; NaN where too much of the future is missing. */
  returns(): Float32Array<ArrayBuffer> {
    const returns = new Float32Array(this.#values.length);
    let [sum, missing] = [0, 1];
    for (let at = returns.length - 1; at >= 0; at--) {
      if (this.#ends[at]) [sum, missing] = [0, 0];
      sum = (this.#rewards[at] ?? 0) + this.gamma * sum;
      missing *= this.gamma;
      returns[at] = missing <= UNKNOWN_WEIGHT ? sum : Number.NaN;
    }
    return returns;
  }
}
