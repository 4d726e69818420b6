/** Gamepads. The browser has no events for their buttons, so they are read while one is connected and a person plays. */

import { effect, signal } from "@preact/signals-core";
import { pausePerson } from "../app/game.js";
import * as store from "../state/store.js";
import { hold } from "./held.js";
import { partsOf } from "./pad.js";

const EVERY_MS = 16;

/** Buttons of the standard mapping's cross, in their order. */
const CROSS = ["UP", "DOWN", "LEFT", "RIGHT"];
const FIRST_OF_CROSS = 12;
const FIRE_BUTTONS = 4;

/** The console's buttons: the two in the middle of the pad. */
const CONSOLE: readonly (readonly [button: number, part: string])[] = [
  [8, "SELECT"],
  [9, "RESET"],
];

export function mountGamepad(): void {
  const connected = signal(0);
  window.addEventListener("gamepadconnected", () => {
    connected.value += 1;
    store.announcement.value = "A gamepad is connected";
  });
  window.addEventListener("gamepaddisconnected", () => {
    connected.value = Math.max(0, connected.value - 1);
    pausePerson();
  });
  let timer: ReturnType<typeof setInterval> | undefined;
  effect(() => {
    clearInterval(timer);
    hold("gamepad", []);
    if (connected.value > 0 && store.player.value === "you")
      timer = setInterval(() => hold("gamepad", read()), EVERY_MS);
  });
}

function read(): string[] {
  return navigator.getGamepads().flatMap((pad) => {
    if (pad === null) return [];
    const [x = 0, y = 0] = pad.axes;
    const cross = CROSS.filter((_, at) => pad.buttons[FIRST_OF_CROSS + at]?.pressed);
    const fire = pad.buttons.slice(0, FIRE_BUTTONS).some(({ pressed }) => pressed) ? ["FIRE"] : [];
    const console = CONSOLE.filter(([button]) => pad.buttons[button]?.pressed).map(([, part]) => part);
    return [...partsOf(x, y), ...cross, ...fire, ...console];
  });
}
