/** The package's statistics over the games of a batch. */

import { EpisodeStatistics, type Info, MemoryWriter, type Scalar } from "gym2600";
import { element, setText } from "./dom.js";
import { formatReward } from "./episode-table.js";
import type { Taken } from "./games.js";

/** Values kept of a series. */
const KEPT = 5000;

/** The series, with the element that shows its latest value. */
const SHOWN: readonly (readonly [string, string])[] = [
  ["total_reward", "total-reward"],
  ["reward_mean_100", "mean-reward"],
  ["episode_length", "game-length"],
  ["min_reward", "least-reward"],
  ["max_reward", "most-reward"],
];

/** Placeholder info for a lane without a step, because its worker has died. */
const NO_STEP: Info = { lives: 0, frameNumber: 0, episodeFrameNumber: 0 };

export class BatchStatistics {
  #writer = new MemoryWriter();
  #statistics = new EpisodeStatistics({ writer: this.#writer });
  #numEnvs = 1;

  /** Starts again with new games. */
  begin(numEnvs: number): void {
    this.#numEnvs = numEnvs;
    this.#writer = new MemoryWriter();
    this.#statistics = new EpisodeStatistics({ writer: this.#writer, numEnvs });
  }

  /** Drops the running episodes. */
  abandon(): void {
    this.#statistics.reset();
  }

  /** A series, with the latest value last. */
  series(name: string): readonly Scalar[] {
    return this.#writer.series.get(name) ?? [];
  }

  /** Records steps. */
  add({ lanes, rewards, terminated, truncated, infos }: Taken): void {
    const width = this.#numEnvs;
    for (let start = 0; start < infos.length; start += lanes.length) {
      const row = {
        observations: new Uint8Array(0),
        rewards: new Float64Array(width),
        terminated: new Uint8Array(width),
        truncated: new Uint8Array(width),
        infos: new Array<Info>(width).fill(NO_STEP),
      };
      for (const [index, lane] of lanes.entries()) {
        row.rewards[lane] = rewards[start + index] ?? 0;
        row.terminated[lane] = Number(terminated[start + index]);
        row.truncated[lane] = Number(truncated[start + index]);
        row.infos[lane] = infos[start + index] ?? NO_STEP;
      }
      this.#statistics.record(row);
    }
    for (const series of this.#writer.series.values()) {
      if (series.length > 2 * KEPT) series.splice(0, series.length - KEPT);
    }
  }

  /** Shows the latest values. */
  draw(): void {
    for (const [name, id] of SHOWN) {
      const latest = this.series(name).at(-1);
      setText(element(id, HTMLElement), latest === undefined ? "–" : formatReward(latest.value));
    }
  }
}
