/** The table of episodes, with the running one first and the newest next, and the same as a file. */

import { element, setText } from "./dom.js";
import { type Episode, type EpisodeLog, KEPT } from "./episode-log.js";

/** Finished episodes with a row. */
const ROWS = 100;

export class EpisodeTable {
  readonly #rows = element("episode-rows", HTMLTableSectionElement);
  readonly #lane = element("running-lane", HTMLElement);
  readonly #number = element("running-number", HTMLElement);
  readonly #reward = element("running-reward", HTMLElement);
  readonly #length = element("running-length", HTMLElement);
  readonly #step = element("running-step", HTMLElement);
  readonly #mean = element("mean", HTMLElement);
  readonly #csv = element("csv", HTMLButtonElement);
  /** Finished episodes that the table has shown. */
  #shown = 0;

  /** Updates the table. `watched` is the lane whose running episode is in the first row. */
  draw(log: EpisodeLog, watched: number): void {
    const tally = log.lanes[watched];
    setText(this.#lane, String(watched));
    setText(this.#number, String((tally?.episodes ?? 0) + 1));
    setText(this.#reward, formatReward(tally?.reward ?? 0));
    setText(this.#length, String(tally?.length ?? 0));
    setText(this.#step, String(tally?.steps ?? 0));
    if (log.count === this.#shown) return;
    if (log.count < this.#shown) this.clear();
    const fresh = log.finished.slice(-Math.min(log.count - this.#shown, ROWS));
    this.#rows.prepend(...fresh.reverse().map(rowOf));
    while (this.#rows.rows.length > ROWS) this.#rows.deleteRow(-1);
    this.#shown = log.count;
    this.#csv.disabled = false;
    setText(this.#mean, log.mean()?.toFixed(2) ?? "–");
  }

  /** Removes all rows. */
  clear(): void {
    this.#rows.replaceChildren();
    this.#shown = 0;
    this.#csv.disabled = true;
    setText(this.#mean, "–");
  }
}

/** The kept episodes as comma-separated values, the oldest first. */
export function csvOf({ finished }: EpisodeLog): string {
  const head = "lane,episode,reward,length,step,time";
  const rows = finished.slice(-KEPT).map((episode) => valuesOf(episode, String(episode.reward)).join(","));
  return `${[head, ...rows].join("\r\n")}\r\n`;
}

/** Offers a text as a download. */
export function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser gives no event when it has read the address, so it is revoked later.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** A reward, without a fraction if it is a whole number. */
export function formatReward(reward: number): string {
  return Number.isInteger(reward) ? String(reward) : reward.toFixed(2);
}

function valuesOf({ lane, number, length, step, time }: Episode, reward: string): string[] {
  return [String(lane), String(number), reward, String(length), String(step), time.toFixed(2)];
}

function rowOf(episode: Episode): HTMLTableRowElement {
  const row = document.createElement("tr");
  const [lane = "", ...rest] = valuesOf(episode, formatReward(episode.reward));
  row.append(cellOf("th", lane), ...rest.map((text) => cellOf("td", text)));
  return row;
}

function cellOf(kind: "th" | "td", text: string): HTMLTableCellElement {
  const cell = document.createElement(kind);
  if (kind === "th") cell.scope = "row";
  cell.textContent = text;
  return cell;
}
