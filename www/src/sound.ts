/** Plays the console's sound. */

import type { GameDescription } from "gym2600";

/** Samples of a frame. */
const SAMPLES_PER_FRAME = 512;

/** The middle of the samples' range, 0 to 255. */
const SILENCE = 128;

/** Seconds that samples are scheduled ahead. A step may be that late without a gap. */
const AHEAD_SECONDS = 0.12;

/** Samples further ahead than this are dropped, so that the sound stays with the picture. */
const FURTHEST_SECONDS = 0.35;

export class Sound {
  #context: AudioContext | undefined;
  /** The time of the end of the last scheduled sample, on the context's clock. */
  #until = 0;
  readonly #scheduled = new Set<AudioBufferSourceNode>();

  /** Opens the sound of a game. Browsers allow it only after a click of the user. */
  open({ tv }: GameDescription): void {
    const sampleRate = SAMPLES_PER_FRAME * (tv === "PAL" ? 50 : 60);
    if (this.#context?.sampleRate === sampleRate) return;
    this.close();
    // The context has the console's rate, so that pieces join without a gap; the browser resamples the whole.
    this.#context = new AudioContext({ sampleRate });
  }

  close(): void {
    this.silence();
    void this.#context?.close();
    this.#context = undefined;
  }

  /** Schedules samples after the previous ones. */
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

  /** Stops all scheduled samples. */
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
