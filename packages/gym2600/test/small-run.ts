/** A training run that takes little time. */

import { readFileSync } from "node:fs";
import type { TrainerOptions } from "../src/learn/index-node.js";

export const rom = readFileSync(new URL("../../../crates/arcade/games/wallop.bin", import.meta.url));

/** Pictures of 28 x 28, short rollouts, and games that are cut off after so many steps. */
export function smallRun(steps: number): TrainerOptions {
  return {
    rom,
    numEnvs: 8,
    seed: 5,
    options: {
      wrappers: [
        { type: "SkipFrames", n: 4 },
        { type: "ImagePreprocessing", width: 28, height: 28 },
        { type: "TimeLimit", steps },
        { type: "QueueFrames", n: 4 },
      ],
    },
    hyperParameters: { rollout: 16, minibatches: 4, epochs: 2 },
  };
}
