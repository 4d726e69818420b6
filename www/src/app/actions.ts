/** What a person can do on the page. Each action changes the store, and asks the workers. */

import { batch } from "@preact/signals-core";
import { type GameDefinition, Gym2600Error } from "gym2600";
import type { LastPlayed } from "../data/memory.js";
import { loadPolicy, POLICIES } from "../policies/pretrained.js";
import type { RandomPlan, RandomPlay } from "../random-play/worker.js";
import type { Player } from "../show/protocol.js";
import { Curve } from "../state/curve.js";
import { type Linked, readHash } from "../state/link.js";
import { type Cartridge, DEFAULT_SETUP, gameOptions, HYPER_PARAMETERS, type Setup } from "../state/setup.js";
import * as store from "../state/store.js";
import { element } from "../ui/dom.js";
import { laneCanvases } from "../ui/lanes.js";
import { ShowClient } from "./show-client.js";
import { TrainingClient } from "./training-client.js";

/** The largest cartridges ever made hold half of this. Anything above is not even read. */
const LARGEST_FILE = 1024 * 1024;

/** The least description of a game: it has no score and never ends. */
const WITHOUT_SCORES: GameDefinition = { rom: "unknown", title: "Unknown game" };

export const show = new ShowClient(element("screen", HTMLCanvasElement), (text) => {
  store.running.value = false;
  fail("The game stopped.", `${sentence(text)} New game starts it again.`);
});

let training: TrainingClient | undefined;
let randomPlay: Worker | undefined;
/** Counts wishes to open a game. A wish is dropped when a later one has been made. */
let wish = 0;

/** A link whose ROM is not here yet. */
let linked: Linked | undefined;

/** Opens the first game: what the address says, what was played last, or WALLOP. */
export async function begin(last: LastPlayed | undefined, remembered: ReadonlyMap<string, Cartridge>): Promise<void> {
  const link = readHash(location.hash);
  const cartridge = link === undefined && last !== undefined ? remembered.get(last.title) : undefined;
  const setup = link === undefined ? last?.setup : needsRom(link) ? undefined : link.setup;
  try {
    await open(cartridge ?? store.WALLOP, setup ?? DEFAULT_SETUP);
  } catch (error) {
    if (setup === undefined) return fail("The game could not be started.", sentence(textOf(error)));
    await open(store.WALLOP, DEFAULT_SETUP).catch(() => undefined);
    fail("The setup cannot be used.", sentence(textOf(error)));
  }
  if (link !== undefined && needsRom(link)) ask(link);
}

/** Opens what the address says when it changes. */
export function followLinks(): void {
  window.addEventListener("hashchange", () => {
    const link = readHash(location.hash);
    if (link === undefined) return;
    if (needsRom(link)) ask(link);
    else
      void open(store.WALLOP, link.setup).catch((error) => fail("The link cannot be used.", sentence(textOf(error))));
  });
}

function needsRom({ md5 }: Linked): boolean {
  return md5 !== undefined && md5 !== store.WALLOP_MD5;
}

/** Asks for the ROM of a link. */
function ask(link: Linked): void {
  linked = link;
  store.message.value = {
    kind: "note",
    headline: `This link is for ${link.title ?? "a game"}.`,
    detail: `Open its ROM, whose MD5 is ${link.md5}. It stays on your machine.`,
    actions: [{ label: "Open ROM…", act: () => element("rom-file", HTMLInputElement).click() }],
  };
}

/**
 * Opens a cartridge with a setup. What was open goes on if it is refused.
 *
 * @throws Gym2600Error with the reason
 */
export async function open(cartridge: Cartridge, setup: Setup): Promise<void> {
  const mine = ++wish;
  const gamma = setup.hyperParameters.gamma ?? HYPER_PARAMETERS[setup.algorithm].gamma;
  const info = await show.open(cartridge.bytes, gameOptions(setup, cartridge.definition), setup.seed, gamma);
  if (mine !== wish) return;
  batch(() => {
    keepRun();
    store.cartridge.value = cartridge;
    store.setup.value = setup;
    store.game.value = info;
    store.record.value = undefined;
    store.message.value = undefined;
    store.running.value = true;
    store.watchedLane.value = undefined;
    store.announcement.value = `Playing ${info.title}`;
  });
  measureRandomPlay();
  await usePolicy(fitsShipped() ? shippedChoice() : "own");
}

/** Whether the shipped policies fit the open game: they are WALLOP's, by the learner's list. */
export function fitsShipped(): boolean {
  const { environment } = store.setup.value;
  return (
    store.game.value?.rom === "wallop" && store.cartridge.value.definition === undefined && environment === "learner"
  );
}

function shippedChoice(): store.PolicyChoice {
  return store.policyChoice.value === "own" ? 2 : store.policyChoice.value;
}

/** Gives the agent one of the policies. */
export async function usePolicy(choice: store.PolicyChoice): Promise<void> {
  store.policyChoice.value = choice;
  if (choice === "own") {
    if (training === undefined) show.policy(undefined, "random agent");
    else show.policy(await training.file("weights"), ownName());
    return;
  }
  try {
    const weights = await loadPolicy(choice);
    if (store.policyChoice.value === choice) show.policy(weights, POLICIES[choice].name);
  } catch (error) {
    fail("The policy could not be loaded.", sentence(textOf(error)));
  }
}

function ownName(): string {
  return `policy #${(store.latestUpdate.value?.update ?? 0).toLocaleString("en")}`;
}

// ---- cartridges ----

/** Opens a file: a cartridge. */
export async function openFile(file: File, useDescription: (file: File) => Promise<void>): Promise<void> {
  if (/\.toml$/i.test(file.name)) return useDescription(file);
  if (file.size > LARGEST_FILE) {
    const size = file.size.toLocaleString("en");
    return refuse(file.name, `It has ${size} bytes, and no Atari 2600 cartridge is that large.`);
  }
  const cartridge = { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
  await openCartridge(cartridge);
}

/** The cartridge that the catalogue does not know, for a description of it. */
let unknown: Cartridge | undefined;

/** Opens a cartridge. A run that it would end is not ended before the person has agreed. */
export async function openCartridge(cartridge: Cartridge): Promise<void> {
  if (store.training.value !== "running" && store.training.value !== "paused") return insert(cartridge);
  const title = store.game.value?.title ?? "this game";
  store.message.value = {
    kind: "note",
    headline: `Opening ${cartridge.name} ends the training of ${title}.`,
    detail: "Its curve stays for comparison. Save keeps its weights as a file.",
    actions: [
      { label: "Open it", act: () => void insert(cartridge) },
      {
        label: "Go on training",
        act: () => {
          store.message.value = undefined;
        },
      },
    ],
  };
}

async function insert(cartridge: Cartridge): Promise<void> {
  try {
    await open(cartridge, linked?.setup ?? { ...store.setup.value, mode: undefined, difficulty: undefined });
    unknown = undefined;
    const wanted = linked;
    linked = undefined;
    if (wanted !== undefined && store.game.value?.md5 !== wanted.md5) {
      const title = store.game.value?.title ?? cartridge.name;
      fail(
        `This is ${title}, not ${wanted.title ?? "the game of the link"}.`,
        "It is played with the link's settings.",
      );
    }
  } catch (error) {
    if (!(error instanceof Gym2600Error) || error.code !== "unknown-rom") return refuse(cartridge.name, textOf(error));
    unknown = cartridge;
    store.message.value = {
      kind: "note",
      headline: `${cartridge.name} is not in the catalogue.`,
      detail: sentence(error.message),
      actions: [
        { label: "Play without scores", act: () => void playWithoutScores() },
        { label: "Describe it", act: describe },
      ],
    };
  }
}

/** Plays the unknown cartridge with the least description. */
async function playWithoutScores(): Promise<void> {
  if (unknown === undefined) return;
  const title = unknown.name.replace(/\.\w+$/, "");
  try {
    await open({ ...unknown, definition: { ...WITHOUT_SCORES, title } }, store.setup.value);
    store.player.value = "you";
  } catch (error) {
    refuse(unknown.name, textOf(error));
  }
}

/** Plays the unknown cartridge, or the one that is there, by a description. @throws Gym2600Error */
export async function openDescribed(definition: GameDefinition): Promise<void> {
  const { name, bytes } = unknown ?? store.cartridge.value;
  await open({ name, bytes, definition }, { ...store.setup.value, mode: undefined, difficulty: undefined });
}

function describe(): void {
  store.message.value = undefined;
  store.drawer.value = "setup";
  const details = element("definition-details", HTMLDetailsElement);
  details.open = true;
  const area = element("definition", HTMLTextAreaElement);
  if (area.value === "") area.value = LEAST_DESCRIPTION;
  area.focus();
}

/** A description that works for any cartridge, to begin with. */
const LEAST_DESCRIPTION = `rom = "mine"
title = "My game"

[rules]
start = "reward = 0"
frame = "reward = 0"
`;

// ---- playing ----

export function setPlayer(player: Player): void {
  store.player.value = player;
  if (player !== "you") return;
  store.running.value = true;
  // Nobody can play at another speed than the console's.
  store.speed.value = "real-time";
  element("television", HTMLElement).focus({ preventScroll: true });
  store.announcement.value = "You play: arrow keys and space, with the focus on the picture";
}

/** Play, or hand over to the agent. */
export function takeOver(): void {
  setPlayer(store.player.value === "you" ? "agent" : "you");
}

// ---- training ----

/** Starts a run, or pauses or resumes it. */
export function trainOrPause(): void {
  if (store.training.value === "running") {
    training?.run(false);
    store.training.value = "paused";
  } else if (store.training.value === "paused") {
    training?.run(true);
    store.training.value = "running";
  } else startTraining();
}

/** Starts a run with the setup of the store. */
export function startTraining(resume?: Uint8Array): void {
  const setup = store.setup.value;
  const { bytes, definition } = store.cartridge.value;
  keepRun();
  if (store.watchedLane.value !== undefined) watchLane(undefined);
  store.training.value = "starting";
  store.policyChoice.value = "own";
  const channel = new MessageChannel();
  show.weightsPort(channel.port2);
  training = new TrainingClient(
    {
      rom: bytes,
      options: gameOptions(setup, definition),
      algorithm: setup.algorithm,
      net: setup.net,
      numEnvs: setup.numEnvs,
      workers: setup.workers,
      seed: setup.seed,
      hyperParameters: setup.hyperParameters,
      resume,
    },
    laneCanvases(setup.numEnvs),
    channel.port1,
    {
      onFailure: (text) => {
        training?.close();
        training = undefined;
        store.training.value = "failed";
        fail("The training stopped.", sentence(text));
      },
      onLane: (lane, state) => {
        if (store.watchedLane.value === lane) show.watch(state);
      },
    },
  );
}

/** Ends the run, if there is one, and keeps its curve for comparison. */
function keepRun(): void {
  training?.close();
  training = undefined;
  const curve = store.curve.value;
  if (curve.points.length > 0) {
    const name = `run ${store.oldRuns.value.length + 1}, ${store.game.value?.title ?? ""}`;
    store.oldRuns.value = [...store.oldRuns.value, { name, curve, skip: store.skip.value }];
  }
  store.curve.value = new Curve();
  store.curveVersion.value += 1;
  store.latestUpdate.value = undefined;
  store.trainedMilliseconds.value = 0;
  store.training.value = "none";
}

/** Watches a training game: the picture goes on from its present state. The same game again, or none, ends that. */
export function watchLane(lane: number | undefined): void {
  const next = lane === store.watchedLane.value ? undefined : lane;
  store.watchedLane.value = next;
  if (next === undefined) show.watch(undefined);
  else training?.lane(next);
}

/** A file of the run. */
export function trainingFile(kind: "weights" | "checkpoint" | "onnx"): Promise<Uint8Array> | undefined {
  return training?.file(kind);
}

/** Measures random play of the open game, in a worker that ends then. */
function measureRandomPlay(): void {
  randomPlay?.terminate();
  store.randomMean.value = undefined;
  const { bytes, definition } = store.cartridge.value;
  const setup = store.setup.value;
  const worker = new Worker(new URL("../random-play/worker.ts", import.meta.url), { type: "module" });
  randomPlay = worker;
  worker.addEventListener("message", ({ data }: MessageEvent<RandomPlay>) => {
    if (data.games > 0) store.randomMean.value = data.mean;
    worker.terminate();
  });
  const { wrappers: _wrappers, preset: _preset, ...options } = gameOptions(setup, definition);
  const wrappers = (store.game.value?.wrappers ?? []) as RandomPlan["wrappers"];
  worker.postMessage({ rom: bytes, options, wrappers, seed: setup.seed } satisfies RandomPlan);
}

// ---- messages ----

function fail(headline: string, detail: string): void {
  store.message.value = { kind: "error", headline, detail, actions: [] };
}

function refuse(name: string, reason: string): void {
  const playing = store.game.value?.title;
  const unpack = /\.(zip|7z|gz)$/i.test(name) ? " This looks like an archive: unpack it first." : "";
  const goesOn = playing === undefined ? "" : ` ${playing} goes on.`;
  fail(`${name} cannot be played.`, `${sentence(reason)}${unpack}${goesOn}`);
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}
