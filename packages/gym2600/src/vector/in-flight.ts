/**
 * Requests that were sent to lanes with `send` and whose results have not been received with `recv`.
 *
 * Invariant: every result is received once and every failure is reported once.
 */

import { Gym2600Error } from "../errors.js";
import type { LaneResults } from "./lane-group.js";

/** Lanes that failed, and why. */
export interface Failure {
  readonly lanes: readonly number[];
  readonly error: unknown;
}

/** A pending `recv`. */
interface Receiver {
  readonly minimum: number;
  resolve(parts: readonly LaneResults[]): void;
  reject(failures: readonly Failure[]): void;
}

/** The lanes in flight, and the results that have arrived. */
export class InFlight {
  /** Lanes that were sent a request and have not been received. */
  readonly #lanes = new Set<number>();
  #answered: LaneResults[] = [];
  #failed: Failure[] = [];
  #receiver: Receiver | undefined;

  has(lane: number): boolean {
    return this.#lanes.has(lane);
  }

  get any(): boolean {
    return this.#lanes.size > 0;
  }

  /** Adds lanes that were sent a request; `answer` is its result. */
  add(lanes: readonly number[], answer: Promise<LaneResults>): void {
    for (const lane of lanes) this.#lanes.add(lane);
    answer.then(
      (part) => this.#arrived(() => this.#answered.push(part)),
      (error: unknown) => this.#arrived(() => this.#failed.push({ lanes, error })),
    );
  }

  /**
   * Waits until at least `minimum` lanes have answered and gives all that have. Rejects with a list of {@link Failure} as
   * soon as any lane has failed.
   */
  receive(minimum: number): Promise<readonly LaneResults[]> {
    if (this.#receiver !== undefined) throw new Gym2600Error("bad-state", "another recv is already pending");
    if (this.#lanes.size < minimum) {
      const counts = `${minimum} environments were to be received, and ${this.#lanes.size} are in flight`;
      throw new Gym2600Error("bad-state", counts);
    }
    return new Promise((resolve, reject) => {
      this.#receiver = { minimum, resolve, reject };
      this.#serve();
    });
  }

  #arrived(store: () => void): void {
    store();
    this.#serve();
  }

  #serve(): void {
    const receiver = this.#receiver;
    if (receiver === undefined) return;
    if (this.#failed.length > 0) {
      this.#receiver = undefined;
      receiver.reject(this.#landed(this.#failed.splice(0)));
    } else if (this.#answered.reduce((count, { lanes }) => count + lanes.length, 0) >= receiver.minimum) {
      this.#receiver = undefined;
      receiver.resolve(this.#landed(this.#answered.splice(0)));
    }
  }

  /** `settled`, whose lanes are not in flight from here on. */
  #landed<T extends { readonly lanes: readonly number[] }>(settled: T[]): T[] {
    for (const { lanes } of settled) for (const lane of lanes) this.#lanes.delete(lane);
    return settled;
  }
}
