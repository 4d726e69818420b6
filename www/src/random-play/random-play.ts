/** Plays some games at random, for the line of random play in the learning curve, and to see whether a net can learn from the game. */

import { Game, type WrapperOptions } from "gym2600";
import { Random } from "../random.js";
import type { EnvironmentOptions } from "../show/types.js";

/** What is asked: a game and its environment, whose pictures are left out. */
export interface RandomPlan {
  readonly rom: Uint8Array<ArrayBuffer>;
  /** Without `preset` and `wrappers`. */
  readonly options: EnvironmentOptions;
  readonly wrappers: readonly WrapperOptions[];
  readonly seed: number;
}

/** Mean score over some games; `games` is 0 if none ended in time. */
export interface RandomPlay {
  readonly mean: number;
  readonly games: number;
  readonly steps: number;
  /** The reward of every step, if it was the same in all of enough steps. */
  readonly constantReward: number | undefined;
  /** Whether every step ended a game. */
  readonly alwaysEnds: boolean;
}

const GAMES = 100;
const LONGEST_MS = 6000;

/** Steps after which a reward that stays the same is told. */
const ENOUGH = 1000;

/** The wrappers that change what happens, and not only what is seen or counted. */
const KEPT = new Set(["StickyActions", "NoopReset", "StartWithRandomActions", "EpisodicLife", "FireReset"]);

function withoutPictures(wrappers: readonly WrapperOptions[]): WrapperOptions[] {
  return wrappers.flatMap((wrapper): WrapperOptions[] => {
    if (wrapper.type === "SkipFrames") return [{ ...wrapper, shows: "last" }];
    return KEPT.has(wrapper.type) ? [wrapper] : [];
  });
}

export async function playRandomly({ rom, options, wrappers, seed }: RandomPlan): Promise<RandomPlay> {
  const list = withoutPictures(wrappers);
  const game = await Game.create({ rom, ...options, wrappers: list, observation: "ram", autoreset: "disabled", seed });
  const random = new Random(seed);
  const into = new Uint8Array(game.observationSpace.size);
  const scores: number[] = [];
  const rewards = new Set<number>();
  let [steps, ends] = [0, 0];
  const end = performance.now() + LONGEST_MS;
  game.reset({ into });
  // A game that every step ends takes a reset for each, so its games are enough.
  while ((scores.length < GAMES || (steps < ENOUGH && ends < steps)) && performance.now() < end) {
    const { rawReward, terminated, truncated, info } = game.step(random.below(game.actionSpace.n), { into });
    steps += 1;
    // Two are enough to know that it changes.
    if (rewards.size < 2) rewards.add(rawReward);
    if (!terminated && !truncated) continue;
    ends += 1;
    // A lost life ends an episode of some environments, and the game goes on.
    if (info.episode !== undefined) scores.push(info.episode.reward);
    game.reset({ into });
  }
  game.close();
  const sum = scores.reduce((total, each) => total + each, 0);
  const alwaysEnds = steps > 0 && ends === steps;
  const [constantReward] = (steps >= ENOUGH || alwaysEnds) && rewards.size === 1 ? rewards : [];
  return {
    games: scores.length,
    mean: sum / Math.max(1, scores.length),
    steps,
    constantReward,
    alwaysEnds,
  };
}
