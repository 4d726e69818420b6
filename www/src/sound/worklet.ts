/** Plays samples that arrive on a port, on the browser's thread for sound. */

/** Samples that are kept: a quarter of a second. More is dropped, so that the sound stays with the picture. */
const KEPT = 8192;

/** Samples that have to be there before the sound begins, and begins again after a gap. */
const AHEAD = 2048;

/** The middle of the samples' range, 0 to 255. */
const SILENCE = 128;

// TypeScript has no types for this thread.
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void;

class ConsoleSound extends AudioWorkletProcessor {
  readonly #ring = new Float32Array(KEPT);
  #from = 0;
  #count = 0;
  #playing = false;

  constructor() {
    super();
    this.port.onmessage = ({ data }: MessageEvent<MessagePort>) => {
      data.onmessage = (event: MessageEvent<Uint8Array>) => this.#add(event.data);
    };
  }

  #add(samples: Uint8Array): void {
    for (const sample of samples) {
      if (this.#count === KEPT) return;
      this.#ring[(this.#from + this.#count) % KEPT] = (sample - SILENCE) / SILENCE;
      this.#count += 1;
    }
    if (this.#count >= AHEAD) this.#playing = true;
  }

  process(_inputs: unknown, [output]: Float32Array[][]): boolean {
    const channel = output?.[0];
    if (channel === undefined) return true;
    for (let at = 0; at < channel.length; at++) {
      if (this.#count === 0) this.#playing = false;
      channel[at] = this.#playing ? (this.#ring[this.#from] ?? 0) : 0;
      if (!this.#playing) continue;
      this.#from = (this.#from + 1) % KEPT;
      this.#count -= 1;
    }
    return true;
  }
}

registerProcessor("console-sound", ConsoleSound);
