/** The strip of the run's numbers. */

import { HYPER_PARAMETERS } from "../state/setup.js";
import * as store from "../state/store.js";
import { bindText } from "./dom.js";
import { percent, short, whole } from "./format.js";

// Rounding leaves the sign of a small negative number.
const fixed = (value: number): string => value.toFixed(3).replace(/^-(?=0\.0*$)/, "");

/** Steps of all games in an update. */
function stepsPerUpdate(): number {
  const { algorithm, numEnvs, hyperParameters } = store.setup.value;
  return numEnvs * (hyperParameters.rollout ?? HYPER_PARAMETERS[algorithm].rollout);
}

export function mountStrip(): void {
  bindText("decision-frames", () => String(store.skip.value));
  const show = (id: string, text: (update: NonNullable<typeof store.latestUpdate.value>) => string): void =>
    bindText(id, () => (store.latestUpdate.value === undefined ? "–" : text(store.latestUpdate.value)));
  const stopped = (): boolean => store.training.value !== "running";
  show("steps-rate", ({ stepsPerSecond }) => (stopped() ? "0" : whole(stepsPerSecond)));
  show("updates-rate", ({ stepsPerSecond }) => (stopped() ? "0" : (stepsPerSecond / stepsPerUpdate()).toFixed(2)));
  show("share-play", ({ playing }) => percent(playing));
  show("share-learn", ({ playing }) => percent(1 - playing));
  show("entropy", ({ entropy }) => fixed(entropy));
  show("policy-loss", ({ policyLoss }) => fixed(policyLoss));
  show("value-loss", ({ valueLoss }) => fixed(valueLoss));
  show("frames-total", ({ steps }) => short(steps * store.skip.value));
}
