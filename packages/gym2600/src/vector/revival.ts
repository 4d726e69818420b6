/**
 * Lanes after their worker's death.
 *
 * A lane goes back to its last kept state: the latest of `save`, `restore` and the states that every `keepStates` steps
 * bring. A lane without one is reset with its last seed. Steps after that state are lost.
 */

import type { LaneOptions } from "../env/lane.js";
import type { LaneReset } from "../worker/protocol.js";

/** A lane's options, last seed and last kept state, from which a new worker continues it. */
export class LaneRevival {
  readonly #options: LaneOptions;
  /** The seed of the last seeded reset, or that of the options. */
  seed: number | undefined;
  /** The last kept state. */
  kept: Uint8Array | undefined;
  /** Steps that the lane was asked to take since a state was kept. */
  steps = 0;

  constructor(options: LaneOptions) {
    this.#options = options;
    this.seed = options.seed;
  }

  /** Keeps a state. */
  keep(state: Uint8Array): void {
    this.kept = state;
    this.steps = 0;
  }

  /** Goes back where `other` does from here on. */
  follow(other: LaneRevival): void {
    this.seed = other.seed;
    this.kept = other.kept;
    this.steps = other.steps;
  }

  /** The options with which a new worker loads the lane's game. */
  laneOptions(): LaneOptions {
    return { ...this.#options, seed: this.seed };
  }
}

/** The part of a `LaneGroup` that {@link reviveLanes} uses. */
interface RevivableGroup {
  /** The number of its first lane. */
  readonly start: number;
  reset(lanes: readonly number[], resets: readonly LaneReset[]): Promise<unknown>;
  restore(lane: number, state: Uint8Array): Promise<unknown>;
}

/** Restores or resets all lanes of a group whose worker is new; says of each whether it was restored. */
export async function reviveLanes(group: RevivableGroup, revivals: readonly LaneRevival[]): Promise<boolean[]> {
  const restored: boolean[] = [];
  for (const [index, { kept }] of revivals.entries()) {
    const lane = group.start + index;
    if (kept === undefined) await group.reset([lane], ["continue"]);
    else await group.restore(lane, kept);
    restored.push(kept !== undefined);
  }
  return restored;
}
