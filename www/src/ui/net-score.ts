/** What the agent's net scores. */

import { POLICIES, policyName } from "../policies/pretrained.js";
import { OVER } from "../state/curve.js";
import * as store from "../state/store.js";

/** A mean score, and the games that it is of. */
export interface NetScore {
  readonly mean: number;
  readonly games: number;
}

/** The score of the net that the agent plays by: of the run, or of the shipped policy; undefined if it is not known. */
export function netScore(): NetScore | undefined {
  store.curveVersion.value;
  const { latest, games } = store.curve.value;
  const choice = store.policyChoice.value;
  if (choice === "own") return latest && { mean: latest.mean, games: Math.min(games, OVER) };
  const name = choice === "file" ? store.policyFile.value?.name : policyName(choice);
  const here = store.presentEpisodes.value.filter(({ policy }) => policy === name);
  const { mode, difficulty } = store.setup.value;
  // What was measured when the policy was made is of more games than those seen here, but of the default mode only.
  if (choice !== "file" && !mode && !difficulty && here.length < POLICIES[choice].games) return POLICIES[choice];
  const mean = store.meanScore(here);
  return mean === undefined ? undefined : { mean, games: here.length };
}
