/** The row of controls: training, policy, player, speed. */

import { effect } from "@preact/signals-core";
import { keepKeyboard, pauseOrGoOn, setPlayer, takeStep, unfitForShipped, usePolicy } from "../app/game.js";
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
  // Fast has no meaning for a person.
  effect(() => {
    const person = store.player.value === "you";
    for (const input of document.querySelectorAll<HTMLInputElement>('input[name="speed"]')) {
      input.disabled = person && input.value === "fast";
    }
  });
  mountSkill();
}

/** The slider over the policies. The last place is the person's own run. */
function mountSkill(): void {
  const skill = element("skill", HTMLInputElement);
  const own = POLICIES.length;
  skill.addEventListener("change", () => {
    const place = skill.valueAsNumber;
    void usePolicy(place >= own ? "own" : (place as 0 | 1 | 2));
  });
  const marks = element("skill-marks", HTMLElement);
  const reason = element("skill-reason", HTMLElement);
  effect(() => {
    const choice = store.policyChoice.value;
    const unfit = store.game.value === undefined ? "" : unfitForShipped();
    const trained = store.hasOwnPolicy.value;
    skill.max = String(trained ? own : own - 1);
    skill.value = String(choice === "own" ? own : choice);
    skill.disabled = unfit !== undefined;
    setText(reason, unfit ?? "");
    reason.hidden = !unfit;
    marks.hidden = !reason.hidden;
    const name = choice !== "own" ? policyName(choice) : trained ? "policy of your run" : "no policy";
    setText(element("skill-name", HTMLElement), name);
    skill.setAttribute("aria-valuetext", name);
    const texts = POLICIES.map((policy) => policy.name as string).concat(trained ? ["yours"] : []);
    marks.replaceChildren(...texts.map((text) => h("span", {}, text)));
  });
}
