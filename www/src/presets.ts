/** The presets and their texts on the page. */

import type { GameDescription, PresetName } from "gym2600";

/** The presets with their texts in the list. The page starts with the first. */
export const PRESETS: readonly (readonly [PresetName, string])[] = [
  ["labml", "labml: the annotated PPO's Game"],
  ["gym2600", "gym2600: our recommendation"],
  ["gymnasium", "gymnasium: AtariPreprocessing"],
  ["ale-vector", "ale-vector: AtariVectorEnv"],
  ["envpool", "envpool"],
  ["baselines", "baselines: wrap_deepmind"],
  ["nature-dqn", "nature-dqn: the notebook's"],
];

/** Steps per second at the speed of the console. */
export function realTimeSteps({ tv, spec }: GameDescription): number {
  const frames = spec.wrappers.reduce(
    (product, wrapper) => (wrapper.type === "SkipFrames" ? product * (wrapper.n ?? 4) : product),
    1,
  );
  return (tv === "PAL" ? 50 : 60) / frames;
}

/** Whether the step after an end ignores its action and starts an episode. */
export function resetTakesStep({ spec }: GameDescription): boolean {
  return spec.wrappers.some((wrapper) => wrapper.type === "AutoReset" && wrapper.mode !== "same-step");
}
