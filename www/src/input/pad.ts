/** The touch pad: a stick to drag, FIRE, and rewind while held. The console's switches below it are those of `ui/switches.ts`. */

import { effect } from "@preact/signals-core";
import { show } from "../app/show.js";
import * as store from "../state/store.js";
import { element } from "../ui/dom.js";
import { hold } from "./held.js";

/** Part of the stick's radius within which it is in the middle. */
const DEAD = 0.3;

/** How far along an axis a diagonal counts for it. */
const DIAGONAL = 0.38;

export function mountPad(): void {
  const pad = element("pad", HTMLElement);
  const touch = matchMedia("(pointer: coarse)");
  const showPad = (): void => {
    pad.hidden = !(touch.matches && store.player.value === "you");
  };
  effect(showPad);
  touch.addEventListener("change", showPad);
  mountStick(element("stick", HTMLElement));
  const fire = element("fire", HTMLButtonElement);
  whileHeld(fire, (held) => hold("pad-fire", held ? ["FIRE"] : []));
  whileHeld(element("rewind", HTMLButtonElement), (held) => show.rewind(held));
}

function mountStick(stick: HTMLElement): void {
  const knob = stick.querySelector<HTMLElement>(".knob");
  const move = (x: number, y: number): void => {
    knob?.style.setProperty("--x", String(x));
    knob?.style.setProperty("--y", String(y));
    hold("pad-stick", partsOf(x, y));
  };
  const follow = (event: PointerEvent): void => {
    const { left, top, width, height } = stick.getBoundingClientRect();
    const clamp = (value: number): number => Math.max(-1, Math.min(1, value));
    move(clamp(((event.clientX - left) / width) * 2 - 1), clamp(((event.clientY - top) / height) * 2 - 1));
  };
  stick.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    stick.setPointerCapture(event.pointerId);
    follow(event);
  });
  stick.addEventListener("pointermove", (event) => {
    if (stick.hasPointerCapture(event.pointerId)) follow(event);
  });
  for (const end of ["pointerup", "pointercancel"] as const) stick.addEventListener(end, () => move(0, 0));
}

/** The joystick's parts for a place of the stick, -1 to 1 in both directions. */
export function partsOf(x: number, y: number): string[] {
  if (Math.hypot(x, y) < DEAD) return [];
  const parts: string[] = [];
  const length = Math.hypot(x, y);
  if (Math.abs(y) / length > DIAGONAL) parts.push(y < 0 ? "UP" : "DOWN");
  if (Math.abs(x) / length > DIAGONAL) parts.push(x < 0 ? "LEFT" : "RIGHT");
  return parts;
}

/** Calls `act` when the button is pressed and when it is released, by pointer or key. */
export function whileHeld(button: HTMLButtonElement, act: (held: boolean) => void): void {
  button.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    button.setPointerCapture(event.pointerId);
    act(true);
  });
  for (const end of ["pointerup", "pointercancel"] as const) button.addEventListener(end, () => act(false));
  button.addEventListener("keydown", ({ key }) => {
    if (key === " " || key === "Enter") act(true);
  });
  button.addEventListener("keyup", () => act(false));
  // The release of a key goes to what has the focus then.
  button.addEventListener("blur", () => act(false));
}
