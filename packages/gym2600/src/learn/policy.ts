/** Trained weights at play. */

import { WasmPolicy } from "../../wasm-learn/gym2600_learn.js";
import { namedOptions } from "../arguments.js";
import { checkCreated } from "../errors.js";
import { checkSeed } from "../spaces.js";
import type { GameOptions, Observation } from "../types.js";
import { compiledModule, instantiated } from "../wasm-module.js";
import { LearnerRom } from "./game.js";
import type { PolicyDecision, PolicyOrigin } from "./types.js";
import { checkBytes, instantiateLearner, LearnerObject, optionsOf } from "./wasm.js";

/** How an action is taken: greedily, or drawn from the stream of a seed. */
export interface DecisionOptions {
  /** Draws the action; without one the most probable action is taken. */
  readonly seed?: number | undefined;
}

/** A policy. */
export class Policy {
  readonly #wasm: LearnerObject<WasmPolicy>;

  private constructor(wasm: LearnerObject<WasmPolicy>) {
    checkCreated(wasm instanceof LearnerObject);
    this.#wasm = wasm;
  }

  /**
   * A policy from a file of weights or a checkpoint, of this package or of CleanRL. Loads the learner's module alone.
   *
   * @throws Gym2600Error `bad-weights` for other bytes, a net without actions, or an input that is too large; `wasm-failed`
   */
  static async load(file: Uint8Array): Promise<Policy> {
    const bytes = checkBytes("file", file, "bad-weights").slice();
    await instantiateLearner();
    return new Policy(new LearnerObject(() => new WasmPolicy(bytes)));
  }

  /** What the weights were made for; `null` where the file does not say. */
  get origin(): PolicyOrigin | null {
    return this.#wasm.run((policy) => policy.origin() as PolicyOrigin | null);
  }

  /**
   * The options of the games that the policy was trained in, defaults resolved, for
   * `Game.create({ rom, ...(await policy.environment(rom)) })`; where the file names none, those of a training run without options.
   *
   * Loads the games' module, which reads them from the ROM.
   *
   * @throws Gym2600Error `bad-weights` for a ROM that has another MD5, action set or picture than the weights are for; `bad-rom`,
   * `unknown-rom` and the like for bytes that cannot be played; `wasm-failed`
   */
  async environment(rom: Uint8Array): Promise<Omit<GameOptions, "rom" | "seed">> {
    const bytes = checkBytes("rom", rom, "bad-rom").slice();
    await instantiated(compiledModule());
    return this.#wasm.run((policy) => optionsOf(policy.environment(new LearnerRom(bytes))));
  }

  /**
   * Decides on an observation of frames x height x width bytes, the oldest frame first.
   *
   * Arrays of floats are refused: nets see bytes. A sampled action depends on the seed and on the number of decisions before it.
   *
   * @throws Gym2600Error `bad-option`; `not-finite` where an output is no finite number, because weights are too large
   */
  act(observation: Uint8Array | Observation, options: DecisionOptions = {}): PolicyDecision {
    const { seed } = namedOptions(options, "seed");
    const bytes = checkBytes("observation", observation, "bad-option");
    if (seed !== undefined) checkSeed(seed);
    return this.#wasm.run((policy) => {
      const action = policy.act(bytes, seed);
      return { action, logits: policy.logits(), probabilities: policy.probabilities(), value: policy.value() };
    });
  }

  /** The policy as an ONNX file. */
  onnx(): Uint8Array {
    return this.#wasm.run((policy) => policy.onnx());
  }

  /** Frees the policy's memory; later calls throw `closed`. Without it the garbage collector frees it. Idempotent. */
  close(): void {
    this.#wasm.close();
  }

  /** {@link close}, for `using`. */
  [Symbol.dispose](): void {
    this.close();
  }
}
