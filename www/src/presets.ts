/** The package's presets as the page shows them. */

import type { GameDescription, PresetName } from "gym2600";

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

/** How many steps a second are real time. */
export function realTimeSteps({ tv, spec }: GameDescription): number {
  const frames = spec.wrappers.reduce(
    (product, wrapper) => (wrapper.type === "SkipFrames" ? product * (wrapper.n ?? 4) : product),
    1,
  );
  return (tv === "PAL" ? 50 : 60) / frames;
}

/** Whether the step after an episode's end only starts the next one. */
export function resetTakesStep({ spec }: GameDescription): boolean {
  return spec.wrappers.some((wrapper) => wrapper.type === "AutoReset" && wrapper.mode !== "same-step");
}
