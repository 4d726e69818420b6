/** Files that the person opens: each kind that the page saves, and ROMs. */

import type { StateFile } from "../data/import.js";
import { refusalOfState } from "../preset-list/ask.js";
import type { Cartridge, Setup } from "../state/setup.js";
import * as store from "../state/store.js";
import { sentence, textOf } from "../text.js";
import { openDescription } from "../ui/definition-form.js";
import { loadState } from "../ui/states.js";
import { agreement, askForRom, openCartridge, refuseRom, take } from "./cartridges.js";
import { open, usePolicyFile } from "./game.js";
import { fail, refuse } from "./messages.js";
import { watchLane } from "./run.js";

const KIB = 1024;

/** The largest cartridges ever made hold half of this. Anything above is not even read. */
const LARGEST_ROM = 1024 * KIB;

/** Far above the weights of any net that the learner has, and of the longest training as JSON. */
const LARGEST_FILE = 64 * 1024 * KIB;

const OPENED = "The page opens ROMs, weights (.safetensors), descriptions (.toml), and what it saved as .json";

/** What else the page writes. */
const WRITTEN: Readonly<Record<string, string>> = {
  csv: "It is a table for other programs: the JSON file of the same has all of it",
  gif: "It is a film of a game",
  webm: "It is a film of a game",
};

/** Opens a file: by the end of its name, or as a cartridge. */
export async function openFile(file: File): Promise<void> {
  const end = file.name.toLowerCase().split(".").at(-1) ?? "";
  if (end === "toml") return openDescription(file);
  if (end === "json") return openJson(file);
  if (end === "safetensors") return openWeights(file);
  const wanted = take();
  const written = WRITTEN[end];
  if (written !== undefined) return refuseRom(file.name, `${written}. ${OPENED}.`, wanted);
  if (file.size > LARGEST_ROM) {
    return refuseRom(file.name, `It has ${sizeOf(file)} bytes, and no Atari 2600 cartridge is that large.`, wanted);
  }
  const cartridge = { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
  if (wanted?.play !== undefined) wanted.play(cartridge);
  else await openCartridge(cartridge, wanted?.link);
}

function sizeOf({ size }: File): string {
  return size.toLocaleString("en");
}

// ---- weights ----

/** Lets the agent play by the weights of a file, wherever observation and actions fit. */
async function openWeights(file: File): Promise<void> {
  if (file.size > LARGEST_FILE)
    return refuse(file.name, `It has ${sizeOf(file)} bytes, and no net here is that large.`);
  const weights = new Uint8Array(await file.arrayBuffer());
  const refusal = await usePolicyFile({ name: file.name, weights });
  if (refusal === undefined) {
    store.message.value = undefined;
    store.announcement.value = `The agent plays by ${file.name}`;
    return;
  }
  const title = store.game.value?.title ?? "this game";
  fail(`${file.name} cannot play ${title} as it is set up.`, `${sentence(refusal)} The agent plays on as before.`);
}

// ---- JSON ----

/** Opens what the page saved as JSON: games, runs, a state, or a replay. */
async function openJson(file: File): Promise<void> {
  try {
    const data = file.size > LARGEST_FILE ? undefined : await parsed(file);
    if (typeof data?.gym2600 !== "string") return await openReplay(file);
    const { gamesIn, readState, runsIn } = await import("../data/import.js");
    if (data.games !== undefined) addGames(gamesIn(data.games));
    else if (data.runs !== undefined) addRuns(runsIn(data.runs), file.name);
    else await openState(file.name, readState(data.state));
  } catch (error) {
    refuse(file.name, textOf(error));
  }
}

/** What a JSON file says; undefined for a text that is none. */
async function parsed(file: File): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    return JSON.parse(await file.text()) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Adds games to the list of Data. */
function addGames(games: readonly Omit<store.Episode, "number">[]): void {
  store.addEpisodes(games);
  store.drawer.value = "data";
  store.announcement.value = `${games.length} games are in the list`;
}

/** Adds runs to the chart, as earlier runs. */
function addRuns(runs: readonly Omit<store.Run, "number" | "name">[], file: string): void {
  for (const run of runs) {
    const number = store.runNumber.value++;
    const { rom, preset } = run.playedWith;
    store.oldRuns.value = [...store.oldRuns.value, { ...run, number, name: `${rom}, ${preset}, of ${file}` }];
  }
  store.announcement.value = `${runs.length} runs are in the chart`;
}

// ---- replays and states ----

/** Calls `play` with the cartridge of an MD5, now or when the person has opened it. */
function withRom(what: string, md5: string, play: (cartridge: Cartridge) => void): void {
  const here =
    md5 === store.game.value?.md5 ? store.cartridge.value : md5 === store.WALLOP_MD5 ? store.WALLOP : undefined;
  if (here !== undefined) {
    play(here);
    return;
  }
  askForRom(`${what} of a game that is not open.`, md5, {
    play(cartridge) {
      store.message.value = undefined;
      play(cartridge);
    },
  });
}

/** Plays a replay, or asks for its ROM if that is not at hand. */
async function openReplay(file: File): Promise<void> {
  const { readReplay, showReplay } = await import("../replay/dialog.js");
  const replay = await readReplay(file);
  withRom(`${file.name} is a replay`, replay.md5, ({ bytes }) => showReplay(file.name, replay, bytes));
}

/** Goes on from the state of a file, with its game and setup. */
function openState(name: string, file: StateFile): void {
  withRom(`${name} is a state`, file.md5, (cartridge) => {
    // The description is the state's, not the one that is open.
    const own = { name: cartridge.name, bytes: cartridge.bytes, definition: file.definition };
    void resume(name, file, own).catch((error) => refuse(name, textOf(error)));
  });
}

async function resume(name: string, { md5, setup, saved }: StateFile, cartridge: Cartridge): Promise<void> {
  const played = ({ environment, mode, difficulty }: Setup): string => JSON.stringify([environment, mode, difficulty]);
  const isOpen =
    store.keyOf(md5, cartridge.definition) === store.cartridgeKey.value && played(setup) === played(store.setup.value);
  if (!isOpen) {
    // What cannot be played ends no training, and no game.
    const refused = await refusalOfState(cartridge, setup, saved.state);
    if (refused !== undefined) throw new Error(refused.refusal);
    await agreement(name);
    await open(cartridge, setup);
  }
  if (store.watchedLane.value !== undefined) watchLane(undefined);
  await loadState(saved);
  // The game goes on where it was: nothing is served.
  store.countdown.value = 0;
}
