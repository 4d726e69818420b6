/** The console's sound: goes from the show worker to the browser's thread for sound, past the page's. */

import { signal } from "@preact/signals-core";
import { show } from "../app/show.js";
import worklet from "./worklet.ts?worker&url";

/** Samples of a frame. */
const SAMPLES_PER_FRAME = 512;

interface Playing {
  readonly context: AudioContext;
  readonly gain: GainNode;
}

let playing: Promise<Playing> | undefined;

/** Whether the system holds the sound, as during a call or behind a lock screen. */
export const held = signal(false);

/**
 * Goes on after the system has suspended the sound. The browser says when the suspension ends, or allows it only to a gesture or to a
 * tab that is seen again, so all of them are tried.
 */
function goOn(): void {
  void playing?.then(
    ({ context }) => context.resume().catch(() => undefined),
    () => undefined,
  );
}

/** Makes the sound go on after suspensions. */
export function followSuspensions(): void {
  for (const type of ["pointerdown", "keydown"]) addEventListener(type, goOn, { capture: true, passive: true });
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) goOn();
  });
}

/** Starts the sound of a console. Browsers allow it only after a click. */
export async function startSound(tv: "NTSC" | "PAL", volume: number): Promise<void> {
  stopSound();
  playing = start(tv);
  setVolume(volume);
  await playing;
}

async function start(tv: "NTSC" | "PAL"): Promise<Playing> {
  // The context has the console's rate; the browser resamples the whole.
  const context = new AudioContext({ sampleRate: SAMPLES_PER_FRAME * (tv === "PAL" ? 50 : 60) });
  // Before the first wait, so that a suspension while the sound starts is seen.
  context.addEventListener("statechange", () => {
    // Safari has the state "interrupted", too.
    held.value = context.state !== "running" && context.state !== "closed";
    if (held.value) goOn();
  });
  const resumed = context.resume();
  await context.audioWorklet.addModule(worklet);
  await resumed;
  const node = new AudioWorkletNode(context, "console-sound", { numberOfInputs: 0, outputChannelCount: [1] });
  const gain = new GainNode(context);
  node.connect(gain).connect(context.destination);
  const channel = new MessageChannel();
  node.port.postMessage(channel.port2, [channel.port2]);
  show.soundPort(channel.port1);
  return { context, gain };
}

/** The volume, 0 to 1. */
export function setVolume(volume: number): void {
  void playing?.then(({ gain }) => {
    gain.gain.value = volume ** 2;
  });
}

export function stopSound(): void {
  show.soundPort(undefined);
  held.value = false;
  void playing?.then(
    ({ context }) => context.close(),
    () => undefined,
  );
  playing = undefined;
}
