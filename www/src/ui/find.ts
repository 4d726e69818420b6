/**
 * The drawer "Find the score": looks in the console's memory for what the person sees, and makes an environment of what is found. Its script
 * is loaded when it is first opened.
 */

import { computed, effect, signal } from "@preact/signals-core";
import { type Candidate, type GameDefinition, RamSearch, type Seen } from "gym2600";
import { parseDefinition, writeDefinition } from "gym2600/toml";
import { download } from "../data/download.js";
import { defined } from "../define/ask.js";
import * as store from "../state/store.js";
import { sentence, textOf } from "../text.js";
import { bindRadios, button, element, h, setText } from "./dom.js";

/** What can be looked for. */
const THINGS = ["score", "lives", "over", "x", "y"] as const;
type Thing = (typeof THINGS)[number];

const NAMES: Readonly<Record<Thing, string>> = {
  score: "Score",
  lives: "Lives",
  over: "Game over",
  x: "X of a thing",
  y: "Y of a thing",
};

/** Whether it is a place of a thing, which is no number on the screen. */
const isPlace = (one: Thing): boolean => one === "x" || one === "y";

/** The most candidates that are shown. */
const SHOWN = 5;

const thing = signal<Thing>("score");
/** Counts the looks of all searches, whose candidates are read again then. */
const looked = signal(0);
const found = signal<Partial<Record<Thing, Candidate["expression"]>>>({});
/** The description of the environment that was made here, as long as it is open. */
const made = signal<string | undefined>(undefined);
const searches = new Map<Thing, RamSearch>();

/** The memory of the moment that is shown, once the picture stands still. */
const held = computed(() => (store.still.value ? store.record.value?.ram : undefined));

/** What the page does for the drawer. This script does not import it: the page's own has to come first. */
export interface PageActions {
  openDescribed(definition: GameDefinition, text: string): Promise<void>;
  setPlayer(player: "random" | "you"): void;
}

export async function mountFind({ openDescribed, setPlayer }: PageActions): Promise<void> {
  for (const one of THINGS) searches.set(one, await RamSearch.create());
  bindRadios(
    "find-what",
    () => thing.value,
    (value) => {
      thing.value = value;
    },
  );
  mountPlaying(setPlayer);
  mountLooks();
  mountCandidates();
  mountFound(openDescribed);
  forgetWithTheGame();
  element("find-controls", HTMLFieldSetElement).disabled = false;
}

function search(): RamSearch {
  const one = searches.get(thing.value);
  if (one === undefined) throw new Error("the searches have been made");
  return one;
}

/** A search is of one ROM: another one begins anew. */
function forgetWithTheGame(): void {
  let md5 = store.game.peek()?.md5;
  effect(() => {
    const now = store.game.value?.md5;
    if (now === md5) return;
    md5 = now;
    for (const one of searches.values()) while (one.undo());
    found.value = {};
    made.value = undefined;
    looked.value += 1;
  });
}

/** Who plays on between two looks. */
function mountPlaying(setPlayer: PageActions["setPlayer"]): void {
  const plays = (player: "random" | "you"): void => {
    // On a small screen the sheet would cover the pad.
    if (player === "you" && matchMedia("(max-width: 999px)").matches) store.drawer.value = undefined;
    setPlayer(player);
    store.running.value = true;
  };
  const chance = button("find-chance", () => plays("random"));
  const play = button("find-play", () => plays("you"));
  const hold = button("find-hold", () => {
    store.running.value = false;
  });
  effect(() => {
    const running = store.running.value;
    [chance.hidden, play.hidden, hold.hidden] = [running, running, !running];
  });
}

function mountLooks(): void {
  const digits = element("find-digits", HTMLInputElement);
  const look = (seen: Seen | "mark"): void => {
    const ram = held.peek();
    if (ram === undefined) return;
    try {
      if (seen === "mark") search().mark(ram);
      else search().look(ram, seen);
      digits.value = "";
      looked.value += 1;
    } catch (error) {
      say(sentence(textOf(error)));
    }
  };
  const lookAtNumber = (): void => look({ number: digits.value });
  const buttons = [button("find-look", lookAtNumber)];
  digits.addEventListener("keydown", ({ key }) => {
    if (key === "Enter") lookAtNumber();
  });
  const states: Readonly<Record<string, Seen>> = { on: { state: true }, off: { state: false } };
  for (const one of document.querySelectorAll<HTMLButtonElement>("#find [data-seen]")) {
    const { seen = "" } = one.dataset;
    one.addEventListener("click", () => look(states[seen] ?? (seen as Seen | "mark")));
    buttons.push(one);
  }
  button("find-undo", () => {
    search().undo();
    looked.value += 1;
  });
  mountKeys(digits);
  effect(() => {
    for (const one of buttons) one.disabled = held.value === undefined;
  });
  effect(() => {
    const state = thing.value === "over";
    element("find-number", HTMLElement).hidden = state || isPlace(thing.value);
    element("find-change", HTMLElement).hidden = state;
    element("find-state", HTMLElement).hidden = !state;
    setText(element("find-label", HTMLElement), `${NAMES[thing.value]} on the screen now`);
    digits.value = "";
  });
}

/** Keys for a number without a keyboard. */
function mountKeys(digits: HTMLInputElement): void {
  const keys = [..."1234567890"].map((digit) => {
    const key = h("button", { type: "button" }, digit);
    key.addEventListener("click", () => {
      if (digits.value.length < digits.maxLength) digits.value += digit;
    });
    return key;
  });
  const back = h("button", { type: "button", "aria-label": "Delete a digit" }, "⌫");
  back.addEventListener("click", () => {
    digits.value = digits.value.slice(0, -1);
  });
  element("find-keys", HTMLElement).replaceChildren(...keys, back);
}

function say(text: string): void {
  setText(element("find-status", HTMLElement), text);
}

function mountCandidates(): void {
  const list = element("find-candidates", HTMLOListElement);
  const undo = element("find-undo", HTMLButtonElement);
  let values: HTMLElement[] = [];
  effect(() => {
    looked.value;
    const looks = search().looks;
    undo.hidden = looks === 0;
    const candidates = looks === 0 ? [] : search().candidates({ limit: SHOWN });
    values = candidates.map(() => h("span", { class: "note" }));
    list.replaceChildren(...candidates.map(({ expression }, place) => row(expression, values[place])));
  });
  effect(() => say(status()));
  // The values move with the game.
  effect(() => {
    looked.value;
    const ram = store.record.value?.ram;
    if (ram === undefined || search().looks === 0) return;
    for (const [place, { value }] of search().candidates({ limit: SHOWN, ram }).entries()) {
      const target = values[place];
      if (target !== undefined) setText(target, valueText(value));
    }
  });
}

const valueText = (value: number | undefined): string =>
  value === undefined ? "no number" : thing.value === "over" ? (value === 1 ? "yes" : "no") : String(value);

function row(expression: string, value: HTMLElement = h("span")): HTMLElement {
  const use = h("button", { type: "button", class: "small", "aria-label": `Use ${expression}` }, "Use");
  use.addEventListener("click", () => {
    found.value = { ...found.value, [thing.value]: expression };
  });
  return h("li", {}, h("code", {}, expression), value, use);
}

function firstStep(): string {
  if (isPlace(thing.value)) return "Mark this moment. When the thing has moved, say whether its place rose or fell.";
  if (thing.value === "over") return "Say whether the game is over, at several moments.";
  return `Type the ${thing.value} that the picture shows, and press Look.`;
}

function status(): string {
  looked.value;
  const { looks, size } = search();
  if (store.running.value)
    return looks === 0 ? "Hold the picture first." : "Play until it is another one, then hold the picture.";
  if (looks === 0) return firstStep();
  if (size === 0) return "No place agrees with all looks. Take the last look back, or look again at another number.";
  const agree = size === 1 ? "One place agrees" : `${size.toLocaleString("en")} places agree`;
  return `${agree} after ${looks === 1 ? "one look" : `${looks} looks`}.${size === 1 ? " Use it, or look again to be sure." : " Play on and look again."}`;
}

/** What is found, and the environment that is made of it. */
function mountFound(openDescribed: PageActions["openDescribed"]): void {
  const list = element("find-found", HTMLElement);
  effect(() => {
    const entries = THINGS.flatMap((one) => {
      const expression = found.value[one];
      const nothing = one === "over" && found.value.lives !== undefined ? "when no lives are left" : "not yet";
      const term = h("dt", {}, NAMES[one]);
      if (expression === undefined) return [h("div", {}, term, h("dd", { class: "note" }, nothing))];
      const drop = h("button", { type: "button", class: "quiet small", "aria-label": `Drop ${NAMES[one]}` }, "×");
      drop.addEventListener("click", () => {
        found.value = { ...found.value, [one]: undefined };
      });
      return [h("div", {}, term, h("dd", {}, h("code", {}, expression), drop))];
    });
    list.replaceChildren(...entries);
  });
  const make = button("find-make", () => void makeEnvironment(openDescribed));
  effect(() => {
    make.disabled = found.value.score === undefined;
  });
  button("find-save", () => download(`${store.romName()}.toml`, made.value ?? "", "application/toml"));
  button("find-link", () => element("share-button", HTMLButtonElement).click());
  effect(() => {
    element("find-share", HTMLElement).hidden = made.value === undefined || store.cartridge.value.text !== made.value;
  });
}

async function makeEnvironment(openDescribed: PageActions["openDescribed"]): Promise<void> {
  const result = element("find-result", HTMLElement);
  setText(result, "Trying which inputs matter…");
  const { name, bytes } = store.cartridge.value;
  const title = name.replace(/\.\w+$/, "").slice(0, 60);
  const { score, lives, over, x, y } = found.value;
  const cells = { ...(x && { x }), ...(y && { y }) };
  try {
    const definition: GameDefinition = await defined({ rom: bytes, name: title, title, score, lives, over, cells });
    const text = writeDefinition(definition);
    await openDescribed(parseDefinition(text), text);
    made.value = text;
    const actions = store.game.value?.actions ?? [];
    const end = lives === undefined && over === undefined ? " It never ends: look for lives or the end too." : "";
    setText(result, `The environment runs, with ${actions.length} actions: ${actions.join(", ")}.${end}`);
  } catch (error) {
    setText(result, `The environment cannot be made: ${sentence(textOf(error))}`);
  }
}
