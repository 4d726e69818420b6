/** Errors as messages to the person. */

import * as store from "../state/store.js";
import { sentence } from "../text.js";

export function fail(headline: string, detail: string): void {
  store.message.value = { kind: "error", headline, detail: sentence(detail), actions: [] };
}

/** A file cannot be played; what was open goes on. */
export function refuse(name: string, reason: string): void {
  const playing = store.game.value?.title;
  const unpack = /\.(zip|7z|gz)$/i.test(name) ? " This looks like an archive: unpack it first." : "";
  const goesOn = playing === undefined ? "" : ` ${playing} goes on.`;
  fail(`${name} cannot be played.`, `${sentence(reason)}${unpack}${goesOn}`);
}

/** The answer to a message that a game has no score: opens the drawer that finds it. */
export function findScore(): void {
  store.message.value = undefined;
  store.drawer.value = "find";
}
