/** The sound's button and volume. The button says why nothing is heard. */

import { effect } from "@preact/signals-core";
import { fail } from "../app/messages.js";
import { followSuspensions, held, setVolume, startSound, stopSound } from "../sound/sound.js";
import * as store from "../state/store.js";
import { textOf } from "../text.js";
import { button, element, setText } from "./dom.js";

export function mountSound(): void {
  followSuspensions();
  const toggle = button("sound", () => {
    store.soundOn.value = !store.soundOn.value;
    if (store.soundOn.value) void start();
    else stopSound();
  });
  const volume = element("volume", HTMLInputElement);
  volume.addEventListener("input", () => {
    store.volume.value = volume.valueAsNumber / 100;
    setVolume(store.volume.value);
  });
  effect(() => {
    volume.value = String(store.volume.value * 100);
  });
  effect(() => {
    toggle.setAttribute("aria-pressed", String(store.soundOn.value));
    volume.hidden = !store.soundOn.value;
    const silence = silentBecause();
    const text = !store.soundOn.value ? "Sound off" : silence === undefined ? "Sound on" : `Silent: ${silence}`;
    setText(toggle, text);
    toggle.title = text;
  });
  // A game of another television has another rate.
  let tv = store.game.value?.tv;
  effect(() => {
    const next = store.game.value?.tv;
    if (next !== tv && store.soundOn.peek()) void start();
    tv = next;
  });
}

/** Why nothing is heard although the sound is on. */
function silentBecause(): string | undefined {
  if (!store.running.value) return "paused";
  if (store.speed.value !== "real-time") return "not real time";
  if (store.volume.value === 0) return "volume 0";
  if (held.value) return "held by the system";
  return undefined;
}

async function start(): Promise<void> {
  try {
    await startSound(store.game.value?.tv ?? "NTSC", store.volume.value);
  } catch (error) {
    store.soundOn.value = false;
    fail("There is no sound.", textOf(error));
  }
}
