/** The table of episodes: the running one on top, then the finished ones, the newest first. */

import { element, setText } from "./dom.js";
import type { Episode, EpisodeLog } from "./episode-log.js";

/** How many finished episodes have a row. */
const ROWS = 100;

export class EpisodeTable {
  readonly #rows = element("episode-rows", HTMLTableSectionElement);
  readonly #number = element("running-number", HTMLElement);
  readonly #reward = element("running-reward", HTMLElement);
  readonly #length = element("running-length", HTMLElement);
  readonly #mean = element("mean", HTMLElement);
  /** The newest episode that has a row. */
  #shown = 0;

  draw(log: EpisodeLog): void {
    setText(this.#number, String(log.count + 1));
    setText(this.#reward, formatReward(log.reward));
    setText(this.#length, String(log.length));
    if (log.count === this.#shown) return;
    if (log.count < this.#shown) this.#rows.replaceChildren();
    const fresh = log.finished
      .filter((episode) => episode.number > this.#shown || log.count < this.#shown)
      .slice(-ROWS);
    this.#rows.prepend(...fresh.reverse().map(rowOf));
    while (this.#rows.rows.length > ROWS) this.#rows.deleteRow(-1);
    this.#shown = log.count;
    const mean = log.finished.at(-1)?.mean;
    setText(this.#mean, mean === undefined ? "–" : mean.toFixed(2));
  }
}

/** Rewards are whole numbers in nearly every game, and are then shown as such. */
export function formatReward(reward: number): string {
  return Number.isInteger(reward) ? String(reward) : reward.toFixed(2);
}

function rowOf({ number, reward, length, mean }: Episode): HTMLTableRowElement {
  const row = document.createElement("tr");
  const head = document.createElement("th");
  head.scope = "row";
  head.textContent = String(number);
  row.append(head, ...[formatReward(reward), String(length), mean.toFixed(2)].map(cellOf));
  return row;
}

function cellOf(text: string): HTMLTableCellElement {
  const cell = document.createElement("td");
  cell.textContent = text;
  return cell;
}
