/** The exports of all entries of the package. The entry modules also set the platform. */

export { type ActionName, actionNames } from "./actions.js";
export type { RecyclableArray } from "./buffers/buffer-pool.js";
export { type CatalogueEntry, games } from "./catalogue.js";
export type { GameDefinition } from "./definition.js";
export { type ActOptions, Arcade, type ArcadeOptions } from "./env/arcade.js";
export { describe } from "./env/description.js";
export { Game, type GameState, type ResetOptions, type RestoreStateOptions, type StepOptions } from "./env/game.js";
export { type ErrorCode, Gym2600Error, type Gym2600ErrorOptions } from "./errors.js";
export { type InitOptions, init } from "./init.js";
export type { ErrorDetails, PresetName, Spec, Wrapper, WrapperOptions } from "./schema/gym.js";
// Also in `gym2600/learn`. They are here for pages whose learner is in a worker.
export { HYPER_PARAMETER_RANGES, HYPER_PARAMETERS, LEARNER_WRAPPERS, MOST_STEPS_OF_MINIBATCH } from "./schema/learn.js";
export { type Bound, Box, commonSpace, Discrete, MultiDiscrete, type Space, type SpaceJSON } from "./spaces.js";
export { type BenchmarkOptions, type BenchmarkResult, benchmark } from "./tools/benchmark.js";
export { type CheckEnvOptions, checkEnv } from "./tools/check-env.js";
export type { BatchEnvironment, BatchStep, SingleEnvironment, SingleStep } from "./tools/environment.js";
export {
  actionOf,
  DEFAULT_KEYS,
  type PlayableEnvironment,
  type Playing,
  type PlayOptions,
  play,
} from "./tools/play.js";
export { type OfRam, RamGame, type RamRules } from "./tools/ram-game.js";
export {
  type Candidate,
  type CandidateOptions,
  defineGame,
  type FoundGame,
  RamSearch,
  type Seen,
} from "./tools/ram-search.js";
export {
  EpisodeStatistics,
  type EpisodeStatisticsOptions,
  MemoryWriter,
  type Scalar,
  type ScalarWriter,
} from "./tools/statistics.js";
export type {
  ActionValue,
  ArcadeDescription,
  ConsoleSwitches,
  Dtype,
  EpisodeSummary,
  Frame,
  GameDescription,
  GameOptions,
  Info,
  Labels,
  Observation,
  Picture,
  PictureRequest,
  ResetResult,
  RomSource,
  StepResult,
  VectorBatch,
  VectorResetResult,
  VectorStepResult,
  WorkerResetResult,
  WorkerStepOptions,
  WorkerStepResult,
} from "./types.js";
export { VectorEnv } from "./vector/vector-env.js";
export type {
  PaintOption,
  RecvOptions,
  StepManyOptions,
  VectorEnvOptions,
  VectorResetOptions,
  VectorReviveResult,
  VectorStepManyResult,
  VectorStepOptions,
} from "./vector/vector-types.js";
export { wallop } from "./wallop.js";
export type { WasmSource } from "./wasm-module.js";
export { GameWorker, type GameWorkerOptions, type WorkerResetOptions } from "./worker/game-worker.js";
