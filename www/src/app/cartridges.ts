/** How games come in: from the address, as cartridges, and by descriptions of unknown ones. */

import { type GameDefinition, Gym2600Error } from "gym2600";
import { cartridges, type Remembered, turn } from "../data/memory.js";
import { refusalOfRom } from "../preset-list/ask.js";
import type { GameInfo } from "../show/protocol.js";
import type { Player } from "../show/types.js";
import { type Linked, quoted, readHash } from "../state/link.js";
import { type Cartridge, DEFAULT_SETUP, type Setup } from "../state/setup.js";
import * as store from "../state/store.js";
import { sentence, textOf } from "../text.js";
import { showDescription } from "../ui/definition-form.js";
import { element } from "../ui/dom.js";
import { settleAddress } from "./address.js";
import { open, setPlayer, usePolicy } from "./game.js";
import { fail, findScore, refuse } from "./messages.js";

/** A definition of any game: it has no score and never ends, and all lines that it draws are shown. */
const WITHOUT_SCORES: GameDefinition = { rom: "unknown", title: "Unknown game", picture: { whole: true } };

/** What waits for a ROM, as long as the message that asks for it stands: a link, or a replay. */
export interface Waiting {
  readonly link?: Linked;
  play?(cartridge: Cartridge): void;
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
    const cartridge = setup === link?.setup ? await describedBy(link, store.WALLOP) : store.WALLOP;
    await open(kept?.cartridge ?? cartridge, setup ?? DEFAULT_SETUP);
  } catch (error) {
    if (setup === undefined) return fail("The game could not be started.", textOf(error));
    await open(store.WALLOP, DEFAULT_SETUP).catch(() => undefined);
    fail("The setup cannot be used.", textOf(error));
    settleAddress();
  }
  if (link === undefined) return;
  if (needsRom(link)) return findRom(link);
  look(link);
  tellRefused(link);
}

/** Shows the policy, the saliency and the panel of a link. */
function look({ view: { policy, saliency, panel } }: Linked): void {
  if (saliency) store.saliency.value = true;
  if (panel !== undefined) store.drawer.value = panel;
  if (policy !== undefined && store.unfitForShipped() === undefined) void usePolicy(policy);
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
  return `The page cannot use ${refused.map(quoted).join(", ")}.${rom}`;
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
  await describedBy(link, store.WALLOP)
    .then((cartridge) => open(cartridge, link.setup))
    .then(
      () => look(link),
      (error) => fail("The link cannot be used.", textOf(error)),
    );
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
  const called = link.title === undefined ? "" : ` that it calls ${quoted(link.title)}`;
  askForRom(`This link is for a game${called}.`, link.md5, { link });
}

/** Asks for a ROM, for what waits for it. */
export function askForRom(headline: string, md5: string | undefined, what: Waiting): void {
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
export function take(): Waiting | undefined {
  const taken = waiting;
  waiting = undefined;
  return taken?.message === store.message.value ? taken : undefined;
}

/** Refuses a file, and asks again for what waits. */
export function refuseRom(name: string, reason: string, what: Waiting | undefined): void {
  refuse(name, reason);
  const { value: message } = store.message;
  if (message !== undefined && what !== undefined) ask(message, what);
}

// ---- cartridges ----

/** Opens a cartridge, for a link if one asks for it. A run that it would end is not ended before the person has agreed. */
export async function openCartridge(cartridge: Cartridge, link?: Linked): Promise<void> {
  if (store.trains.value && cartridge.definition === undefined && link?.description === undefined) {
    // What cannot be played at once ends no training.
    const { refusal, code } = (await refusalOfRom(cartridge.bytes)) ?? {};
    if (code === "unknown-rom") return askUnknown(cartridge, link, refusal ?? "");
    if (refusal !== undefined) return refuseRom(cartridge.name, refusal, link && { link });
  }
  await agreement(cartridge.name);
  await insert(cartridge, link);
}

/** Resolves when the person agrees to end the run, or at once without one. Never resolves if the person goes on training. */
export function agreement(what: string): Promise<void> {
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
    askUnknown(cartridge, link, error.message);
  }
}

/** Asks how a cartridge is to be played that the catalogue does not have. */
function askUnknown(cartridge: Cartridge, link: Linked | undefined, reason: string): void {
  const during = store.game.value;
  unknown = { cartridge, link, during };
  store.message.value = {
    kind: "note",
    headline: `${cartridge.name} is not in the catalogue.`,
    detail: sentence(reason),
    actions: [
      { label: "Play without scores", act: () => void playWithoutScores("you") },
      { label: "Find the score", act: findScore },
      { label: "Describe it", act: () => showDescription() },
    ],
    dismissed() {
      unknown = { cartridge, during };
      settleAddress();
    },
  };
}

/** A cartridge with the description of the link that asks for it, if there is one. @throws Gym2600Error */
async function describedBy(link: Linked | undefined, cartridge: Cartridge): Promise<Cartridge> {
  const text = link?.description;
  if (text === undefined || cartridge.definition !== undefined) return cartridge;
  const { parseDefinition } = await import("gym2600/toml");
  return { ...cartridge, definition: parseDefinition(text, "the link's description"), text };
}

/** Opens a cartridge with the settings of the link that asks for one. Another game than the link's may not have its mode. */
async function openFor(link: Linked | undefined, given: Cartridge): Promise<void> {
  const cartridge = await describedBy(link, given);
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
    if (link !== undefined) look(link);
    settleAddress();
    return;
  }
  const headline = `This is ${title}, not ${link.title === undefined ? "the game of the link" : quoted(link.title)}.`;
  const detail = `It is played with the link's settings. The link's ROM has the MD5 ${link.md5}.`;
  ask({ kind: "error", headline, detail }, { link });
}

// ---- unknown cartridges ----

/** Plays the unknown cartridge, if one waits for an answer, by chance and without scores. */
export async function playUnknown(): Promise<void> {
  if (presentUnknown() !== undefined) await playWithoutScores("random");
}

async function playWithoutScores(player: Player): Promise<void> {
  const wanted = presentUnknown();
  if (wanted === undefined) return;
  const { cartridge, link } = wanted;
  await agreement(cartridge.name);
  const title = cartridge.name.replace(/\.\w+$/, "");
  try {
    const definition = { ...WITHOUT_SCORES, title };
    const text = `rom = ${JSON.stringify(definition.rom)}\ntitle = ${JSON.stringify(title)}\n\n[picture]\nwhole = true\n`;
    await open({ ...cartridge, definition, text }, withoutMode(link));
    opened(link);
    setPlayer(player);
  } catch (error) {
    refuse(cartridge.name, textOf(error));
  }
}

/** Plays the unknown cartridge, or the open one, by a description. @throws Gym2600Error */
export async function openDescribed(definition: GameDefinition, text: string): Promise<void> {
  const { cartridge, link } = presentUnknown() ?? { cartridge: store.cartridge.value, link: undefined };
  const { name, bytes } = cartridge;
  await agreement(`${name} by this description`);
  await open({ name, bytes, definition, text }, withoutMode(link));
  opened(link);
}
