/** The package's presets as the page shows them. */

import type { PresetName, Spec } from "gym2600";

/** Every preset with what a person reads in the list. The first one is what the page starts with. */
export const PRESETS: readonly (readonly [PresetName, string])[] = [
  ["labml", "labml: the annotated PPO's Game"],
  ["gym2600", "gym2600: our recommendation"],
  ["gymnasium", "gymnasium: AtariPreprocessing"],
  ["ale-vector", "ale-vector: AtariVectorEnv"],
  ["envpool", "envpool"],
  ["baselines", "baselines: wrap_deepmind"],
  ["nature-dqn", "nature-dqn: the notebook's"],
];

/** How many of the console's frames a step takes, which says what real time is. */
export function framesPerStep({ wrappers }: Spec): number {
  return wrappers.reduce((frames, wrapper) => (wrapper.type === "SkipFrames" ? frames * (wrapper.n ?? 4) : frames), 1);
}
