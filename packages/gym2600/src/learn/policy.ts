/** Trained weights at play. */

import { WasmPolicy } from "../../wasm-learn/gym2600_learn.js";
import { checkOptions } from "../rom.js";
import { checkSeed } from "../spaces.js";
import type { PolicyDecision, PolicyOrigin } from "./types.js";
import { callLearner, checkBytes, instantiateLearner } from "./wasm.js";

/** How an action is taken: greedily, or drawn from the stream of a seed. */
export interface ActOptions {
  /** Draws the action; without one the most probable action is taken. */
  readonly seed?: number | undefined;
}

/** A policy. */
export class Policy {
  readonly #wasm: WasmPolicy;

  private constructor(wasm: WasmPolicy) {
    this.#wasm = wasm;
  }

  /**
   * A policy from a file of weights or a checkpoint, of this package or of CleanRL.
   *
   * @throws Gym2600Error `bad-weights`
   */
  static async load(file: Uint8Array): Promise<Policy> {
    checkBytes("file", file, "bad-weights");
    await instantiateLearner();
    return new Policy(callLearner(() => new WasmPolicy(file)));
  }

  /** What the weights were made for; `null` where the file does not say. */
  get origin(): PolicyOrigin | null {
    return callLearner(() => this.#wasm.origin() as PolicyOrigin | null);
  }

  /**
   * Decides on an observation of frames x height x width bytes, the oldest frame first.
   *
   * @throws Gym2600Error `bad-option`
   */
  act(observation: Uint8Array, options: ActOptions = {}): PolicyDecision {
    const { seed } = checkOptions(options);
    checkBytes("observation", observation, "bad-option");
    if (seed !== undefined) checkSeed(seed);
    return callLearner(() => {
      const action = this.#wasm.act(observation, seed);
      const [logits, probabilities] = [this.#wasm.logits(), this.#wasm.probabilities()];
      return { action, logits, probabilities, value: this.#wasm.value() };
    });
  }

  /** The policy as an ONNX file. */
  onnx(): Uint8Array {
    return callLearner(() => this.#wasm.onnx());
  }
}
