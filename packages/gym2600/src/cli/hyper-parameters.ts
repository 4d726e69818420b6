/** Hyper-parameters on the command line: `--set KEY=VALUE`, or an option for each, under our name or CleanRL's. */

import type { CleanRLHyperParameters, HyperParameters } from "../schema/learn.js";
import { HYPER_PARAMETERS } from "../schema/learn.js";

/** What each hyper-parameter is, and CleanRL's name of it where that differs. */
const MEANINGS: Readonly<
  Record<keyof HyperParameters, readonly [meaning: string, theirs?: keyof CleanRLHyperParameters]>
> = {
  rollout: ["Steps of each game between updates", "num_steps"],
  epochs: ["How often an update goes through its steps", "update_epochs"],
  minibatches: ["Gradient steps of an epoch", "num_minibatches"],
  learning_rate: ["Learning rate"],
  warmup_steps: ["Steps over which the learning rate rises linearly to its value; 0 starts with it"],
  anneal_steps: ["Steps over which the learning rate falls linearly; 0 keeps it constant"],
  anneal_to: ["The share of the learning rate to which it falls, and which it keeps from then on"],
  gamma: ["Discount"],
  lambda: ["Lambda of generalised advantage estimation; 1 gives n-step returns", "gae_lambda"],
  clip: ["PPO's bound on the change of a probability's ratio", "clip_coef"],
  clip_value: ["Whether PPO bounds the change of values too", "clip_vloss"],
  normalize: ["Whether advantages are normalised in each minibatch", "norm_adv"],
  entropy: ["Weight of the entropy", "ent_coef"],
  value: ["Weight of the value's loss", "vf_coef"],
  gradient_norm: ["Bound on the gradient's norm", "max_grad_norm"],
  optimizer: ["adam or rmsprop"],
  epsilon: ["The optimizer's epsilon"],
};

const NAMES = Object.keys(MEANINGS) as Array<keyof HyperParameters>;

const dashed = (name: string) => name.replaceAll("_", "-");

/** The options. */
export const HYPER_OPTIONS: readonly string[] = NAMES.map(dashed);

/** CleanRL's names of options, and ours. */
export const HYPER_ALIASES: Readonly<Record<string, string>> = Object.fromEntries(
  NAMES.flatMap((name) => {
    const [, theirs] = MEANINGS[name];
    return theirs === undefined ? [] : [[dashed(theirs), dashed(name)]];
  }),
);

/** Whether it is our name of a hyper-parameter. */
export function isHyperParameter(name: string): boolean {
  return Object.hasOwn(MEANINGS, name);
}

/** How the command line calls a hyper-parameter, or one that there is not. */
export function hyperParameterOption(name: string): string {
  return isHyperParameter(name) ? `--${dashed(name)}` : `--set ${name}`;
}

/** The settings of options, by name. */
export function hyperParametersOf(options: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const given = NAMES.map((name) => [name, options[dashed(name)]] as const);
  return Object.fromEntries(given.filter((entry): entry is [(typeof entry)[0], string] => entry[1] !== undefined));
}

/** The lines of help. */
export function hyperParameterHelp(): string[] {
  return NAMES.map((name) => {
    const [meaning, theirs] = MEANINGS[name];
    const [ppo, a2c] = [HYPER_PARAMETERS.ppo[name], HYPER_PARAMETERS.a2c[name]];
    const other = ppo === a2c ? "" : `; of a2c ${a2c}`;
    const alias = theirs === undefined ? "" : ` [alias: --${dashed(theirs)}]`;
    return `--${dashed(name)} VALUE  ${meaning} [default: ${ppo}${other}]${alias}`;
  });
}
