/** The console's sound: goes from the show worker to the browser's thread for sound, past the page's. */

import { show } from "../app/show.js";
import worklet from "./worklet.ts?worker&url";

/** Samples of a frame. */
const SAMPLES_PER_FRAME = 512;

interface Playing {
  readonly context: AudioContext;
  readonly gain: GainNode;
}

let playing: Promise<Playing> | undefined;

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
  void playing?.then(
    ({ context }) => context.close(),
    () => undefined,
  );
  playing = undefined;
}
