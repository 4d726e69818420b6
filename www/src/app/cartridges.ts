/** How games come in: from the address, as files, and by descriptions of unknown cartridges. */

import { type GameDefinition, Gym2600Error } from "gym2600";
import { cartridges, type Remembered, turn } from "../data/memory.js";
import type { GameInfo } from "../show/protocol.js";
import { type Linked, readHash } from "../state/link.js";
import { type Cartridge, DEFAULT_SETUP, type Setup } from "../state/setup.js";
import * as store from "../state/store.js";
import { sentence, textOf } from "../text.js";
import { openDescription, showDescription } from "../ui/definition-form.js";
import { element } from "../ui/dom.js";
import { settleAddress } from "./address.js";
import { open, setPlayer } from "./game.js";
import { fail, refuse } from "./messages.js";

/** The largest cartridges ever made hold half of this. Anything above is not even read. */
const LARGEST_FILE = 1024 * 1024;

/** A definition of any game: it has no score and never ends. */
const WITHOUT_SCORES: GameDefinition = { rom: "unknown", title: "Unknown game" };

/** Files that the page writes and does not open, by their extensions. */
const WRITTEN: Readonly<Record<string, string>> = {
  safetensors: "It has the weights of a net",
  csv: "It is a list of games",
  gif: "It is a film of a game",
  webm: "It is a film of a game",
};

const OPENED = "The page opens ROMs, descriptions (.toml) and replays (.json)";

/** What waits for a ROM, as long as the message that asks for it stands: a link, or a replay. */
interface Waiting {
  readonly link?: Linked;
  play?(rom: Cartridge["bytes"]): void;
}

let waiting: (Waiting & { readonly message: store.Message }) | undefined;

/**
 * A cartridge that is not in the catalogue, and the link that it was opened for. A description that the person gives is for it, as long
 * as the game that was open then still is.
 */
let unknown:
  | { readonly cartridge: Cartridge; readonly link?: Linked | undefined; readonly during: GameInfo | undefined }
  | undefined;

function presentUnknown(): typeof unknown {
  return unknown?.during === store.game.value ? unknown : undefined;
}

// ---- links ----

/** Opens the first game: what the address says, what was played last, or WALLOP. */
export async function begin(remembered: Remembered | undefined): Promise<void> {
  const link = readHash(location.hash);
  const last = link === undefined ? remembered?.last : undefined;
  const kept = remembered?.kept.find(({ key }) => key === last?.key);
  const setup = link === undefined ? last?.setup : needsRom(link) ? undefined : link.setup;
  try {
    await open(kept?.cartridge ?? store.WALLOP, setup ?? DEFAULT_SETUP);
  } catch (error) {
    if (setup === undefined) return fail("The game could not be started.", textOf(error));
    await open(store.WALLOP, DEFAULT_SETUP).catch(() => undefined);
    fail("The setup cannot be used.", textOf(error));
    settleAddress();
  }
  if (link !== undefined) await (needsRom(link) ? findRom(link) : tellRefused(link));
}

/** Names the fields of a link that make no sense, unless another message stands. */
function tellRefused(link: Linked): void {
  const refusal = refusalOf(link);
  if (refusal !== "" && store.message.value === undefined) fail("A part of the link is left out.", refusal);
}

/** A sentence about the fields of a link that make no sense. */
function refusalOf({ refused }: Linked): string {
  if (refused.length === 0) return "";
  const rom = refused.some((field) => field.startsWith("rom="))
    ? " A ROM is named by its MD5, 32 of the digits 0 to 9 and a to f. WALLOP plays in its place."
    : "";
  return `The page cannot use ${refused.join(", ")}.${rom}`;
}

/** Opens what the address says when it changes. */
export function followLinks(): void {
  window.addEventListener("hashchange", () => {
    const link = readHash(location.hash);
    if (link !== undefined) void (needsRom(link) ? findRom(link) : openLinkedWallop(link));
  });
}

async function openLinkedWallop(link: Linked): Promise<void> {
  await agreement("the link");
  await open(store.WALLOP, link.setup).catch((error) => fail("The link cannot be used.", textOf(error)));
  tellRefused(link);
  settleAddress();
}

function needsRom({ md5 }: Linked): boolean {
  return md5 !== undefined && md5 !== store.WALLOP_MD5;
}

/** Opens the ROM of a link if it is remembered, or asks for it. */
async function findRom(link: Linked): Promise<void> {
  const kept = store.remember.value ? await turn()(cartridges).catch(() => undefined) : undefined;
  const found = kept?.find(({ key }) => key === store.keyOf(link.md5, undefined));
  if (found !== undefined) {
    await openCartridge(found.cartridge, link);
    return tellRefused(link);
  }
  askForRom(`This link is for ${link.title ?? "a game"}.`, link.md5, { link });
}

function askForRom(headline: string, md5: string | undefined, what: Waiting): void {
  const detail = `Open its ROM, whose MD5 is ${md5}. It stays on your machine.`;
  ask({ kind: "note", headline, detail: `${detail} ${what.link ? refusalOf(what.link) : ""}`.trim() }, what);
}

function ask(message: Pick<store.Message, "kind" | "headline" | "detail">, what: Waiting): void {
  const asked: store.Message = {
    ...message,
    actions: [{ label: "Open ROM…", act: () => element("rom-file", HTMLInputElement).click() }],
    dismissed: settleAddress,
  };
  waiting = { ...what, message: asked };
  store.message.value = asked;
}

/** Takes what waits for a ROM; undefined if its message no longer stands. */
function take(): Waiting | undefined {
  const taken = waiting;
  waiting = undefined;
  return taken?.message === store.message.value ? taken : undefined;
}

/** Refuses a file, and asks again for what waits. */
function refuseRom(name: string, reason: string, what: Waiting | undefined): void {
  refuse(name, reason);
  const { value: message } = store.message;
  if (message !== undefined && what !== undefined) ask(message, what);
}

// ---- files ----

/** Opens a file: a cartridge, a description, or a replay. */
export async function openFile(file: File): Promise<void> {
  if (/\.toml$/i.test(file.name)) return openDescription(file);
  if (/\.json$/i.test(file.name)) return openReplay(file);
  const wanted = take();
  const written = WRITTEN[file.name.toLowerCase().split(".").at(-1) ?? ""];
  if (written !== undefined) return refuseRom(file.name, `${written}. ${OPENED}.`, wanted);
  if (file.size > LARGEST_FILE) {
    const size = file.size.toLocaleString("en");
    return refuseRom(file.name, `It has ${size} bytes, and no Atari 2600 cartridge is that large.`, wanted);
  }
  const cartridge = { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
  if (wanted?.play !== undefined) wanted.play(cartridge.bytes);
  else await openCartridge(cartridge, wanted?.link);
}

/** Plays a replay, or asks for its ROM if that is not at hand. */
async function openReplay(file: File): Promise<void> {
  try {
    const { readReplay, showReplay } = await import("../replay/dialog.js");
    const replay = await readReplay(file);
    if (replay === undefined) return refuse(file.name, `It is a list of games. ${OPENED}.`);
    const { md5 } = replay;
    const rom = md5 === store.game.value?.md5 ? store.cartridge.value : store.WALLOP;
    if (md5 === store.game.value?.md5 || md5 === store.WALLOP_MD5) return showReplay(file.name, replay, rom.bytes);
    askForRom(`${file.name} is a replay of a game that is not open.`, md5, {
      play(bytes) {
        store.message.value = undefined;
        showReplay(file.name, replay, bytes);
      },
    });
  } catch (error) {
    refuse(file.name, textOf(error));
  }
}

/** Opens a cartridge, for a link if one asks for it. A run that it would end is not ended before the person has agreed. */
export async function openCartridge(cartridge: Cartridge, link?: Linked): Promise<void> {
  await agreement(cartridge.name);
  await insert(cartridge, link);
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
      detail: `${store.curve.value.points.length > 0 ? "Its curve stays for comparison. " : ""}Save keeps what it learned as a file.`,
      actions: [
        {
          label: "Open it",
          act: () => {
            close();
            agreed();
          },
        },
        {
          label: "Go on training",
          act: () => {
            close();
            settleAddress();
          },
        },
      ],
      dismissed: settleAddress,
    };
  });
}

async function insert(cartridge: Cartridge, link: Linked | undefined): Promise<void> {
  try {
    await openFor(link, cartridge);
    opened(link);
  } catch (error) {
    if (!(error instanceof Gym2600Error) || error.code !== "unknown-rom") {
      return refuseRom(cartridge.name, textOf(error), link && { link });
    }
    const during = store.game.value;
    unknown = { cartridge, link, during };
    store.message.value = {
      kind: "note",
      headline: `${cartridge.name} is not in the catalogue.`,
      detail: sentence(error.message),
      actions: [
        { label: "Play without scores", act: () => void playWithoutScores() },
        { label: "Describe it", act: () => showDescription() },
      ],
      dismissed() {
        unknown = { cartridge, during };
        settleAddress();
      },
    };
  }
}

/** Opens a cartridge with the settings of the link that asks for one. Another game than the link's may not have its mode. */
async function openFor(link: Linked | undefined, cartridge: Cartridge): Promise<void> {
  if (link === undefined) {
    // The shipped policies are for WALLOP as the page begins with it.
    const { environment } = cartridge === store.WALLOP ? DEFAULT_SETUP : store.setup.value;
    return open(cartridge, { ...withoutMode(link), environment });
  }
  try {
    await open(cartridge, link.setup);
  } catch (error) {
    if (link.setup.mode === undefined && link.setup.difficulty === undefined) throw error;
    await open(cartridge, withoutMode(link));
  }
}

/** The setup of the link that asks for a ROM, or the present one, for another game, which has other modes. */
function withoutMode(link: Linked | undefined): Setup {
  return { ...(link?.setup ?? store.setup.value), mode: undefined, difficulty: undefined };
}

/** A cartridge has been opened. Asks again if it is not the link's. */
function opened(link: Linked | undefined): void {
  unknown = undefined;
  const { md5, title } = store.game.value ?? {};
  if (link === undefined || md5 === link.md5) {
    settleAddress();
    return;
  }
  const headline = `This is ${title}, not ${link.title ?? "the game of the link"}.`;
  const detail = `It is played with the link's settings. The link's ROM has the MD5 ${link.md5}.`;
  ask({ kind: "error", headline, detail }, { link });
}

// ---- unknown cartridges ----

async function playWithoutScores(): Promise<void> {
  const wanted = presentUnknown();
  if (wanted === undefined) return;
  const { cartridge, link } = wanted;
  await agreement(cartridge.name);
  const title = cartridge.name.replace(/\.\w+$/, "");
  try {
    await open({ ...cartridge, definition: { ...WITHOUT_SCORES, title } }, withoutMode(link));
    opened(link);
    setPlayer("you");
  } catch (error) {
    refuse(cartridge.name, textOf(error));
  }
}

/** Plays the unknown cartridge, or the open one, by a description. @throws Gym2600Error */
export async function openDescribed(definition: GameDefinition): Promise<void> {
  const { cartridge, link } = presentUnknown() ?? { cartridge: store.cartridge.value, link: undefined };
  const { name, bytes } = cartridge;
  await agreement(`${name} by this description`);
  await open({ name, bytes, definition }, withoutMode(link));
  opened(link);
}
