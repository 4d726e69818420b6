/** Options and reports of training. */

import type { GameOptions, RomSource } from "../types.js";

/** How a policy is improved. */
export type Algorithm = "ppo" | "a2c";

/** A net: its filters and hidden units are those of `docs/learning.md`. */
export type Net = "tiny" | "a3c" | "nature";

/** What a {@link Trainer} is made from. */
export interface TrainerOptions {
  /** The game. */
  readonly rom: RomSource;
  /** `ppo` by default. */
  readonly algorithm?: Algorithm | undefined;
  /** `tiny` by default. */
  readonly net?: Net | undefined;
  /** Number of games, a multiple of four; 32 by default. */
  readonly numEnvs?: number | undefined;
  /** Workers: 1, 2 or 4; 0 trains in this thread. It changes no result. 2 by default. */
  readonly workers?: 0 | 1 | 2 | 4 | undefined;
  /** Seed of weights, actions and games; 0 by default. */
  readonly seed?: number | undefined;
  /** Options of the games: a preset or a list of wrappers. By default the list of OpenAI baselines with raw rewards. */
  readonly options?: Partial<Omit<GameOptions, "rom" | "seed">> | undefined;
  /** Hyper-parameters by the names of `docs/learning.md`. */
  readonly hyperParameters?: Readonly<Record<string, number | boolean | string>> | undefined;
  /** A checkpoint to go on from, with its settings. */
  readonly resume?: Uint8Array | undefined;
}

/** What an update of the weights reports. */
export interface TrainingUpdate {
  /** Its number, from 1. */
  readonly update: number;
  /** Steps played so far, of all games. */
  readonly steps: number;
  /** Games ended so far. */
  readonly episodes: number;
  /** Mean raw score of the last 100 games; `null` before the first has ended. */
  readonly reward: number | null;
  /** Their mean length. */
  readonly length: number | null;
  /** Mean entropy of the policy. */
  readonly entropy: number;
  /** Mean estimate of the divergence from the policy that played. */
  readonly kl: number;
  /** Share of steps beyond PPO's bound. */
  readonly clipFraction: number;
  /** Explained variance: the share of the returns' variance that the critic predicts, at most 1. */
  readonly explainedVariance: number;
  /** Mean policy loss. */
  readonly policyLoss: number;
  /** Mean value loss. */
  readonly valueLoss: number;
  /** Mean norm of the gradients, before they were bounded. */
  readonly gradientNorm: number;
  /** The learning rate. */
  readonly learningRate: number;
  /** Steps a second of this update. */
  readonly stepsPerSecond: number;
  /** CRC-32 of all parameters in file order, eight hexadecimal digits. */
  readonly weights: string;
}

/** What a policy makes of an observation. */
export interface PolicyDecision {
  /** The action. */
  readonly action: number;
  /** The probability of each action. */
  readonly probabilities: Float64Array;
  /** The sum of discounted clipped rewards that the critic expects. */
  readonly value: number;
}
