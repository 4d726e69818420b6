/** The keyboard as a joystick, and letters as shortcuts. */

import { DEFAULT_KEYS } from "gym2600";
import { newGame, pauseOrGoOn, pausePerson, setPlayer, takeOver, takeStep } from "../app/game.js";
import { show } from "../app/show.js";
import * as store from "../state/store.js";
import { element } from "../ui/dom.js";
import { flip } from "../ui/switches.js";
import { hold } from "./held.js";

/** The console's buttons. */
const CONSOLE_KEYS: Readonly<Record<string, string>> = { Digit1: "SELECT", Digit2: "RESET" };

/** Keys count while the focus is on the picture or on no control. On a button, space presses that button. */
export function mountKeyboard(): void {
  const television = element("television", HTMLElement);
  const shortcuts = element("shortcuts", HTMLInputElement);
  const held = new Set<string>();
  const send = (): void =>
    hold(
      "keyboard",
      [...held].map((code) => DEFAULT_KEYS[code] ?? CONSOLE_KEYS[code] ?? ""),
    );
  const plays = ({ target, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean =>
    !(ctrlKey || altKey || metaKey) && (target === television || target === document.body);
  document.addEventListener("keydown", (event) => {
    const steers = store.player.value === "you" && Object.hasOwn(DEFAULT_KEYS, event.code);
    if (!(steers || (shortcuts.checked && Object.hasOwn(CONSOLE_KEYS, event.code))) || !plays(event)) return;
    event.preventDefault();
    held.add(event.code);
    send();
  });
  // Before the drawers hear of the key: what is open beside the picture closes first.
  const handOver = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || store.player.value !== "you" || !plays(event)) return;
    if (store.drawer.value !== undefined || document.querySelector("dialog[open], :popover-open") !== null) return;
    setPlayer("agent");
  };
  document.addEventListener("keydown", handOver, { capture: true });
  document.addEventListener("keyup", ({ code }) => {
    if (held.delete(code)) send();
  });
  window.addEventListener("blur", () => {
    held.clear();
    send();
    // The release of the key goes to another window.
    show.rewind(false);
  });
  // A person in another tab does not lose the game.
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") pausePerson();
  });
  mountShortcuts(shortcuts);
}

function mountShortcuts(enabled: HTMLInputElement): void {
  const letters: Readonly<Record<string, () => void>> = {
    k: takeOver,
    p: pauseOrGoOn,
    n: takeStep,
    r: newGame,
    z: () => show.rewind(true),
    3: () => flip("leftDifficulty"),
    4: () => flip("rightDifficulty"),
    5: () => flip("blackAndWhite"),
  };
  document.addEventListener("keydown", (event) => {
    const { ctrlKey, altKey, metaKey, defaultPrevented, repeat, target } = event;
    if (ctrlKey || altKey || metaKey || defaultPrevented || repeat || !enabled.checked || takesLetters(target)) return;
    const act = letters[event.key.toLowerCase()];
    if (act === undefined || document.querySelector("dialog[open]") !== null) return;
    event.preventDefault();
    act();
  });
  document.addEventListener("keyup", (event) => {
    if (event.key.toLowerCase() === "z") show.rewind(false);
  });
}

function takesLetters(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !["radio", "checkbox", "range"].includes(target.type);
  return target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
}
