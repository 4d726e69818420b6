/** The drawer Data: the games that have ended, and files. */

import { effect } from "@preact/signals-core";
import { trainedWeights } from "../app/run.js";
import { show } from "../app/show.js";
import { csvOf, download, jsonOf } from "../data/export.js";
import { canRecord, record } from "../data/recording.js";
import * as store from "../state/store.js";
import { bindText, button, element, h, setText } from "./dom.js";
import { score } from "./format.js";

/** Games with a row, and games of the mean. */
const ROWS = 100;

export function mountData(): void {
  const name = (): string => store.game.value?.rom ?? "gym2600";
  const csv = button("csv", () => download(`${name()}-games.csv`, csvOf(store.episodes.value), "text/csv"));
  const json = button("json", () => download(`${name()}-games.json`, jsonOf(store.episodes.value), "application/json"));
  const gif = button("gif", () => void saveFilm(name()));
  mountRecording(name);
  const weights = button("weights", () => void saveWeights(name()));
  const save = button("save", () => void saveWeights(name()));
  effect(() => {
    const none = store.episodes.value.length === 0;
    csv.disabled = none;
    json.disabled = none;
    gif.disabled = store.presentEpisodes.value.length === 0;
    const untrained = store.latestUpdate.value === undefined || !store.hasOwnPolicy.value;
    weights.disabled = untrained;
    save.disabled = untrained;
  });
  const latest = () => store.episodes.value.slice(-ROWS);
  bindText("mean", () => store.meanScore(latest())?.toFixed(2) ?? "–");
  bindText("mean-of", () => String(latest().length));
  const rows = element("episode-rows", HTMLTableSectionElement);
  effect(() => {
    const shown = latest().reverse();
    element("no-episodes", HTMLElement).hidden = shown.length > 0;
    // Only while it can be seen; the drawer shows it when it opens.
    if (store.drawer.value !== "data") return;
    rows.replaceChildren(
      ...shown.map(({ number, player, score: reward, length, policy }) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, String(number)),
          ...[player, score(reward), String(length), policy].map((text) => h("td", {}, text)),
        ),
      ),
    );
  });
}

/** The button that records the picture, from one click to the next. */
function mountRecording(name: () => string): void {
  let stop: (() => Promise<Blob>) | undefined;
  const webm = button("webm", () => {
    const size = store.game.value?.screen;
    if (stop !== undefined) void stop().then((film) => download(`${name()}.webm`, film, film.type));
    stop = stop === undefined && size !== undefined ? record(element("screen", HTMLCanvasElement), size) : undefined;
    setText(webm, stop === undefined ? "Record WebM" : "Stop and save WebM");
  });
  webm.hidden = !canRecord();
}

async function saveFilm(name: string): Promise<void> {
  const film = await show.film();
  if (film === undefined) return;
  const { gifOf } = await import("../data/gif.js");
  download(`${name}.gif`, gifOf(film), "image/gif");
}

async function saveWeights(name: string): Promise<void> {
  const bytes = await trainedWeights();
  if (bytes !== undefined) download(`${name}.safetensors`, new Uint8Array(bytes), "application/octet-stream");
}
