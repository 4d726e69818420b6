/** What the package gives to its users; the entry modules add the platform. */

export { type ActionName, actionNames } from "./actions.js";
export { type ActOptions, Arcade, type ArcadeOptions } from "./arcade.js";
export { type BenchmarkOptions, type BenchmarkResult, benchmark } from "./benchmark.js";
export { type CatalogueEntry, games } from "./catalogue.js";
export { type CheckEnvOptions, checkEnv } from "./check-env.js";
export type { GameDefinition } from "./definition.js";
export type { BatchEnvironment, SingleEnvironment } from "./environment.js";
export { type ErrorCode, Gym2600Error, type Gym2600ErrorOptions } from "./errors.js";
export { Game, type ResetOptions, type StepOptions } from "./game.js";
export { GameWorker, type WorkerResetOptions } from "./game-worker.js";
export { actionOf, DEFAULT_KEYS, type PlayableEnvironment, type Playing, type PlayOptions, play } from "./play.js";
export type { PresetName, Spec, Wrapper, WrapperOptions } from "./schema/gym.js";
export { Box, commonSpace, Discrete, MultiDiscrete, type Space, type SpaceJSON } from "./spaces.js";
export {
  EpisodeStatistics,
  type EpisodeStatisticsOptions,
  MemoryWriter,
  type Scalar,
  type ScalarWriter,
} from "./statistics.js";
export type {
  ConsoleDescription,
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
export { VectorEnv } from "./vector-env.js";
export type {
  RecvOptions,
  StepManyOptions,
  VectorBatch,
  VectorEnvOptions,
  VectorResetOptions,
  VectorResetResult,
  VectorReviveResult,
  VectorStepManyResult,
  VectorStepOptions,
  VectorStepResult,
} from "./vector-types.js";
export { wallop } from "./wallop.js";
