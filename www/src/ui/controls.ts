/** The row of controls: training, policy, player, speed. The axis of the chart too. */

import { effect } from "@preact/signals-core";
import { keepKeyboard, pauseOrGoOn, setPlayer, takeStep, usePolicy } from "../app/game.js";
import { saveWeights, trainOrPause } from "../app/run.js";
import { POLICIES, policyName } from "../policies/pretrained.js";
import * as store from "../state/store.js";
import { bindRadios, button, element, h, setText } from "./dom.js";

const TRAIN: Readonly<Record<store.Training, string>> = {
  none: "Train your own",
  starting: "Starting…",
  running: "Pause training",
  pausing: "Pausing…",
  paused: "Go on training",
  failed: "Train again",
};

export function mountControls(): void {
  const train = button("train", trainOrPause);
  effect(() => {
    setText(train, TRAIN[store.training.value]);
    train.disabled = store.game.value === undefined;
    // A button that is disabled would lose the focus.
    train.ariaDisabled = String(store.training.value === "starting");
  });
  const save = button("save", () => void saveWeights());
  effect(() => {
    save.disabled = !store.hasWeights.value;
  });
  const pause = button("pause", pauseOrGoOn);
  const step = button("step", takeStep);
  effect(() => {
    pause.disabled = store.game.value === undefined;
    step.disabled = store.game.value === undefined;
    setText(pause, store.running.value ? "Pause picture" : "Start picture");
  });
  bindRadios("player", () => store.player.value, setPlayer);
  bindRadios(
    "speed",
    () => store.speed.value,
    (speed) => {
      store.speed.value = speed;
      store.running.value = true;
      keepKeyboard();
    },
  );
  // The chart's script is loaded apart, and what a person chooses before counts.
  bindRadios(
    "x-axis",
    () => store.xAxis.value,
    (unit) => {
      store.xAxis.value = unit;
    },
  );
  // Fast has no meaning for a person.
  effect(() => {
    const person = store.player.value === "you";
    for (const input of document.querySelectorAll<HTMLInputElement>('input[name="speed"]')) {
      input.disabled = person && input.value === "fast";
    }
  });
  mountSkill();
}

/** The policies that the slider has: the shipped ones where they fit, that of the person's run, and that of a file. */
function choices(): readonly (readonly [choice: store.PolicyChoice, mark: string])[] {
  const fit = store.game.value === undefined || store.unfitForShipped() === undefined;
  const shipped = POLICIES.map(({ name }, place) => [place as 0 | 1 | 2, name] as const);
  return [
    ...(fit ? shipped : []),
    ...(store.hasOwnPolicy.value ? [["own", "yours"] as const] : []),
    ...(store.policyFile.value === undefined ? [] : [["file", "file"] as const]),
  ];
}

/** The slider over the policies. */
function mountSkill(): void {
  const skill = element("skill", HTMLInputElement);
  skill.addEventListener("change", () => {
    const [choice] = choices()[skill.valueAsNumber] ?? [];
    if (choice !== undefined) void usePolicy(choice);
  });
  const marks = element("skill-marks", HTMLElement);
  const reason = element("skill-reason", HTMLElement);
  effect(() => {
    const choice = store.policyChoice.value;
    const unfit = store.game.value === undefined ? "" : store.unfitForShipped();
    const all = choices();
    skill.max = String(Math.max(0, all.length - 1));
    skill.value = String(all.findIndex(([one]) => one === choice));
    skill.disabled = unfit !== undefined && all.length < 2;
    setText(reason, unfit ?? "");
    reason.hidden = !unfit;
    marks.hidden = !reason.hidden;
    const name = nameOf(choice);
    setText(element("skill-name", HTMLElement), name);
    skill.setAttribute("aria-valuetext", name);
    marks.replaceChildren(...all.map(([, mark]) => h("span", {}, mark)));
  });
}

function nameOf(choice: store.PolicyChoice): string {
  if (choice === "file") return store.policyFile.value?.name ?? "no policy";
  if (choice !== "own") return policyName(choice);
  return store.hasOwnPolicy.value ? "policy of your run" : "no policy";
}
