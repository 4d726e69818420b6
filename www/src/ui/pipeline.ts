/** The wrappers between the console and the agent, as sentences whose numbers can be edited in place. */

import type { WrapperOptions } from "gym2600";
import { element, h } from "./dom.js";

/** A number in a sentence: its option, its least and most. */
interface Field {
  readonly option: string;
  readonly least: number;
  readonly most: number;
  readonly step: number;
}

type Sentence = readonly (string | Field)[];

const n = (option: string, least: number, most: number, step = 1): Field => ({ option, least, most, step });

/** A sentence for each wrapper; numbers stand in it as fields. */
const SENTENCES: Readonly<Record<Exclude<WrapperOptions["type"], "ImagePreprocessing">, Sentence>> = {
  StickyActions: ["A frame repeats the previous action with probability ", n("probability", 0, 1, 0.05), "."],
  FrameBlending: ["Each picture is blended with the one before."],
  EpisodicLife: ["A lost life ends the agent's episode, and the game goes on."],
  FireReset: ["FIRE is pressed at the start, for games that wait for it."],
  NoopReset: ["A game begins with up to ", n("max", 0, 255), " frames without action."],
  StartWithRandomActions: ["A game begins with up to ", n("max", 0, 255), " random actions."],
  MaxBetweenFrames: ["Two neighbouring frames are joined, so that flickering objects stay visible."],
  SkipFrames: ["The agent chooses once in ", n("n", 1, 60), " frames; the action is held in between."],
  QueueFrames: ["The agent sees the last ", n("n", 1, 16), " pictures, so that it can see movement."],
  ClipReward: ["Rewards become −1, 0 or 1."],
  ScaledFloat: ["Pixels become numbers from 0 to 1."],
  TimeLimit: ["An episode ends after ", n("steps", 1, 10_000_000), " decisions."],
  EpisodeStatistics: ["Score and length of each game are counted."],
  AutoReset: ["The next episode begins by itself."],
};

/** The number of frames may be drawn anew for each decision. */
const RANDOM_SKIP: Sentence = [
  "The agent chooses after at least ",
  n("n", 1, 60),
  " and fewer than ",
  n("below", 2, 61),
  " frames, a random number; the action is held in between.",
];

/** Some environments make the picture grey first, and shrink it later. */
function imageSentence({ grey, width, height }: Extract<WrapperOptions, { type: "ImagePreprocessing" }>): Sentence {
  const size =
    width === null || height === null ? [] : [n("width", 8, 160), " wide and ", n("height", 8, 250), " high."];
  if (grey === null) return size.length === 0 ? ["The picture stays as it is."] : ["The picture becomes ", ...size];
  return size.length === 0 ? ["The picture becomes grey."] : ["The picture becomes grey, ", ...size];
}

/**
 * Shows a list of wrappers.
 *
 * @param source what the console shows, as a sentence
 * @param edited is called with the new list after an edit, which the rows show already: the field that has the focus keeps it
 */
export function showPipeline(
  place: HTMLOListElement,
  source: string,
  wrappers: readonly WrapperOptions[],
  edited: (list: readonly WrapperOptions[]) => void,
): void {
  const list = [...wrappers];
  const rows = list.map((wrapper) => {
    const change = (option: string, value: number): void => {
      const at = rows.indexOf(row);
      list[at] = { ...list[at], [option]: value } as WrapperOptions;
      edited(list);
    };
    const remove = h("button", { type: "button", class: "quiet small", "aria-label": `Remove ${wrapper.type}` }, "×");
    const row = h("li", { class: "chip" }, h("strong", {}, wrapper.type), sentenceOf(wrapper, change), remove);
    remove.addEventListener("click", () => {
      const at = rows.indexOf(row);
      list.splice(at, 1);
      rows.splice(at, 1);
      const neighbour = rows[at] ?? rows[at - 1];
      (neighbour?.querySelector("button") ?? element("preset", HTMLSelectElement)).focus();
      row.remove();
      edited(list);
    });
    return row;
  });
  // The same list, applied with Enter in a field, has the same fields.
  const fields = (): HTMLElement[] => [...place.querySelectorAll<HTMLElement>("input, button")];
  const focused = fields().indexOf(document.activeElement as HTMLElement);
  place.replaceChildren(
    h("li", { class: "chip end" }, h("strong", {}, "Console"), h("span", {}, source)),
    ...rows,
    h("li", { class: "chip end" }, h("strong", {}, "Agent"), h("span", {}, "A net gives each action a probability.")),
  );
  fields()[focused]?.focus();
}

function sentenceFor(wrapper: WrapperOptions): Sentence {
  if (wrapper.type === "ImagePreprocessing") return imageSentence(wrapper);
  if (wrapper.type === "SkipFrames" && typeof wrapper.below === "number") return RANDOM_SKIP;
  // A list that is being typed may have a wrapper that does not exist.
  return SENTENCES[wrapper.type] ?? [];
}

function sentenceOf(wrapper: WrapperOptions, change: (option: string, value: number) => void): HTMLElement {
  const options = wrapper as unknown as Readonly<Record<string, unknown>>;
  const sentence = sentenceFor(wrapper);
  const parts = sentence.map((part) => {
    if (typeof part === "string") return part;
    const { option, least, most, step } = part;
    const input = h("input", {
      type: "number",
      min: String(least),
      max: String(most),
      step: String(step),
      value: String(options[option] ?? ""),
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
