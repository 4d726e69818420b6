/** Checked by the compiler alone: every environment has a method for each call of `accessors.ts`. */

import type { VectorEnv } from "../vector/vector-env.js";
import type { GameWorker } from "../worker/game-worker.js";
import type { AccessorName } from "./accessors.js";
import type { Game } from "./game.js";

type Complete<Environment extends Record<AccessorName, unknown>> = Environment;

export type Environments = [Complete<Game>, Complete<GameWorker>, Complete<VectorEnv>];
