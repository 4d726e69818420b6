/** Trained weights at play. */

import { WasmPolicy } from "../../wasm-learn/gym2600_learn.js";
import { namedOptions } from "../arguments.js";
import { checkCreated, Gym2600Error, shown } from "../errors.js";
import { checkSeed } from "../spaces.js";
import type { GameOptions, Observation } from "../types.js";
import { compiledModule, instantiated } from "../wasm-module.js";
import { LearnerRom } from "./game.js";
import type { PolicyDecision, PolicyOrigin } from "./types.js";
import { checkBytes, instantiateLearner, LearnerObject, optionsOf } from "./wasm.js";

/** How an action is taken: greedily, or drawn from the stream of a seed; and on what. */
export interface DecisionOptions {
  /**
   * The observation's shape: `game.observationSpace.shape`, of a batch `envs.singleObservationSpace.shape`. An observation is a flat array,
   * so only its shape tells 84 x 84 x 4 from 4 x 84 x 84.
   */
  readonly shape: readonly number[];
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

  /** What the weights were made for; `null` where the file does not say. {@link environment} makes options of a game of it. */
  get origin(): PolicyOrigin | null {
    return this.#wasm.run((policy) => policy.origin() as PolicyOrigin | null);
  }

  /**
   * The options of the games that the policy was trained in, defaults resolved, for
   * `Game.create({ rom, ...(await policy.environment(rom)) })`; where the file names none, those of a training run without options.
   *
   * In a game with other options a policy of 100 points may play like chance, also where its observations have the same shape.
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
   * Decides on an observation of frames x height x width bytes, the oldest frame first, as games of {@link environment} give them.
   *
   * Arrays of floats are refused: nets see bytes. So are observations of another shape, such as one with the frames along the last axis.
   * A sampled action depends on the seed and on the number of decisions before it.
   *
   * @throws Gym2600Error `bad-option`; `not-finite` where an output is no finite number, because weights are too large
   */
  act(observation: Uint8Array | Observation, options: DecisionOptions): PolicyDecision {
    const { seed, shape } = namedOptions(options, "seed", "shape");
    const bytes = checkBytes("observation", observation, "bad-option");
    if (seed !== undefined) checkSeed(seed);
    const axes = checkedShape(shape);
    return this.#wasm.run((policy) => {
      const action = policy.act(bytes, Uint32Array.from(axes), seed);
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

/** The most axes of an observation, far above those of any game. */
const MAX_AXES = 8;

/**
 * A shape. The learner's module compares it with its own.
 *
 * @throws Gym2600Error `bad-option`
 */
function checkedShape(shape: readonly number[]): readonly number[] {
  if (shape === undefined) throw new Gym2600Error("bad-option", "shape is missing: give game.observationSpace.shape");
  const axes = Array.isArray(shape) && shape.length <= MAX_AXES ? Array.from(shape) : [undefined];
  if (axes.every((length) => Number.isSafeInteger(length) && length >= 0 && length < 2 ** 32)) return axes as number[];
  throw new Gym2600Error("bad-option", `shape: ${shown(shape)} is no list of the lengths of axes`);
}
