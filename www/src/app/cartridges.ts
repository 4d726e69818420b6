/** How games come in: from the address, as files, and by descriptions of unknown cartridges. */

import { type GameDefinition, Gym2600Error } from "gym2600";
import type { LastPlayed } from "../data/memory.js";
import { type Linked, readHash } from "../state/link.js";
import { type Cartridge, DEFAULT_SETUP, type Setup } from "../state/setup.js";
import * as store from "../state/store.js";
import { sentence, textOf } from "../text.js";
import { showDescription } from "../ui/definition-form.js";
import { element } from "../ui/dom.js";
import { open, setPlayer } from "./game.js";
import { fail, refuse } from "./messages.js";

/** The largest cartridges ever made hold half of this. Anything above is not even read. */
const LARGEST_FILE = 1024 * 1024;

/** A replay has some eleven characters for each step: this is a day. */
const LARGEST_REPLAY = 64 * 1024 * 1024;

/** A definition of any game: it has no score and never ends. */
const WITHOUT_SCORES: GameDefinition = { rom: "unknown", title: "Unknown game" };

/** A link whose ROM is not here yet. */
let linked: Linked | undefined;

/** Plays the replay whose ROM is not here yet. It waits as long as the message that asks for the ROM stands. */
let replay: { readonly message: store.Message | undefined; play(rom: Cartridge["bytes"]): void } | undefined;

/** An opened cartridge that is not in the catalogue. A description that the person gives is for it. */
let unknown: Cartridge | undefined;

// ---- links ----

/** Opens the first game: what the address says, what was played last, or WALLOP. */
export async function begin(last: LastPlayed | undefined, remembered: ReadonlyMap<string, Cartridge>): Promise<void> {
  const link = readHash(location.hash);
  const cartridge = link === undefined && last !== undefined ? remembered.get(last.title) : undefined;
  const setup = link === undefined ? last?.setup : needsRom(link) ? undefined : link.setup;
  try {
    await open(cartridge ?? store.WALLOP, setup ?? DEFAULT_SETUP);
  } catch (error) {
    if (setup === undefined) return fail("The game could not be started.", textOf(error));
    await open(store.WALLOP, DEFAULT_SETUP).catch(() => undefined);
    fail("The setup cannot be used.", textOf(error));
  }
  if (link !== undefined && needsRom(link)) ask(link);
}

/** Opens what the address says when it changes. */
export function followLinks(): void {
  window.addEventListener("hashchange", () => {
    const link = readHash(location.hash);
    if (link === undefined) return;
    if (needsRom(link)) ask(link);
    else void openLinkedWallop(link);
  });
}

async function openLinkedWallop({ setup }: Linked): Promise<void> {
  await agreement("the link");
  await open(store.WALLOP, setup).catch((error) => fail("The link cannot be used.", textOf(error)));
}

function needsRom({ md5 }: Linked): boolean {
  return md5 !== undefined && md5 !== store.WALLOP_MD5;
}

/** Asks for the ROM of a link. */
function ask(link: Linked): void {
  linked = link;
  askForRom(`This link is for ${link.title ?? "a game"}.`, link.md5);
}

function askForRom(headline: string, md5: string | undefined): void {
  store.message.value = {
    kind: "note",
    headline,
    detail: `Open its ROM, whose MD5 is ${md5}. It stays on your machine.`,
    actions: [{ label: "Open ROM…", act: () => element("rom-file", HTMLInputElement).click() }],
  };
}

// ---- files ----

/** Opens a file: a cartridge, a description, or a replay. */
export async function openFile(file: File): Promise<void> {
  if (/\.toml$/i.test(file.name)) return showDescription(await file.text());
  if (/\.json$/i.test(file.name)) return openReplay(file);
  if (file.size > LARGEST_FILE) {
    const size = file.size.toLocaleString("en");
    return refuse(file.name, `It has ${size} bytes, and no Atari 2600 cartridge is that large.`);
  }
  const cartridge = { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
  const waiting = replay;
  replay = undefined;
  if (waiting !== undefined && waiting.message === store.message.value) waiting.play(cartridge.bytes);
  else await openCartridge(cartridge);
}

/** Plays a replay, or asks for its ROM if that is not at hand. */
async function openReplay(file: File): Promise<void> {
  replay = undefined;
  try {
    const text = file.size > LARGEST_REPLAY ? "" : await file.text();
    const { md5Of, showReplay } = await import("../replay/dialog.js");
    const md5 = md5Of(text);
    const rom = md5 === store.game.value?.md5 ? store.cartridge.value : store.WALLOP;
    if (md5 === store.game.value?.md5 || md5 === store.WALLOP_MD5) return showReplay(file.name, text, rom.bytes);
    askForRom(`${file.name} is a replay of a game that is not open.`, md5);
    replay = {
      message: store.message.value,
      play(bytes) {
        store.message.value = undefined;
        showReplay(file.name, text, bytes);
      },
    };
  } catch (error) {
    refuse(file.name, textOf(error));
  }
}

/** Opens a cartridge. A run that it would end is not ended before the person has agreed. */
export async function openCartridge(cartridge: Cartridge): Promise<void> {
  await agreement(cartridge.name);
  await insert(cartridge);
}

/** Resolves when the person agrees to end the run, or at once without one. Never resolves if the person goes on training. */
function agreement(what: string): Promise<void> {
  if (!store.trains.value) return Promise.resolve();
  const title = store.game.value?.title ?? "this game";
  const close = (): void => {
    store.message.value = undefined;
  };
  return new Promise((agreed) => {
    store.message.value = {
      kind: "note",
      headline: `Opening ${what} ends the training of ${title}.`,
      detail: "Its curve stays for comparison. Save keeps its weights as a file.",
      actions: [
        {
          label: "Open it",
          act: () => {
            close();
            agreed();
          },
        },
        { label: "Go on training", act: close },
      ],
    };
  });
}

async function insert(cartridge: Cartridge): Promise<void> {
  try {
    await openAsLinked(cartridge);
    unknown = undefined;
    const wanted = linked;
    linked = undefined;
    if (wanted !== undefined && store.game.value?.md5 !== wanted.md5) {
      const title = store.game.value?.title ?? cartridge.name;
      fail(
        `This is ${title}, not ${wanted.title ?? "the game of the link"}.`,
        "It is played with the link's settings.",
      );
    }
  } catch (error) {
    if (!(error instanceof Gym2600Error) || error.code !== "unknown-rom") return refuse(cartridge.name, textOf(error));
    unknown = cartridge;
    store.message.value = {
      kind: "note",
      headline: `${cartridge.name} is not in the catalogue.`,
      detail: sentence(error.message),
      actions: [
        { label: "Play without scores", act: () => void playWithoutScores() },
        { label: "Describe it", act: () => showDescription() },
      ],
    };
  }
}

/** Opens a cartridge with the settings of the link that waits for one. Another game than the link's may not have its mode. */
async function openAsLinked(cartridge: Cartridge): Promise<void> {
  if (linked === undefined) return open(cartridge, withoutMode());
  const { setup } = linked;
  try {
    await open(cartridge, setup);
  } catch (error) {
    if (setup.mode === undefined && setup.difficulty === undefined) throw error;
    await open(cartridge, withoutMode());
  }
}

/** The setup of the link that waits for its ROM, or the present one, for another game, which has other modes. */
function withoutMode(): Setup {
  return { ...(linked?.setup ?? store.setup.value), mode: undefined, difficulty: undefined };
}

// ---- unknown cartridges ----

async function playWithoutScores(): Promise<void> {
  const cartridge = unknown;
  if (cartridge === undefined) return;
  await agreement(cartridge.name);
  const title = cartridge.name.replace(/\.\w+$/, "");
  try {
    await open({ ...cartridge, definition: { ...WITHOUT_SCORES, title } }, withoutMode());
    linked = undefined;
    setPlayer("you");
  } catch (error) {
    refuse(cartridge.name, textOf(error));
  }
}

/** Plays the unknown cartridge, or the open one, by a description. @throws Gym2600Error */
export async function openDescribed(definition: GameDefinition): Promise<void> {
  const { name, bytes } = unknown ?? store.cartridge.value;
  await agreement(`${name} by this description`);
  await open({ name, bytes, definition }, withoutMode());
  linked = undefined;
}
