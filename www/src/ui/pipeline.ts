/** The wrappers between the console and the agent, as sentences whose numbers can be edited in place. */

import type { WrapperOptions } from "gym2600";
import { h } from "./dom.js";

type Wrapper = WrapperOptions;

/** A number in a sentence: its option, its default, its least and most. */
interface Field {
  readonly option: string;
  readonly or: number;
  readonly least: number;
  readonly most: number;
  readonly step?: number;
}

const n = (option: string, or: number, least: number, most: number, step = 1): Field => ({
  option,
  or,
  least,
  most,
  step,
});

/** A sentence for each wrapper; numbers stand in it as fields. */
const SENTENCES: Readonly<Record<Wrapper["type"], readonly (string | Field)[]>> = {
  StickyActions: ["A frame repeats the previous action with probability ", n("probability", 0.25, 0, 1, 0.05), "."],
  FrameBlending: ["Each picture is blended with the one before."],
  EpisodicLife: ["A lost life ends the agent's episode, and the game goes on."],
  FireReset: ["FIRE is pressed at the start, for games that wait for it."],
  NoopReset: ["A game begins with up to ", n("max", 30, 0, 255), " frames without action."],
  StartWithRandomActions: ["A game begins with up to ", n("max", 30, 0, 255), " random actions."],
  MaxBetweenFrames: ["Two neighbouring frames are joined, so that flickering objects stay visible."],
  SkipFrames: ["The agent chooses every ", n("n", 4, 1, 60), ". frame; the action is held in between."],
  ImagePreprocessing: [
    "The picture becomes grey, ",
    n("width", 84, 8, 160),
    " wide and ",
    n("height", 84, 8, 250),
    " high.",
  ],
  QueueFrames: ["The agent sees the last ", n("n", 4, 1, 16), " pictures, so that it can see movement."],
  ClipReward: ["Rewards become −1, 0 or 1."],
  ScaledFloat: ["Pixels become numbers from 0 to 1."],
  TimeLimit: ["An episode ends after ", n("steps", 1000, 1, 10_000_000), " decisions."],
  EpisodeStatistics: ["Score and length of each game are counted."],
  AutoReset: ["The next episode begins by itself."],
};

/**
 * Shows a list of wrappers.
 *
 * @param edited is called with the new list after an edit
 */
export function showPipeline(
  place: HTMLOListElement,
  wrappers: readonly Wrapper[],
  edited: (list: Wrapper[]) => void,
): void {
  const rows = wrappers.map((wrapper, index) => {
    const change = (option: string, value: number): void =>
      edited(wrappers.map((other, at) => (at === index ? ({ ...other, [option]: value } as Wrapper) : other)));
    const remove = h("button", { type: "button", class: "quiet small", "aria-label": `Remove ${wrapper.type}` }, "×");
    remove.addEventListener("click", () => edited(wrappers.filter((_, at) => at !== index)));
    return h("li", { class: "chip" }, h("strong", {}, wrapper.type), sentenceOf(wrapper, change), remove);
  });
  place.replaceChildren(
    h(
      "li",
      { class: "chip end" },
      h("strong", {}, "Console"),
      h("span", {}, "60 pictures a second of 160 × 210 pixels."),
    ),
    ...rows,
    h("li", { class: "chip end" }, h("strong", {}, "Agent"), h("span", {}, "A net gives each action a probability.")),
  );
}

function sentenceOf(wrapper: Wrapper, change: (option: string, value: number) => void): HTMLElement {
  const options = wrapper as unknown as Readonly<Record<string, unknown>>;
  const parts = (SENTENCES[wrapper.type] ?? []).map((part) => {
    if (typeof part === "string") return part;
    const { option, or, least, most, step = 1 } = part;
    const input = h("input", {
      type: "number",
      min: String(least),
      max: String(most),
      step: String(step),
      value: String(options[option] ?? or),
      "aria-label": `${wrapper.type}: ${option}`,
    });
    input.addEventListener("change", () => {
      if (input.checkValidity() && input.value !== "") change(option, input.valueAsNumber);
    });
    return input;
  });
  return h("span", {}, ...parts);
}

/** A wrapper on each line. */
export function jsonOf(wrappers: readonly unknown[]): string {
  const lines = wrappers.map((wrapper) => `  ${JSON.stringify(wrapper).replace(/([:,])(?=["\d[{ntf])/g, "$1 ")}`);
  return `[\n${lines.join(",\n")}\n]`;
}
