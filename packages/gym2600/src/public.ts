/** What the package gives to its users; the entry modules add the platform. */

export { type ErrorCode, Gym2600Error } from "./errors.js";
export { Game, type ResetOptions, type StepOptions } from "./game.js";
export { GameWorker, type WorkerResetOptions } from "./game-worker.js";
export { Box, commonSpace, Discrete, MultiDiscrete, type Space, type SpaceJSON } from "./spaces.js";
export type {
  Dtype,
  EpisodeSummary,
  GameDescription,
  GameOptions,
  Info,
  Observation,
  Picture,
  PictureRequest,
  ResetResult,
  RomSource,
  StepResult,
  WorkerResetResult,
  WorkerStepResult,
} from "./types.js";
export {
  VectorEnv,
  type VectorEnvOptions,
  type VectorResetOptions,
  type VectorResetResult,
  type VectorStepOptions,
  type VectorStepResult,
} from "./vector-env.js";
export { wallop } from "./wallop.js";
export type { PresetName, Spec, Wrapper, WrapperOptions } from "./wrappers.js";
