/** The grid of all games, where there is more than one. */

import type { Observation } from "gym2600";
import { element, setText } from "./dom.js";
import type { EpisodeLog } from "./episode-log.js";
import type { Games } from "./games.js";
import { LaneTile, type TileListener } from "./lane-tile.js";

export class Lanes {
  readonly #card = element("lanes-card", HTMLElement);
  readonly #list = element("lanes", HTMLOListElement);
  readonly #caption = element("watched", HTMLElement);
  readonly #note = element("lanes-note", HTMLElement);
  readonly #listener: TileListener;
  #tiles: LaneTile[] = [];

  constructor(listener: TileListener) {
    this.#listener = listener;
  }

  /** Makes the tiles of some games. A single game has no tile; the page shows it large. */
  begin({ description, numEnvs }: Games, workers: number): void {
    const count = numEnvs === 1 ? 0 : numEnvs;
    this.#tiles = Array.from({ length: count }, (_, lane) => new LaneTile(lane, description, this.#listener));
    this.#list.replaceChildren(...this.#tiles.map(({ item }) => item));
    this.#card.hidden = count === 0;
    this.#caption.hidden = count === 0;
    setText(this.#note, `${numEnvs} games on ${workers} ${workers === 1 ? "worker" : "workers"}`);
  }

  /** Draws a lane's frame stack; the array may be reused afterwards. */
  draw(lane: number, observation: Observation): void {
    this.#tiles[lane]?.draw(observation);
  }

  /** Shows the pictures and numbers of all lanes. */
  show(games: Games | undefined, log: EpisodeLog, watched: number): void {
    setText(this.#caption, `Lane ${watched}`);
    const dead = games?.deadLanes ?? [];
    for (const [lane, tile] of this.#tiles.entries()) {
      if (games !== undefined) tile.showPicture(games.canvasOf(lane));
      const tally = log.lanes[lane];
      if (tally !== undefined) tile.show(tally, lane === watched, dead.includes(lane));
    }
  }
}
