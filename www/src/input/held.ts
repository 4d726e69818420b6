/** What the person holds, from all devices together: keys, pad, gamepad. */

import { effect } from "@preact/signals-core";
import { show } from "../app/show.js";
import * as store from "../state/store.js";

const devices = new Map<string, readonly string[]>();
let sent = "";

/** The console's own buttons and switches. They act when a person plays and when an agent does. */
const CONSOLE = ["SELECT", "RESET"];

/** Says what a device holds now: UP, DOWN, LEFT, RIGHT, FIRE, SELECT, RESET. */
export function hold(device: string, parts: readonly string[]): void {
  devices.set(device, parts);
  send();
}

function send(): void {
  const plays = store.player.value === "you";
  const held = [...new Set([...devices.values()].flat())].filter((part) => plays || CONSOLE.includes(part));
  const text = held.join(" ");
  if (text === sent) return;
  sent = text;
  show.input(held);
}

/** Sends what is held when the player changes. */
export function mountHeld(): void {
  effect(send);
}
