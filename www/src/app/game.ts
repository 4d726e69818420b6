/** The game that is open: its setup, its policy, and who plays. */

import { batch } from "@preact/signals-core";
import { startBackground } from "../background/start.js";
import { loadPolicy, policyName } from "../policies/pretrained.js";
import type { RandomPlan, RandomPlay } from "../random-play/random-play.js";
import type { Player } from "../show/types.js";
import { type Cartridge, gameOptions, HYPER_PARAMETERS, type Setup } from "../state/setup.js";
import * as store from "../state/store.js";
import { textOf } from "../text.js";
import { element } from "../ui/dom.js";
import { fail } from "./messages.js";
import { keepRun, trainedWeights, watchLane } from "./run.js";
import { show } from "./show.js";

let randomPlay: Worker | undefined;
/** Counts requests to open a game. A request is dropped when a later one has been made. */
let request = 0;

/**
 * Opens a cartridge with a setup. What was open goes on if it is refused.
 *
 * @throws Gym2600Error with the reason
 */
export async function open(cartridge: Cartridge, setup: Setup): Promise<void> {
  const mine = ++request;
  const gamma = setup.hyperParameters.gamma ?? HYPER_PARAMETERS[setup.algorithm].gamma;
  const info = await show.open(cartridge.bytes, gameOptions(setup, cartridge.definition), setup.seed, gamma);
  if (mine !== request) return;
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
  await usePolicy(unfitForShipped() === undefined ? shippedChoice() : "own");
}

// ---- policies ----

/** Why the shipped policies do not fit the open game; undefined if they do. They are WALLOP's, by the learner's list. */
export function unfitForShipped(): string | undefined {
  if (store.game.value?.rom !== "wallop" || store.cartridge.value.definition !== undefined) {
    return "Shipped policies play WALLOP.";
  }
  return store.setup.value.environment === "learner" ? undefined : "Shipped policies need preset learner.";
}

/** The shipped policy that is chosen, or that stands in for the person's own. */
export function shippedChoice(): Exclude<store.PolicyChoice, "own"> {
  return store.policyChoice.value === "own" ? 2 : store.policyChoice.value;
}

/** Gives the agent one of the policies. */
export async function usePolicy(choice: store.PolicyChoice): Promise<void> {
  store.policyChoice.value = choice;
  try {
    const weights = choice === "own" ? await trainedWeights() : await loadPolicy(choice);
    // The person may have chosen another one meanwhile.
    if (store.policyChoice.value === choice) show.policy(weights, choice === "own" ? ownName() : policyName(choice));
  } catch (error) {
    fail("The policy could not be loaded.", textOf(error));
  }
}

function ownName(): string {
  return `policy #${(store.latestUpdate.value?.update ?? 0).toLocaleString("en")}`;
}

/** Measures random play of the open game, in a worker that ends then. */
function measureRandomPlay(): void {
  randomPlay?.terminate();
  store.randomMean.value = undefined;
  if (store.scoreless.value) return;
  const { bytes, definition } = store.cartridge.value;
  const setup = store.setup.value;
  const worker = startBackground();
  randomPlay = worker;
  worker.addEventListener("message", ({ data }: MessageEvent<RandomPlay>) => {
    if (data.games > 0) store.randomMean.value = data.mean;
    worker.terminate();
  });
  const { wrappers: _wrappers, preset: _preset, ...options } = gameOptions(setup, definition);
  const wrappers = (store.game.value?.wrappers ?? []) as RandomPlan["wrappers"];
  worker.postMessage({ rom: bytes, options, wrappers, seed: setup.seed } satisfies RandomPlan);
}

// ---- playing ----

export function setPlayer(player: Player): void {
  store.player.value = player;
  if (player !== "you") return;
  // A training game is the learner's: a person plays the show's own, whose whole score is known.
  if (store.watchedLane.value !== undefined) watchLane(undefined);
  store.running.value = true;
  // A person plays at the speed of the console.
  store.speed.value = "real-time";
  keepKeyboard();
  showPicture();
  store.announcement.value = "You play: arrow keys and space, with the focus on the picture";
}

/** Gives the keyboard to the picture if the person plays. Returns whether it has. */
export function keepKeyboard(): boolean {
  if (store.player.value !== "you") return false;
  element("television", HTMLElement).focus({ preventScroll: true });
  return true;
}

/** On a small screen picture and pad fill the window while a person plays. */
export function showPicture(): void {
  if (store.player.value !== "you" || !matchMedia("(max-width: 999px)").matches) return;
  element("television", HTMLElement).closest("section")?.scrollIntoView();
}

/** Play, or hand over to the agent. */
export function takeOver(): void {
  setPlayer(store.player.value === "you" ? "agent" : "you");
}

/** Starts a new game of the show's own; a training game is left. */
export function newGame(): void {
  if (store.watchedLane.value !== undefined) watchLane(undefined);
  show.newGame();
}

export function pauseOrGoOn(): void {
  store.running.value = !store.running.value;
  if (store.running.value) keepKeyboard();
}

/** Pauses the game of a person who cannot steer it now. An agent's goes on. */
export function pausePerson(): void {
  if (store.player.value === "you") store.running.value = false;
}

/** Pauses and takes one decision. */
export function takeStep(): void {
  store.running.value = false;
  show.step();
}
