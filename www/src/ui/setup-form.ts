/** The drawer Setup: a draft of the setup, which takes effect by Apply. */

import { effect } from "@preact/signals-core";
import type { WrapperOptions } from "gym2600";
import type { Algorithm, Device, Net } from "gym2600/learn";
import { settleAddress } from "../app/address.js";
import { open } from "../app/game.js";
import { presetList } from "../preset-list/ask.js";
import {
  ENVIRONMENTS,
  type Environment,
  HYPER_PARAMETERS,
  minibatchesFit,
  QUARTER_OF_MINIBATCH,
  quarterOfUpdate,
  RANGES,
  type Setup,
  type Shown,
} from "../state/setup.js";
import * as store from "../state/store.js";
import { sentence, textOf } from "../text.js";
import { element, h, setText } from "./dom.js";
import { jsonOf, showPipeline } from "./pipeline.js";
import { outOfRange } from "./refusal.js";

/** The preset's value for a list of the person's own. */
const OWN = "own";

/** What the page calls the hyper-parameters. */
const LABELS: Readonly<Record<Shown, string>> = {
  rollout: "Steps between updates",
  epochs: "Epochs of an update",
  minibatches: "Minibatches",
  learning_rate: "Learning rate",
  anneal_steps: "Steps while it falls",
  anneal_to: "Share that it falls to",
  gamma: "Discount (gamma)",
  entropy: "Weight of entropy",
};

export function mountSetup(): void {
  const form = element("setup-form", HTMLFormElement);
  const { preset, wrappers } = mountList();
  mountHyperParameters();
  effect(() => {
    fillNumbers(store.setup.value);
    fillModes();
    refuse("");
  });
  effect(() => {
    store.curveVersion.value;
    const kept = store.curve.value.points.length > 0;
    const curve = kept
      ? `and keeps its curve as “run ${store.presentRun.value.number}”`
      : "in which no game has ended yet";
    setText(
      element("setup-warning", HTMLElement),
      kept || store.trains.value
        ? `Apply ends the present training${kept ? " " : ", "}${curve}.${store.unsaved.value ? " Save keeps what it has learned as a file." : ""}`
        : "Changes take effect when you apply them.",
    );
  });
  // The browser's own words do not name the number.
  form.noValidate = true;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const reason = outOfRange(form);
    if (reason === undefined) void apply(preset.value, wrappers);
    else refuse(reason);
  });
}

/** The list of wrappers: a preset, chips, and the same as JSON. Each shows what the others are changed to. */
function mountList(): { preset: HTMLSelectElement; wrappers: HTMLTextAreaElement } {
  const preset = element("preset", HTMLSelectElement);
  const wrappers = element("wrappers", HTMLTextAreaElement);
  const pipeline = element("pipeline", HTMLOListElement);
  preset.replaceChildren(
    ...ENVIRONMENTS.map(([value, text]) => h("option", { value }, text)),
    h("option", { value: OWN }, "your own list"),
  );
  const show = (list: readonly WrapperOptions[]): void => {
    const { tv, screen } = store.game.value ?? { tv: "NTSC", screen: { width: 160, height: 210 } };
    const source = `${tv === "PAL" ? 50 : 60} pictures a second of ${screen.width} × ${screen.height} pixels.`;
    pipeline.inert = false;
    wrappers.ariaInvalid = "false";
    showPipeline(pipeline, source, list, (edited) => {
      preset.value = OWN;
      wrappers.value = jsonOf(edited);
      wrappers.ariaInvalid = "false";
    });
  };
  effect(() => {
    const { environment } = store.setup.value;
    const list = (store.game.value?.wrappers ?? []) as readonly WrapperOptions[];
    preset.value = typeof environment === "string" ? environment : OWN;
    wrappers.value = jsonOf(list);
    show(list);
  });
  preset.addEventListener("change", () => {
    const { value: chosen } = preset;
    refuse("");
    if (chosen === OWN) return;
    // An edit before the list comes would be of the list before.
    pipeline.inert = true;
    const was = store.game.value;
    const present = (): boolean => preset.value === chosen && store.game.value === was;
    presetList(chosen as Environment)
      .then((list) => {
        if (!present()) return;
        wrappers.value = jsonOf(list);
        show(list);
      })
      .catch((error) => present() && refuse(`The preset cannot be used: ${textOf(error)}`));
  });
  wrappers.addEventListener("input", () => {
    preset.value = OWN;
    const list = readList(wrappers.value);
    if (list !== undefined) return show(list);
    // An edit of a chip would replace what is being typed.
    pipeline.inert = true;
    wrappers.ariaInvalid = "true";
  });
  return { preset, wrappers };
}

/** A list that chips can show; undefined if the text is none. */
function readList(text: string): readonly WrapperOptions[] | undefined {
  try {
    const list: unknown = JSON.parse(text);
    const fits = Array.isArray(list) && list.every((wrapper) => typeof wrapper?.type === "string");
    return fits ? (list as readonly WrapperOptions[]) : undefined;
  } catch {
    return undefined;
  }
}

function refuse(reason: string): void {
  setText(element("setup-error", HTMLElement), reason);
}

async function apply(preset: string, wrappers: HTMLTextAreaElement): Promise<void> {
  store.announcement.value = "";
  refuse("");
  try {
    const setup = draft(environmentOf(preset, wrappers.value));
    if (!minibatchesFit(setup)) {
      const quarter = quarterOfUpdate(setup);
      return refuse(
        `${LABELS.minibatches} have to divide ${quarter}, a quarter of an update's steps, into parts of at most ${QUARTER_OF_MINIBATCH}.`,
      );
    }
    await open(store.cartridge.value, setup);
    settleAddress();
    wrappers.ariaInvalid = "false";
    store.announcement.value = "The setup is applied";
  } catch (thrown) {
    const own = preset === OWN;
    wrappers.ariaInvalid = String(own);
    refuse(
      sentence(
        `The ${own ? "list" : "setup"} cannot be ${own && readList(wrappers.value) === undefined ? "read" : "used"}: ${textOf(thrown)}`,
      ),
    );
  }
}

function environmentOf(preset: string, text: string): Environment {
  if (preset !== OWN) return preset as Environment;
  const list: unknown = JSON.parse(text);
  if (!Array.isArray(list)) throw new Error("a list is wanted: wrappers in [ and ]");
  return list as Environment;
}

function number(id: string): number {
  return element(id, HTMLInputElement).valueAsNumber;
}

function chosen(id: string): string {
  return element(id, HTMLSelectElement).value;
}

/** The setup that the form says. */
function draft(environment: Environment): Setup {
  const algorithm = chosen("algorithm") as Algorithm;
  const defaults: Readonly<Record<string, number>> = HYPER_PARAMETERS[algorithm];
  const entries = Object.keys(LABELS).map((name) => [name, number(`hyper-${name}`)] as const);
  const optional = (id: string): number | undefined => (chosen(id) === "" ? undefined : Number(chosen(id)));
  return {
    environment,
    mode: optional("mode"),
    difficulty: optional("difficulty"),
    seed: number("seed"),
    algorithm,
    net: chosen("net") as Net,
    numEnvs: number("games"),
    workers: Number(chosen("workers")) as Setup["workers"],
    device: chosen("device") as Device,
    hyperParameters: Object.fromEntries(entries.filter(([name, value]) => value !== defaults[name])),
  };
}

function fillNumbers(setup: Setup): void {
  element("seed", HTMLInputElement).value = String(setup.seed);
  element("games", HTMLInputElement).value = String(setup.numEnvs);
  element("workers", HTMLSelectElement).value = String(setup.workers);
  element("device", HTMLSelectElement).value = setup.device;
  element("algorithm", HTMLSelectElement).value = setup.algorithm;
  element("net", HTMLSelectElement).value = setup.net;
  fillHyperParameters({ ...HYPER_PARAMETERS[setup.algorithm], ...setup.hyperParameters });
}

function fillHyperParameters(values: Readonly<Record<string, number>>): void {
  for (const name of Object.keys(LABELS)) element(`hyper-${name}`, HTMLInputElement).value = String(values[name]);
}

function fillModes(): void {
  const game = store.game.value;
  const fill = (id: string, values: readonly number[], selected: number | undefined): void => {
    const select = element(id, HTMLSelectElement);
    select.replaceChildren(
      h("option", { value: "" }, "default"),
      ...values.map((value) => h("option", { value: String(value) }, String(value))),
    );
    select.value = selected === undefined ? "" : String(selected);
  };
  fill("mode", game?.modes ?? [], store.setup.value.mode);
  fill("difficulty", game?.difficulties ?? [], store.setup.value.difficulty);
}

function mountHyperParameters(): void {
  element("hyper", HTMLElement).replaceChildren(
    ...Object.entries(RANGES).map(([name, { least, most, whole }]) => {
      const text = LABELS[name as Shown];
      const input = h("input", {
        id: `hyper-${name}`,
        type: "number",
        min: String(least),
        max: String(most),
        step: whole ? "1" : "any",
        required: "",
      });
      return h("label", { class: "field" }, h("span", {}, text), input);
    }),
  );
  const algorithm = element("algorithm", HTMLSelectElement);
  algorithm.addEventListener("change", () => fillHyperParameters(HYPER_PARAMETERS[algorithm.value as Algorithm]));
}
