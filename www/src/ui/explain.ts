/** The drawer Explain: eight short steps from pixel to policy, with the live data. Its script is loaded apart from the page's. */

import { effect, signal } from "@preact/signals-core";
import { drawGrey } from "../grey.js";
import * as store from "../state/store.js";
import { button, context2d, element, setText } from "./dom.js";
import { percent, short, whole } from "./format.js";

interface Step {
  readonly heading: string;
  readonly text: string;
  /** A sentence with the numbers of the moment. */
  readonly live: () => string;
  /** What is drawn: the newest frame the agent sees, the change since the oldest, or nothing. */
  readonly draws: "newest" | "change" | "nothing";
  /** The part of the page that it describes, by its selector. */
  readonly about: string;
}

const record = () => store.record.value;
const update = () => store.latestUpdate.value;
/** Why there is nothing of a policy to show. */
const noPolicy = (): string =>
  record()?.player === "you" ? "You play, so no policy decides now." : "The random agent has no policy.";
const untrained = "Train your own to see its numbers here.";

const STEPS: readonly Step[] = [
  {
    heading: "The console draws",
    text: "The Atari 2600 draws 60 pictures a second, 50 on a PAL television. The agent sees these pixels: no rules, no positions. While it learns, it is also told the reward: whether a decision won or lost points, which the page reads from the console's memory.",
    live: () => {
      const frames = record()?.framesPerSecond;
      if (frames === undefined) return "…";
      return record()?.speed === "fast"
        ? `This game plays ${whole(frames)} frames a second now.`
        : `This game shows ${whole(frames)} pictures a second now.`;
    },
    draws: "nothing",
    about: ".television",
  },
  {
    heading: "Pixels become small and grey",
    text: "Each picture is made grey and shrunk. That is enough to play, and there is less to compute.",
    live: () => {
      const shape = store.game.value?.shape;
      return shape === undefined
        ? ""
        : `Each picture has ${shape[2]} × ${shape[1]} = ${whole(shape[1] * shape[2])} pixels.`;
    },
    draws: "newest",
    about: "#frames",
  },
  {
    heading: "Several pictures make a movement",
    text: "One picture does not tell where the ball goes. The last few do. White and black mark what moved.",
    live: () => {
      const [skip, frames] = [store.skip.value, store.game.value?.shape?.[0] ?? 1];
      return `A decision lasts ${skip} frames, so the stack looks back ${(frames - 1) * skip} frames.`;
    },
    draws: "change",
    about: "#frames",
  },
  {
    heading: "A net looks at the stack",
    text: "Layers of small filters find edges and balls, and a layer of units combines them. Saliency shows which patches matter.",
    live: () => {
      const map = record()?.saliency;
      if (record()?.value === undefined) return noPolicy();
      if (map === undefined) return "Switch Saliency on to measure it.";
      return `Hiding the most important patch changes the policy by ${percent(Math.max(...map))}.`;
    },
    draws: "newest",
    about: ".television",
  },
  {
    heading: "The policy: a probability for each action",
    text: "The actor's output is a probability for every action. The agent draws one of them.",
    live: () => {
      const { probabilities, action = 0, value } = record() ?? {};
      const name = store.game.value?.actions[action] ?? "";
      const share = probabilities?.[action];
      if (share === undefined) return `${noPolicy()} Your keys say ${name}.`;
      const draws = `Now it draws ${name}, which had ${percent(share)}`;
      return value === undefined ? `${noPolicy()} ${draws}, as every action.` : `${draws}.`;
    },
    draws: "nothing",
    about: "#actions",
  },
  {
    heading: "The value: what it expects",
    text: "The critic's output is the sum of rewards that it expects from now on, the near ones weighted most. A decision that scores counts 1, whatever its points.",
    live: () => {
      const value = record()?.value;
      return value === undefined ? noPolicy() : `Now it expects ${value.toFixed(2)}.`;
    },
    draws: "nothing",
    about: ".thinks",
  },
  {
    heading: "Learning: better than expected?",
    text: "Many games play at once. Where a decision brought more than the critic expected, it is made more probable; where less, less.",
    live: () => {
      const latest = update();
      if (latest === undefined) return untrained;
      // The share of the returns' variance that the values explain; none of it where they are worse than a constant.
      const foreseen = percent(Math.max(0, latest.explainedVariance || 0));
      return `Before update ${whole(latest.update)} the critic had foreseen ${foreseen} of how the rewards of its decisions differed.`;
    },
    draws: "nothing",
    about: ".lanes-row",
  },
  {
    heading: "Again and again",
    text: "Small steps, thousands of times. The curve shows the score of the last 100 games. Entropy measures how evenly the policy spreads its probabilities: it falls as one action stands out.",
    live: () => {
      const latest = update();
      if (latest === undefined) return untrained;
      return `Entropy is ${latest.entropy.toFixed(2)} after ${short(latest.steps * store.skip.value)} frames.`;
    },
    draws: "nothing",
    about: "#panel-curve",
  },
];

export function mountExplain(): void {
  const at = signal(0);
  const [back, next] = [
    button("explain-back", () => {
      at.value = Math.max(at.value - 1, 0);
    }),
    button("explain-next", () => {
      if (at.value < STEPS.length - 1) at.value += 1;
      else {
        element("explain", HTMLElement).querySelector<HTMLButtonElement>(".close")?.click();
        at.value = 0;
      }
    }),
  ];
  const canvas = element("explain-canvas", HTMLCanvasElement);
  const context = context2d(canvas);
  effect(() => {
    if (store.drawer.value !== "explain") {
      described?.classList.remove("described");
      described = null;
      return;
    }
    const step = STEPS[at.value];
    if (step === undefined) return;
    setText(element("explain-count", HTMLElement), `Step ${at.value + 1} of ${STEPS.length}`);
    setText(element("explain-heading", HTMLElement), step.heading);
    setText(element("explain-text", HTMLElement), step.text);
    setText(element("explain-live", HTMLElement), step.live());
    setText(next, at.value === STEPS.length - 1 ? "Done" : "Next");
    // A button that is disabled would lose the focus.
    back.ariaDisabled = String(at.value === 0);
    show(step.about);
    canvas.hidden = step.draws === "nothing" || store.game.value?.shape === undefined;
    if (!canvas.hidden) draw(step.draws, canvas, context);
  });
  element("explain-controls", HTMLFieldSetElement).disabled = false;
}

/** What is described now. */
let described: Element | null = null;

/**
 * Marks what a step describes, and brings it into sight: in its tab on small screens, above the sheet. On a desktop the drawer is on
 * the other side of it, or above the row of training games, which is as wide as the page.
 */
function show(about: string): void {
  const target = document.querySelector(about);
  const drawer = element("explain", HTMLElement);
  const row = SMALL.matches ? undefined : target?.closest(".lanes-row")?.getBoundingClientRect();
  drawer.style.bottom = row === undefined ? "" : `${innerHeight - row.top + GAP}px`;
  if (target === described) return;
  described?.classList.remove("described");
  described = target;
  if (target === null) return;
  target.classList.add("described");
  const panel = target.closest("[id^=panel-]");
  drawer.dataset.side = panel?.id === "panel-curve" ? "left" : "right";
  if (!SMALL.matches) return;
  if (panel !== null) document.getElementById(panel.id.replace("panel", "tab"))?.click();
  target.scrollIntoView({ block: "start" });
}

/** Room for the outline of what is described, in pixels. */
const GAP = 8;

const SMALL = matchMedia("(max-width: 999px)");

function draw(what: Step["draws"], canvas: HTMLCanvasElement, context: CanvasRenderingContext2D): void {
  const [stack, shape] = [record()?.stack, store.game.value?.shape];
  if (stack === undefined || shape === undefined) return;
  const [frames, height, width] = shape;
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const newest = stack.subarray((frames - 1) * height * width);
  const oldest = stack.subarray(0, height * width);
  const change = (grey: number, pixel: number): number => 128 + (grey - (oldest[pixel] ?? 0)) / 2;
  drawGrey(context, what === "newest" ? newest : Uint8Array.from(newest, change), width, height);
}
