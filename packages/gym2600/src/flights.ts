/** What was sent to lanes and has not been received. */

import { Gym2600Error } from "./errors.js";
import type { Part } from "./lane-group.js";

/** Lanes that failed, and why. */
export interface Failure {
  readonly lanes: readonly number[];
  readonly error: unknown;
}

/** Somebody who waits for results. */
interface Receiver {
  readonly minimum: number;
  resolve(parts: readonly Part[]): void;
  reject(failures: readonly Failure[]): void;
}

/** See the module. Every answer is received once, and every failure is told once; nobody waits for what cannot come. */
export class Flights {
  /** Lanes that were sent something and have not been received. */
  readonly #lanes = new Set<number>();
  #answered: Part[] = [];
  #failed: Failure[] = [];
  #receiver: Receiver | undefined;

  has(lane: number): boolean {
    return this.#lanes.has(lane);
  }

  get any(): boolean {
    return this.#lanes.size > 0;
  }

  /** Something was sent to `lanes`, of which `answer` will tell. */
  add(lanes: readonly number[], answer: Promise<Part>): void {
    for (const lane of lanes) this.#lanes.add(lane);
    answer.then(
      (part) => this.#arrived(() => this.#answered.push(part)),
      (error: unknown) => this.#arrived(() => this.#failed.push({ lanes, error })),
    );
  }

  /**
   * Waits until at least `minimum` lanes have answered, and gives all that have; rejects with a list of {@link Failure} as
   * soon as some have failed.
   */
  receive(minimum: number): Promise<readonly Part[]> {
    if (this.#receiver !== undefined) throw new Gym2600Error("bad-state", "another recv is waiting already");
    if (this.#lanes.size < minimum) {
      const counts = `${minimum} environments are to be received, and ${this.#lanes.size} are on their way`;
      throw new Gym2600Error("bad-state", counts);
    }
    return new Promise((resolve, reject) => {
      this.#receiver = { minimum, resolve, reject };
      this.#serve();
    });
  }

  #arrived(note: () => void): void {
    note();
    this.#serve();
  }

  #serve(): void {
    const receiver = this.#receiver;
    if (receiver === undefined) return;
    if (this.#failed.length > 0) {
      this.#receiver = undefined;
      receiver.reject(this.#forget(this.#failed.splice(0)));
    } else if (this.#answered.reduce((count, { lanes }) => count + lanes.length, 0) >= receiver.minimum) {
      this.#receiver = undefined;
      receiver.resolve(this.#forget(this.#answered.splice(0)));
    }
  }

  #forget<T extends { readonly lanes: readonly number[] }>(settled: T[]): T[] {
    for (const { lanes } of settled) for (const lane of lanes) this.#lanes.delete(lane);
    return settled;
  }
}
