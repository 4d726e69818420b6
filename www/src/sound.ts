/** The console's sound through the page's loudspeakers. */

import type { GameDescription } from "gym2600";

/** How many samples the console makes in a frame. */
const SAMPLES_PER_FRAME = 512;

/** The middle of the samples' range, 0 to 255. */
const SILENCE = 128;

/** How far ahead samples are scheduled: as much as steps may come late without a gap. */
const AHEAD_SECONDS = 0.12;

/** What is further ahead than this is left out, so that the sound never falls behind the picture. */
const FURTHEST_SECONDS = 0.35;

export class Sound {
  #context: AudioContext | undefined;
  /** When, on the context's clock, the last scheduled sample will have been played. */
  #until = 0;
  readonly #scheduled = new Set<AudioBufferSourceNode>();

  /** Opens the loudspeakers for a game. A browser allows it only when the user has clicked something. */
  open({ tv }: GameDescription): void {
    const sampleRate = SAMPLES_PER_FRAME * (tv === "PAL" ? 50 : 60);
    if (this.#context?.sampleRate === sampleRate) return;
    this.close();
    // At the console's own rate pieces fit together to the sample, and the browser resamples the whole.
    this.#context = new AudioContext({ sampleRate });
  }

  close(): void {
    this.silence();
    void this.#context?.close();
    this.#context = undefined;
  }

  /** Plays samples after those before. */
  play(samples: Uint8Array): void {
    const context = this.#context;
    if (context === undefined || samples.length === 0) return;
    if (context.state === "suspended") void context.resume();
    const now = context.currentTime;
    if (this.#until < now) this.#until = now + AHEAD_SECONDS;
    if (this.#until > now + FURTHEST_SECONDS) return;
    const source = new AudioBufferSourceNode(context, { buffer: bufferOf(samples, context) });
    source.connect(context.destination);
    source.start(this.#until);
    this.#until += samples.length / context.sampleRate;
    this.#scheduled.add(source);
    source.addEventListener("ended", () => this.#scheduled.delete(source));
  }

  /** Stops what is being played and what would be. */
  silence(): void {
    for (const source of this.#scheduled) source.stop();
    this.#scheduled.clear();
    this.#until = 0;
    if (this.#context?.state === "running") void this.#context.suspend();
  }
}

function bufferOf(samples: Uint8Array, { sampleRate }: AudioContext): AudioBuffer {
  const buffer = new AudioBuffer({ length: samples.length, sampleRate });
  buffer.copyToChannel(
    Float32Array.from(samples, (sample) => (sample - SILENCE) / SILENCE),
    0,
  );
  return buffer;
}
