/** The learner's environment, made from that of a setup. Its games can restore the states of the trainer's games. */

import { Game, type WrapperOptions } from "gym2600";
import type { EnvironmentOptions } from "../show/types.js";

/** The options of a game that restores states of the training with these options. */
export async function trainingOptions(
  rom: Uint8Array<ArrayBuffer>,
  options: EnvironmentOptions,
): Promise<EnvironmentOptions> {
  const whole = await Game.create({ rom, ...options });
  const { spec } = whole.description;
  whole.close();
  const { preset: _preset, ...others } = options;
  return {
    ...others,
    wrappers: trainingWrappers(spec.wrappers),
    seeding: spec.seeding,
    maxFramesPerEpisode: spec.maxFramesPerEpisode,
    autoreset: "same-step",
  };
}

/** The list that the learner makes of an environment's. */
function trainingWrappers(wrappers: readonly WrapperOptions[]): WrapperOptions[] {
  const list = wrappers
    .filter(({ type }) => type !== "AutoReset")
    .map(
      (wrapper): WrapperOptions =>
        wrapper.type === "QueueFrames" && wrapper.concat !== true ? { ...wrapper, axis: "first" } : wrapper,
    );
  if (list.some(({ type }) => type === "EpisodeStatistics")) return list;
  const divides = (wrapper: WrapperOptions): boolean =>
    wrapper.type === "ClipReward" || (wrapper.type === "EpisodicLife" && wrapper.restart !== "fullReset");
  const found = list.findIndex(divides);
  list.splice(found < 0 ? list.length : found, 0, { type: "EpisodeStatistics" });
  return list;
}
