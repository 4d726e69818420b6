/** The live sentence: what happens on the page, in measured numbers. */

import { POLICIES, policyName } from "../policies/pretrained.js";
import * as store from "../state/store.js";
import { bindText } from "./dom.js";
import { duration, score, short } from "./format.js";

export function mountStory(): void {
  bindText("story", story);
}

function story(): string {
  const title = store.game.value?.title;
  if (title === undefined) return "A neural network learns this game, in this tab. Take over from it when you like.";
  const point = store.curve.value.latest;
  store.curveVersion.value;
  const { training } = store;
  if (training.value === "starting") return `A new net, which has never seen ${title}, begins to learn.`;
  if (training.value !== "none" && store.latestUpdate.value !== undefined) {
    const { steps } = store.latestUpdate.value;
    const time = duration(store.trainedMilliseconds.value);
    const after = `After ${time} and ${short(steps * store.skip.value)} frames`;
    if (point === undefined) return `${after} the net has not finished a game yet${others("; ")}.`;
    return `${after} it scores ${score(point.mean)} a game${others("; ")}.`;
  }
  const choice = store.policyChoice.value;
  if (choice === "own") return `A neural network can learn ${title}, in this tab: press Train your own${others("; ")}.`;
  const { name, steps } = POLICIES[choice];
  const games = store.presentEpisodes.value.filter(({ policy }) => policy === policyName(choice));
  const learned =
    choice === 0
      ? `This neural network has never seen ${title}.`
      : `This neural network learned ${title} from its pixels in ${name}, ${short(steps)} decisions.`;
  const mean = store.meanScore(games);
  if (mean === undefined) return `${learned} Take over from it when you like${others(" (", ")")}.`;
  return `${learned} It scores ${score(mean)} a game${others("; ")}.`;
}

/** What others score: random play and the person. */
function others(before: string, after = ""): string {
  const random = store.randomMean.value;
  const you = store.yourMean.value;
  const parts = [
    random === undefined ? undefined : `random play ${score(random)}`,
    you === undefined ? undefined : `you ${score(you)}`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? "" : `${before}${parts.join(", ")}${after}`;
}
