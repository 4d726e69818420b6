/** The drawer Data: files, each saved and opened in one row, and the games that have ended. */

import { effect } from "@preact/signals-core";
import { fail } from "../app/messages.js";
import { saveWeights } from "../app/run.js";
import { show } from "../app/show.js";
import { startBackground } from "../background/start.js";
import { download } from "../data/download.js";
import { csvOf, jsonOf, runGamesCsvOf, runsCsvOf, runsJsonOf, stateOf } from "../data/export.js";
import { canRecord, record } from "../data/recording.js";
import type { FromWrite, WriteRequest } from "../replay/protocol.js";
import { gameOptions } from "../state/setup.js";
import * as store from "../state/store.js";
import { textOf } from "../text.js";
import { bindText, button, element, h, setText } from "./dom.js";
import { score } from "./format.js";

/** Games with a row, and games of the mean. */
const ROWS = 100;

export function mountData(): void {
  mountFiles();
  mountRecording();
  const latest = () => store.episodes.value.slice(-ROWS);
  bindText("mean", () => store.meanScore(latest())?.toFixed(2) ?? "–");
  bindText("mean-of", () => (latest().length === 1 ? "game" : `${latest().length} games`));
  const rows = element("episode-rows", HTMLTableSectionElement);
  effect(() => {
    // Only while it can be seen; the drawer shows it when it opens.
    if (store.drawer.value !== "data") return;
    const shown = latest().reverse();
    element("no-episodes", HTMLElement).hidden = shown.length > 0;
    element("mixed-note", HTMLElement).hidden = shown.every(({ player }) => player !== "mixed");
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

/** The game of the latest run. The open game may be another one. */
function trainedRom(): string {
  return store.runs.value.at(-1)?.playedWith.rom ?? store.romName();
}

/** The buttons for files. */
function mountFiles(): void {
  const file = (id: string, end: string, make: () => string, rom = store.romName): HTMLButtonElement =>
    button(id, () => download(`${rom()}-${end}`, make(), end.endsWith("csv") ? "text/csv" : "application/json"));
  const games = [
    file("csv", "games.csv", () => csvOf(store.episodes.value)),
    file("json", "games.json", () => jsonOf(store.episodes.value)),
  ];
  const training = [
    file("run-csv", "training.csv", () => runsCsvOf(store.runs.value), trainedRom),
    file("run-games-csv", "training-games.csv", () => runGamesCsvOf(store.runs.value), trainedRom),
    file("run-json", "training.json", () => runsJsonOf(store.runs.value), trainedRom),
  ];
  const gif = button("gif", () => void saveFilm());
  const weights = button("weights", () => void saveWeights());
  const state = button("state-save", () => void saveState());
  const replay = button("replay-save", () => void saveReplay());
  const definition = button("definition-save", () =>
    download(`${store.romName()}.toml`, store.cartridge.value.text ?? "", "application/toml"),
  );
  for (const one of document.querySelectorAll<HTMLButtonElement>("#files .open-file")) {
    one.addEventListener("click", () => element("rom-file", HTMLInputElement).click());
  }
  effect(() => {
    for (const one of games) one.disabled = store.episodes.value.length === 0;
    for (const one of training) one.disabled = store.runs.value.length === 0;
    gif.disabled = store.presentEpisodes.value.length === 0;
    weights.disabled = !store.hasWeights.value;
    // A training game is the learner's.
    const own = store.game.value !== undefined && store.watchedLane.value === undefined;
    [state.disabled, replay.disabled] = [!own, !own];
    definition.disabled = store.cartridge.value.text === undefined;
  });
}

async function saveState(): Promise<void> {
  const saved = await show.save();
  const text = stateOf(saved, store.setup.value, store.game.value?.md5, store.cartridge.value.definition);
  download(`${store.romName()}-state.json`, text, "application/json");
}

/** Saves what has been played since the last new game. */
async function saveReplay(): Promise<void> {
  const headline = "There is no replay to save.";
  const log = await show.log();
  if (log === undefined) {
    return fail(
      headline,
      "The game was loaded or rewound, or is very long. A new game can be saved from its beginning.",
    );
  }
  const { bytes, definition } = store.cartridge.value;
  const worker = startBackground();
  const name = `${store.romName()}-replay.json`;
  worker.addEventListener("message", ({ data: { text, refusal } }: MessageEvent<FromWrite>) => {
    worker.terminate();
    if (text === undefined) fail(headline, refusal ?? "");
    else download(name, text, "application/json");
  });
  worker.addEventListener("error", (event) => fail(headline, textOf(event.message || "The worker could not start")));
  const options = gameOptions(store.setup.value, definition);
  worker.postMessage({ log, rom: bytes, options } satisfies WriteRequest);
}

/** The button that records the picture, from one click to the next. */
function mountRecording(): void {
  let stop: (() => Promise<Blob>) | undefined;
  const webm = button("webm", () => {
    const [size, name] = [store.game.value?.screen, `${store.romName()}.webm`];
    if (stop !== undefined) void stop().then((film) => download(name, film, film.type));
    stop = stop === undefined && size !== undefined ? record(element("screen", HTMLCanvasElement), size) : undefined;
    setText(webm, stop === undefined ? "Record WebM" : "Stop and save WebM");
  });
  webm.hidden = !canRecord();
}

async function saveFilm(): Promise<void> {
  const film = await show.film();
  if (film === undefined) return;
  const { gifOf } = await import("../data/gif.js");
  download(`${store.romName()}.gif`, gifOf(film), "image/gif");
}
