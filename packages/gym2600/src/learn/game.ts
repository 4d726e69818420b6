/** The games that the learner's module plays: lanes of the package's other module, which has the console and compiles programs. */

import { ACCESSORS, checkState } from "../env/accessors.js";
import { describeHere } from "../env/description.js";
import { Lane } from "../env/lane.js";
import { endedAt, isAt, newRecords, numberAt } from "../env/step-record.js";
import type { GameTraits } from "../schema/learn.js";
import type { GameDescription } from "../types.js";
import { optionsOf } from "./wasm.js";

/** A ROM as the learner's module sees it. */
export class LearnerRom {
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** What is to be known of a game with options that the module has written, which is not made. */
  traits(options: unknown): GameTraits {
    return traitsOf(describeHere(this.#bytes, optionsOf(options)));
  }

  /** Makes a game with options that the module has written. `memory` is the module's. */
  open(options: unknown, memory: WebAssembly.Memory): LearnerGame {
    return new LearnerGame(Lane.openHere(this.#bytes, optionsOf(options)), memory);
  }
}

function traitsOf({ rom, md5, actions, observation, spec, givesRewards }: GameDescription): GameTraits {
  const { wrappers, seeding, maxFramesPerEpisode } = spec;
  return { rom, md5, actions, observation, wrappers, seeding, maxFramesPerEpisode, givesRewards };
}

/** A game as the learner's module calls it. Observations go straight to addresses in its memory, where there is room for them. */
class LearnerGame {
  readonly #lane: Lane;
  readonly #memory: WebAssembly.Memory;
  readonly #records = newRecords(1);

  constructor(lane: Lane, memory: WebAssembly.Memory) {
    this.#lane = lane;
    this.#memory = memory;
  }

  traits(): GameTraits {
    return traitsOf(this.#lane.description);
  }

  reset(observation: number): void {
    this.#lane.reset(undefined, this.#records, 0);
    this.observe(observation);
  }

  /** Takes a step and gives its reward. */
  step(action: number, observation: number): number {
    this.#lane.step(action, this.#records, 0);
    this.observe(observation);
    return numberAt(this.#records, 0, "reward");
  }

  ended(): boolean {
    return endedAt(this.#records, 0);
  }

  /** Reward, length and frames of the game that the last step ended. */
  episode(): Float64Array | undefined {
    if (!isAt(this.#records, 0, "episode")) return undefined;
    const numbers = (["episodeReward", "episodeLength", "episodeFrames"] as const).map((field) =>
      numberAt(this.#records, 0, field),
    );
    return Float64Array.from(numbers);
  }

  observe(observation: number): void {
    // The buffer is another one whenever the memory has grown.
    this.#lane.observe(new Uint8Array(this.#memory.buffer, observation, this.#lane.observationBytes));
  }

  save(): Uint8Array {
    return ACCESSORS.save(this.#lane);
  }

  restore(state: Uint8Array): void {
    checkState(state);
    ACCESSORS.restore(this.#lane, state);
  }

  close(): void {
    this.#lane.close();
  }
}
