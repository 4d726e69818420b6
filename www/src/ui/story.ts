/** The live sentence: what happens on the page, in measured numbers. */

import { POLICIES } from "../policies/pretrained.js";
import { OVER } from "../state/curve.js";
import * as store from "../state/store.js";
import { bindText } from "./dom.js";
import { duration, plural, score, short } from "./format.js";
import { netScore } from "./net-score.js";

export function mountStory(): void {
  bindText("story", story);
}

function story(): string {
  const title = store.game.value?.title;
  if (title === undefined) return "A neural network learns this game, in this tab. Take over from it when you like.";
  switch (store.player.value) {
    case "you":
      return `You play ${title}.${net()}${others()}`;
    case "random":
      return `The random agent plays ${title}: each action is drawn by lot.${others()}`;
    case "agent":
      return agentStory(title);
  }
}

function agentStory(title: string): string {
  store.curveVersion.value;
  const update = store.latestUpdate.value;
  if (store.trains.value && update === undefined) return `A new net, which has never seen ${title}, begins to learn.`;
  if (update !== undefined) return learning(update.steps);
  const choice = store.policyChoice.value;
  if (store.scoreless.value)
    return `${title} has no score that a net could learn from. Find the score by the menu Game, and train.`;
  if (choice === "file")
    return `${title} is played by the policy of ${store.policyFile.value?.name}.${net()}${others()}`;
  if (choice === "own") return `A neural network can learn ${title} in this tab: press Train your own.${others()}`;
  const { name } = POLICIES[choice];
  const other = otherMode();
  const lesson = other === undefined ? `${title} from its pixels in ${name}` : `the default mode of ${title}`;
  const learned =
    choice === 0 ? `This neural network has never seen ${title}.` : `This neural network learned ${lesson}.`;
  const measured = netScore();
  if (measured === undefined) return `${learned}${others()}`;
  const { games, mean } = measured;
  const over = games === 1 ? "in its first game" : `a game over ${games} games`;
  return `${learned} ${other ?? "It"} scores ${score(mean)} ${over}${compared()}`;
}

/** The subject of a sentence about scores in another mode than the shipped policies learned, which is WALLOP's first. */
function otherMode(): string | undefined {
  const { mode, difficulty } = store.setup.value;
  if (mode) return `In mode ${mode} it`;
  return difficulty ? `At difficulty ${difficulty} it` : undefined;
}

/** What the run has come to. A mean over few games is not yet the score of the net. */
function learning(steps: number): string {
  const milliseconds = store.trainedMilliseconds.value;
  const time = milliseconds < 1000 ? "" : `${duration(milliseconds)} and `;
  const after = `After ${time}${short(steps * store.skip.value)} frames`;
  const { latest, games } = store.curve.value;
  const { value: unit } = store.unit;
  if (latest === undefined) return `${after} the net has not finished a ${unit} yet.${others()}`;
  const mean = score(latest.mean);
  if (games === 1) return `${after} its first ${unit} scored ${mean}${compared()}`;
  if (games < OVER) return `${after} its first ${games} ${plural(unit)} average ${mean}${compared()}`;
  return `${after} it scores ${mean} a ${unit}${compared()}`;
}

/** The end of a sentence that says what the net scores: what random play and the person score. */
function compared(): string {
  const [random, you] = [store.randomMean.value, store.yourMean.value];
  const scores = [
    random === undefined ? "" : `, random play ${score(random)}`,
    you === undefined ? "" : `, you ${score(you)}`,
  ];
  return `${scores.join("")}.`;
}

/** What the net scores, which stays while a person plays. */
function net(): string {
  const measured = netScore();
  return measured === undefined ? "" : ` The net scores ${score(measured.mean)} a ${store.unit.value}.`;
}

/** The same as sentences of their own. */
function others(): string {
  const [random, you] = [store.randomMean.value, store.yourMean.value];
  const scores = [
    random === undefined ? "" : ` Random play scores ${score(random)} a ${store.unit.value}.`,
    you === undefined ? "" : ` You score ${score(you)}.`,
  ];
  return scores.join("");
}
