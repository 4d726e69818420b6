/** The setup of a run: what is played, how the agent sees it, and how it learns. */

import {
  type GameDefinition,
  HYPER_PARAMETER_RANGES,
  LEARNER_WRAPPERS,
  HYPER_PARAMETERS as LEARNERS_HYPER_PARAMETERS,
  MOST_STEPS_OF_MINIBATCH,
  type PresetName,
  type Wrapper,
} from "gym2600";
import type { Algorithm, Device, Net } from "gym2600/learn";

/** A cartridge. */
export interface Cartridge {
  /** The file's name. */
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** What the game is, if the catalogue does not know it. */
  readonly definition?: GameDefinition | undefined;
  /** The definition as TOML. */
  readonly text?: string | undefined;
}

/** The environment: a preset, the learner's own list, or a list of the user's. */
export type Environment = PresetName | "learner" | readonly Wrapper[];

/** Values of hyper-parameters that differ from the page's defaults for the algorithm. */
export type HyperParameterChanges = Readonly<Record<string, number>>;

export interface Setup {
  readonly environment: Environment;
  readonly mode: number | undefined;
  readonly difficulty: number | undefined;
  readonly seed: number;
  readonly algorithm: Algorithm;
  readonly net: Net;
  /** A multiple of four. */
  readonly numEnvs: number;
  readonly workers: 1 | 2 | 4;
  /** What computes the nets. The first setup takes a graphics card where there is one. */
  readonly device: Device;
  readonly hyperParameters: HyperParameterChanges;
  /** Whether it came by a link, and is not the person's own. It stays with changes that the page makes for another game. */
  readonly fromLink?: true;
}

export const DEFAULT_SETUP: Setup = {
  environment: "learner",
  mode: undefined,
  difficulty: undefined,
  seed: 1,
  algorithm: "ppo",
  net: "tiny",
  numEnvs: 32,
  workers: 2,
  device: "auto",
  hyperParameters: {},
};

/** The environments by name, with a sentence each. */
export const ENVIRONMENTS: readonly (readonly [PresetName | "learner", string])[] = [
  ["learner", "learner: baselines with raw rewards"],
  ["labml", "labml: the annotated PPO's Game"],
  ["gym2600", "gym2600: our recommendation"],
  ["gymnasium", "gymnasium: AtariPreprocessing"],
  ["ale-vector", "ale-vector: AtariVectorEnv"],
  ["envpool", "envpool"],
  ["baselines", "baselines: wrap_deepmind"],
  ["nature-dqn", "nature-dqn: nature_dqn_env"],
];

/** The hyper-parameters that the page shows. */
export const SHOWN = [
  "rollout",
  "epochs",
  "minibatches",
  "learning_rate",
  "anneal_steps",
  "anneal_to",
  "gamma",
  "entropy",
] as const;

/** A hyper-parameter that the page shows. */
export type Shown = (typeof SHOWN)[number];

const shown = (algorithm: Algorithm) =>
  Object.fromEntries(SHOWN.map((name) => [name, LEARNERS_HYPER_PARAMETERS[algorithm][name]])) as Record<Shown, number>;

/**
 * Their defaults. Those of PPO that are not the learner's were chosen for seeing: WALLOP's score rises within the first two minutes on a CPU
 * (docs/learning.md). So large a learning rate has to fall later. It keeps a tenth, because a run of the page ends when a person ends it.
 */
export const HYPER_PARAMETERS: Readonly<Record<Algorithm, Readonly<Record<Shown, number>>>> = {
  ppo: { ...shown("ppo"), learning_rate: 0.002, anneal_steps: 3_000_000, anneal_to: 0.1, entropy: 0.003 },
  a2c: shown("a2c"),
};

/** The hyper-parameters of a run that differ from the learner's defaults. */
export function learnersChanges({ algorithm, hyperParameters }: Setup): HyperParameterChanges {
  const values: Readonly<Record<string, number>> = { ...HYPER_PARAMETERS[algorithm], ...hyperParameters };
  const usual: Readonly<Record<string, unknown>> = LEARNERS_HYPER_PARAMETERS[algorithm];
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => value !== usual[name]));
}

/** The page's own bounds, within the learner's: settings beyond them are only a mistake's. */
const BOUNDS: Partial<Record<Shown, { readonly least?: number; readonly most: number }>> = {
  rollout: { most: 2048 },
  learning_rate: { least: 0.000001, most: 1 },
  anneal_steps: { most: 1_000_000_000 },
  entropy: { most: 10 },
};

/** The range of a hyper-parameter on the page; steps and counts are whole numbers. */
export interface Range {
  readonly least: number;
  readonly most: number;
  readonly whole: boolean;
}

const rangeOf = (name: Shown): Range => {
  const { least, most, whole } = { ...HYPER_PARAMETER_RANGES[name], ...BOUNDS[name] };
  return { least, most: most ?? Number.POSITIVE_INFINITY, whole };
};

/** What the page takes. */
export const RANGES = Object.fromEntries(SHOWN.map((name) => [name, rangeOf(name)])) as Readonly<Record<Shown, Range>>;

/** Steps of a worker's games in an update, which the minibatches have to divide. */
export function quarterOfUpdate({ numEnvs, algorithm, hyperParameters }: Setup): number {
  return ((hyperParameters.rollout ?? HYPER_PARAMETERS[algorithm].rollout) * numEnvs) / 4;
}

/** The most steps of a worker's games in a minibatch. */
export const QUARTER_OF_MINIBATCH = MOST_STEPS_OF_MINIBATCH / 4;

/** Whether the minibatches divide the steps of an update, and are not too large. */
export function minibatchesFit(setup: Setup): boolean {
  const minibatches = setup.hyperParameters.minibatches ?? HYPER_PARAMETERS[setup.algorithm].minibatches;
  const steps = quarterOfUpdate(setup) / minibatches;
  return Number.isInteger(steps) && steps <= QUARTER_OF_MINIBATCH;
}

/** The environment as options of `Game` and `Trainer`. */
export function environmentOptions(environment: Environment): {
  preset?: PresetName;
  wrappers?: readonly Wrapper[];
} {
  if (environment === "learner") return { wrappers: LEARNER_WRAPPERS };
  return typeof environment === "string" ? { preset: environment } : { wrappers: environment };
}

/** The options of a game that a setup has besides its environment. */
export function gameOptions({ environment, mode, difficulty }: Setup, definition: GameDefinition | undefined) {
  return {
    ...environmentOptions(environment),
    ...(mode === undefined ? undefined : { mode }),
    ...(difficulty === undefined ? undefined : { difficulty }),
    ...(definition === undefined ? undefined : { game: definition }),
  };
}

/** The name of an environment. */
export function environmentName(environment: Environment): string {
  return typeof environment === "string" ? environment : "your list";
}

/** A setup in a few words: its environment, and what differs from the page's first setup. */
export function describe(setup: Setup): string {
  const { environment, mode, difficulty, seed, algorithm, net, numEnvs, hyperParameters } = setup;
  const words: readonly (readonly [keyof Setup, string])[] = [
    ["mode", `mode ${mode}`],
    ["difficulty", `difficulty ${difficulty}`],
    ["algorithm", algorithm.toUpperCase()],
    ["net", `net ${net}`],
    ["numEnvs", `${numEnvs} games`],
    ["seed", `seed ${seed}`],
  ];
  const changed = words.filter(([name]) => setup[name] !== DEFAULT_SETUP[name]).map(([, text]) => text);
  const settings = Object.entries(hyperParameters).map(([name, value]) => `${name.replace("_", " ")} ${value}`);
  return [environmentName(environment), ...changed, ...settings].join(", ");
}
