/** The shards of a worker: games, rollouts and gradients. */

import { WasmShards } from "../../wasm-learn/gym2600_learn.js";
import { SHARDS } from "../schema/learn.js";
import type { Shown } from "./card.js";
import { LearnerRom } from "./game.js";
import type { TrainingConfig } from "./types.js";
import { LearnerObject } from "./wasm.js";

/** What a rollout brought, shard after shard. */
export interface Rollout {
  readonly advantages: Float32Array;
  readonly values: Float32Array;
  /** Four numbers for each game that ended: shard, raw score, length and frames. */
  readonly episodes: Float64Array;
  /** The steps for a card, if it played them. */
  readonly steps: Uint32Array;
}

/** The sum of some shards' gradients, and five losses for each. */
export interface Gradient {
  readonly gradient: Float32Array;
  readonly losses: Float64Array;
}

/** A minibatch and how its advantages are normalised. */
export interface MinibatchAt {
  readonly epoch: number;
  readonly minibatch: number;
  readonly mean: number;
  readonly scale: number;
}

/** Which games to make. */
export interface ShardOptions {
  readonly rom: Uint8Array;
  /** Settings of the run. */
  readonly config: TrainingConfig;
  /** The first shard, counted from 0. */
  readonly first: number;
  /** How many shards. */
  readonly count: number;
}

/** Some shards, here or in a worker. The parameters are the shards' from the call on: a worker takes their memory. */
export interface Shards {
  /** Begins a rollout, and gives what each half of the games shows. Where each shard has one game they are one half. */
  begin(update: number): Promise<Shown[]>;
  /** Plays a step of half of the games with a net's outputs, which are the shards' from the call on, and gives what they show then. */
  advance(half: number, step: number, outputs: Float32Array): Promise<Shown>;
  /** Plays a whole rollout, or the rest of one that has begun. Calls are answered one after the other. */
  play(parameters: Float32Array, update: number, hasBegun: boolean): Promise<Rollout>;
  gradient(parameters: Float32Array, at: MinibatchAt): Promise<Gradient>;
  save(): Promise<Uint8Array[]>;
  restore(games: readonly Uint8Array[]): Promise<void>;
  close(): void;
}

/** Shards in this thread. */
export class LocalShards implements Shards {
  readonly #wasm: LearnerObject<WasmShards>;
  readonly #options: ShardOptions;

  constructor(options: ShardOptions) {
    const { rom, config, first, count } = options;
    this.#options = options;
    this.#wasm = new LearnerObject(() => new WasmShards(new LearnerRom(rom), config, first, count));
  }

  async begin(update: number): Promise<Shown[]> {
    return this.#wasm.run((shards) => {
      shards.begin(update);
      return Array.from({ length: shards.halves() }, (_, half) => shownBy(shards, half));
    });
  }

  async advance(half: number, step: number, outputs: Float32Array): Promise<Shown> {
    return this.#wasm.run((shards) => {
      shards.advance(half, step, outputs);
      return shownBy(shards, half);
    });
  }

  async play(parameters: Float32Array, update: number, hasBegun: boolean): Promise<Rollout> {
    return this.#wasm.run((shards) => {
      const episodes = shards.play(parameters, update, hasBegun);
      const steps = hasBegun ? shards.steps() : new Uint32Array();
      return { episodes, advantages: shards.advantages(), values: shards.values(), steps };
    });
  }

  async gradient(parameters: Float32Array, at: MinibatchAt): Promise<Gradient> {
    return this.#wasm.run((shards) => {
      const gradient = shards.gradient(parameters, at.epoch, at.minibatch, at.mean, at.scale);
      return { gradient, losses: shards.losses() };
    });
  }

  async save(): Promise<Uint8Array[]> {
    return this.#wasm.run((shards) => shards.save());
  }

  async restore(states: readonly Uint8Array[]): Promise<void> {
    const { count, config } = this.#options;
    const games = config.numEnvs / SHARDS;
    for (let shard = 0; shard < count; shard++) {
      this.#wasm.run((shards) => shards.restore(shard, states.slice(shard * games, (shard + 1) * games)));
    }
  }

  close(): void {
    this.#wasm.close();
  }
}

function shownBy(shards: WasmShards, half: number): Shown {
  shards.show(half);
  return { pictures: shards.pictures(), counts: shards.counts(), stacks: shards.stacks() };
}
