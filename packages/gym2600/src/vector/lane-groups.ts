/** The groups of a `VectorEnv`, and the rules of which lanes can be asked. */

import { checkLane, refuse } from "./checks.js";
import { InFlight } from "./in-flight.js";
import type { LaneGroup } from "./lane-group.js";

/** A group, some of its lanes, and the place of each lane in the caller's list. */
export interface Asked {
  readonly group: LaneGroup;
  readonly lanes: readonly number[];
  readonly places: readonly number[];
}

/** All lanes, numbered from 0, by group. */
export class LaneGroups {
  readonly groups: readonly LaneGroup[];
  readonly lanes: readonly number[];
  /** All lanes, by group. */
  readonly everyone: readonly Asked[];
  /** Those that were sent a request. */
  readonly inFlight: InFlight = new InFlight();
  readonly #groupOfLane: readonly LaneGroup[];

  constructor(groups: readonly LaneGroup[]) {
    this.groups = groups;
    this.#groupOfLane = groups.flatMap((group) => group.lanes.map(() => group));
    this.lanes = Array.from(this.#groupOfLane.keys());
    this.everyone = groups.map((group) => ({ group, lanes: group.lanes, places: group.lanes }));
  }

  /** The lanes whose worker has died. */
  get dead(): number[] {
    return this.groups.filter(({ dead }) => dead).flatMap(({ lanes }) => lanes);
  }

  /** The group of a lane. @throws Gym2600Error `bad-option` if there is no such lane */
  of(lane: number): LaneGroup {
    checkLane(lane, this.lanes.length);
    return this.#groupOfLane[lane] as LaneGroup;
  }

  /** The groups that some lanes are in, with those of their lanes. */
  by(chosen: readonly number[]): Asked[] {
    const asked = new Map<LaneGroup, { group: LaneGroup; lanes: number[]; places: number[] }>();
    for (const [place, lane] of chosen.entries()) {
      const group = this.of(lane);
      const own = asked.get(group) ?? { group, lanes: [], places: [] };
      asked.set(group, own);
      own.lanes.push(lane);
      own.places.push(place);
    }
    return Array.from(asked.values());
  }

  /** Refuses lanes that cannot take a step. */
  checkSteppable(lanes: readonly number[]): void {
    // The usual case does not look at each lane.
    if (!this.inFlight.any && this.groups.every(({ dead, unready }) => !dead && unready.size === 0)) return;
    this.checkAlive(lanes);
    this.checkReceived(lanes);
    const unready = (lane: number) => this.of(lane).unready.has(lane);
    refuse(lanes.filter(unready), "bad-state", "reset the environment before the next step");
  }

  /** Refuses lanes whose worker has died. */
  checkAlive(lanes: readonly number[]): void {
    const dead = lanes.filter((lane) => this.of(lane).dead);
    if (dead[0] === undefined) return;
    // A worker that is being revived has no error.
    const code = this.of(dead[0]).over?.code ?? "worker-died";
    refuse(dead, code, "the worker has died: revive it first");
  }

  /** Refuses lanes whose result is to be received. */
  checkReceived(lanes: readonly number[]): void {
    const sent = (lane: number) => this.inFlight.has(lane);
    refuse(lanes.filter(sent), "bad-state", "receive the result of its last send first");
  }
}
