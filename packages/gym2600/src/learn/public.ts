/** What `gym2600/learn` exports. */

export { Gym2600Error } from "../errors.js";
export type { InitOptions } from "../init.js";
export {
  HYPER_PARAMETER_RANGES,
  HYPER_PARAMETERS,
  LEARNER_WRAPPERS,
  MOST_STEPS_OF_MINIBATCH,
} from "../schema/learn.js";
export { init, type LearnInitOptions } from "./init.js";
export { type DecisionOptions, Policy } from "./policy.js";
export { Trainer } from "./trainer.js";
export type {
  Algorithm,
  Device,
  HyperParameterNumber,
  HyperParameterRange,
  HyperParameters,
  Net,
  Optimizer,
  PolicyDecision,
  PolicyOrigin,
  Processor,
  TrainerOptions,
  TrainingOptions,
  TrainingUpdate,
  UpdateReport,
} from "./types.js";
