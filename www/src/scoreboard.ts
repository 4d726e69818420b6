/** The numbers of the watched game and of all of them. */

import { element, setText } from "./dom.js";
import type { EpisodeLog } from "./episode-log.js";
import { formatReward } from "./episode-table.js";
import { Rate } from "./rate.js";

const RATE_EVERY_MS = 250;

export class Scoreboard {
  readonly #score = element("score", HTMLElement);
  readonly #lives = element("lives", HTMLElement);
  readonly #action = element("action", HTMLElement);
  readonly #steps = element("steps", HTMLElement);
  readonly #perSecond = element("rate", HTMLElement);
  readonly #episodes = element("episodes", HTMLElement);
  readonly #rate = new Rate();
  #rateAt = 0;

  clear(): void {
    this.#rate.clear();
  }

  draw(log: EpisodeLog, watched: number, actions: readonly string[], running: boolean, now: number): void {
    const tally = log.lanes[watched];
    setText(this.#score, formatReward(tally?.reward ?? 0));
    setText(this.#lives, String(tally?.lives ?? "–"));
    setText(this.#action, actions[tally?.action ?? -1] ?? "–");
    setText(this.#steps, log.steps.toLocaleString("en"));
    setText(this.#episodes, log.count.toLocaleString("en"));
    if (now - this.#rateAt < RATE_EVERY_MS) return;
    this.#rateAt = now;
    const rate = this.#rate.measure(now, log.steps);
    setText(this.#perSecond, running ? Math.round(rate).toLocaleString("en") : "0");
  }
}
