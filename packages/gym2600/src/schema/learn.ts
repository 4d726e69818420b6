/** Runs of the learner, generated from the types of crates/learn by `UPDATE_TYPES=1 cargo test -p gym2600-learn typescript`. */

import type { ActionName } from "../actions.js";
import type { EnvironmentOptions, Seeding, SpaceDescription, WrapperOptions } from "./gym.js";

/**
 * Options of a training run. One that is left out has its default.
 */
export type TrainingOptions = {
/**
 * How the policy is improved; `ppo` by default.
 */
algorithm?: Algorithm, 
/**
 * The policy's net; `tiny` by default.
 */
net?: Net, 
/**
 * Number of games, a multiple of four; 32 by default.
 */
numEnvs?: number, 
/**
 * Seed of weights, actions and games, a whole number up to 2^53 - 1; 0 by default.
 */
seed?: number, 
/**
 * Options of the games: a preset or a list of wrappers. By default the list of OpenAI baselines with raw rewards.
 */
options?: Omit<EnvironmentOptions, "seed">, 
/**
 * Hyper-parameters that differ from the algorithm's defaults, by our names or CleanRL's.
 */
hyperParameters?: Partial<HyperParameters & CleanRLHyperParameters>,
};

/**
 * How a policy is improved.
 */
export type Algorithm = "ppo" | "a2c";

/**
 * A net: convolutions, a hidden layer, and on top of it the actor and the critic.
 */
export type Net = "tiny" | "a3c" | "nature";

/**
 * Everything that may be tuned.
 */
export type HyperParameters = {
/**
 * Steps of each game between updates.
 */
rollout: number, 
/**
 * How often an update goes through its steps.
 */
epochs: number, 
/**
 * Gradient steps of an epoch.
 */
minibatches: number, 
/**
 * Learning rate.
 */
learning_rate: number, 
/**
 * Steps over which the learning rate rises linearly to its value; 0 starts with it.
 */
warmup_steps: number, 
/**
 * Steps over which the learning rate falls linearly; 0 keeps it constant.
 */
anneal_steps: number, 
/**
 * The share of the learning rate to which it falls, and which it keeps from then on.
 */
anneal_to: number, 
/**
 * Discount.
 */
gamma: number, 
/**
 * Lambda of generalised advantage estimation; 1 gives n-step returns.
 */
lambda: number, 
/**
 * PPO's bound on the change of a probability's ratio.
 */
clip: number, 
/**
 * Whether PPO bounds the change of values too.
 */
clip_value: boolean, 
/**
 * Whether advantages are shifted and scaled to mean 0 and deviation 1 in each minibatch.
 */
normalize: boolean, 
/**
 * Weight of the entropy.
 */
entropy: number, 
/**
 * Weight of the value's loss.
 */
value: number, 
/**
 * Bound on the gradient's norm.
 */
gradient_norm: number, 
/**
 * Optimizer.
 */
optimizer: Optimizer, 
/**
 * The optimizer's epsilon.
 */
epsilon: number,
};

/**
 * How parameters follow gradients.
 */
export type Optimizer = "adam" | "rmsprop";

/**
 * A training run.
 */
export type TrainingConfig = {
/**
 * How the policy is improved.
 */
algorithm: Algorithm, 
/**
 * The policy's net.
 */
net: Net, 
/**
 * Seed of the weights, of the actions and of the games, which count up from it.
 */
seed: number, 
/**
 * Number of games, a multiple of four.
 */
numEnvs: number, 
/**
 * Options of the games. A run clips rewards for the learner only, restarts episodes by itself and uses its own seeds: one here is refused.
 */
options: EnvironmentOptions, 
/**
 * What may be tuned.
 */
hyperParameters: HyperParameters,
};

/**
 * One update of the weights.
 */
export type UpdateReport = {
/**
 * Its number, from 1.
 */
update: number, 
/**
 * Steps played so far, of all games.
 */
steps: number, 
/**
 * Games ended so far.
 */
episodes: number, 
/**
 * Mean raw score of the last 100 games; none before the first has ended.
 */
reward: number | null, 
/**
 * Their mean length, as the environment counts it.
 */
length: number | null, 
/**
 * Mean entropy of the policy.
 */
entropy: number, 
/**
 * Mean estimate of the divergence from the policy that played.
 */
kl: number, 
/**
 * Share of steps beyond PPO's bound.
 */
clipFraction: number, 
/**
 * Explained variance: the share of the returns' variance that the critic predicts, at most 1.
 */
explainedVariance: number, 
/**
 * Mean policy loss.
 */
policyLoss: number, 
/**
 * Mean value loss, without its weight.
 */
valueLoss: number, 
/**
 * Mean norm of the gradients, before they were bounded.
 */
gradientNorm: number, 
/**
 * The learning rate.
 */
learningRate: number,
};

/**
 * What weights were made for, and how: the metadata of their file.
 */
export type PolicyOrigin = {
/**
 * Version of this library.
 */
version: string, 
/**
 * How the policy was improved.
 */
algorithm: Algorithm, 
/**
 * The policy's net.
 */
net: Net, 
/**
 * Rows, columns and number of the pictures that it sees.
 */
input: [number, number, number], 
/**
 * ALE's names of its actions.
 */
actions: readonly ActionName[], 
/**
 * The preset's name, or the list of wrappers.
 */
preset: string, 
/**
 * The options of the games as they were given. `Policy.environment` resolves their defaults for a game like those.
 */
options: EnvironmentOptions, 
/**
 * The game's short name.
 */
game: string, 
/**
 * MD5 of the ROM.
 */
romMd5: string, 
/**
 * Seed of the run.
 */
seed: number, 
/**
 * Steps played.
 */
steps: number, 
/**
 * The run's hyper-parameters.
 */
hyperParameters: HyperParameters,
};

/**
 * What the learner has to know of a game, its options resolved.
 */
export type GameTraits = {
/**
 * The game's short name.
 */
rom: string, 
/**
 * MD5 of the ROM.
 */
md5: string, 
/**
 * ALE's names of the actions.
 */
actions: readonly ActionName[], 
/**
 * The observation's shape and type.
 */
observation: SpaceDescription, 
/**
 * The list of wrappers.
 */
wrappers: readonly WrapperOptions[], 
/**
 * How a seed is used.
 */
seeding: Seeding, 
/**
 * Frames after which an episode is truncated; 0 for never.
 */
maxFramesPerEpisode: number, 
/**
 * Whether the game has a rule for rewards.
 */
givesRewards: boolean,
};

/**
 * The range of a hyper-parameter.
 */
export type HyperParameterRange = {
/**
 * The least value.
 */
least: number, 
/**
 * Whether the least value itself is refused.
 */
above: boolean, 
/**
 * The greatest value; null where the only bound is that of 32-bit floats.
 */
most: number | null, 
/**
 * Whether it is a whole number.
 */
whole: boolean,
};

/**
 * CleanRL's names of hyper-parameters, which are understood beside ours.
 */
export type CleanRLHyperParameters = {
/**
 * Ours: `rollout`.
 */
num_steps: HyperParameters["rollout"],
/**
 * Ours: `epochs`.
 */
update_epochs: HyperParameters["epochs"],
/**
 * Ours: `minibatches`.
 */
num_minibatches: HyperParameters["minibatches"],
/**
 * Ours: `lambda`.
 */
gae_lambda: HyperParameters["lambda"],
/**
 * Ours: `clip`.
 */
clip_coef: HyperParameters["clip"],
/**
 * Ours: `clip_value`.
 */
clip_vloss: HyperParameters["clip_value"],
/**
 * Ours: `normalize`.
 */
norm_adv: HyperParameters["normalize"],
/**
 * Ours: `entropy`.
 */
ent_coef: HyperParameters["entropy"],
/**
 * Ours: `value`.
 */
vf_coef: HyperParameters["value"],
/**
 * Ours: `gradient_norm`.
 */
max_grad_norm: HyperParameters["gradient_norm"],
};

/** Parts of a run's games. Their number does not depend on that of workers. */
export const SHARDS = 4;

/** Steps of a minibatch at most. */
export const MOST_STEPS_OF_MINIBATCH = 4096;

/** Steps of all games after which `gym2600 train` ends by default. */
export const TRAINING_STEPS = 1000000;

/** Steps between two checkpoints of `gym2600 train`. */
export const CHECKPOINT_STEPS = 50000;

/** Games of `gym2600 evaluate` by default. */
export const EVALUATION_EPISODES = 10;

/** The wrappers of a run whose options name neither a preset nor a list: those of OpenAI baselines with raw rewards. */
export const LEARNER_WRAPPERS: readonly WrapperOptions[] = [
  { type: "NoopReset" },
  { type: "SkipFrames", shows: "maxOfTwoBuffers" },
  { type: "EpisodicLife" },
  { type: "FireReset", plays: "fireAndSecond", withoutFire: "passOn" },
  { type: "ImagePreprocessing" },
  { type: "QueueFrames" },
];

/** The hyper-parameters of each algorithm, where a run names no others. */
export const HYPER_PARAMETERS: Readonly<Record<Algorithm, Readonly<HyperParameters>>> = {
  ppo: {"rollout":64,"epochs":3,"minibatches":16,"learning_rate":0.001,"warmup_steps":0,"anneal_steps":0,"anneal_to":0.0,"gamma":0.98,"lambda":0.95,"clip":0.2,"clip_value":false,"normalize":true,"entropy":0.01,"value":0.5,"gradient_norm":0.5,"optimizer":"adam","epsilon":0.00001},
  a2c: {"rollout":5,"epochs":1,"minibatches":1,"learning_rate":0.0007,"warmup_steps":0,"anneal_steps":0,"anneal_to":0.0,"gamma":0.98,"lambda":1.0,"clip":0.2,"clip_value":false,"normalize":false,"entropy":0.01,"value":0.5,"gradient_norm":0.5,"optimizer":"rmsprop","epsilon":0.00001},
};

/** The hyper-parameters that are numbers. */
export type HyperParameterNumber = "rollout" | "epochs" | "minibatches" | "learning_rate" | "warmup_steps" | "anneal_steps" | "anneal_to" | "gamma" | "lambda" | "clip" | "entropy" | "value" | "gradient_norm" | "epsilon";

/** Their ranges. The greatest `rollout` is that of a run with four games. */
export const HYPER_PARAMETER_RANGES: Readonly<Record<HyperParameterNumber, Readonly<HyperParameterRange>>> = {
  rollout: {"least":1.0,"above":false,"most":32768.0,"whole":true},
  epochs: {"least":1.0,"above":false,"most":1000.0,"whole":true},
  minibatches: {"least":1.0,"above":false,"most":32768.0,"whole":true},
  learning_rate: {"least":0.0,"above":true,"most":null,"whole":false},
  warmup_steps: {"least":0.0,"above":false,"most":null,"whole":true},
  anneal_steps: {"least":0.0,"above":false,"most":null,"whole":true},
  anneal_to: {"least":0.0,"above":false,"most":1.0,"whole":false},
  gamma: {"least":0.0,"above":false,"most":1.0,"whole":false},
  lambda: {"least":0.0,"above":false,"most":1.0,"whole":false},
  clip: {"least":0.0,"above":true,"most":null,"whole":false},
  entropy: {"least":0.0,"above":false,"most":null,"whole":false},
  value: {"least":0.0,"above":false,"most":null,"whole":false},
  gradient_norm: {"least":0.0,"above":true,"most":null,"whole":false},
  epsilon: {"least":0.0,"above":true,"most":null,"whole":false},
};
