/** The game that is open: its setup, its policy, and who plays. */

import { batch } from "@preact/signals-core";
import { startBackground } from "../background/start.js";
import { keysLine } from "../input/keys-line.js";
import { loadPolicy, policyName } from "../policies/pretrained.js";
import type { RandomPlan, RandomPlay } from "../random-play/random-play.js";
import type { Player } from "../show/types.js";
import { type Cartridge, gameOptions, HYPER_PARAMETERS, type Setup } from "../state/setup.js";
import * as store from "../state/store.js";
import { textOf } from "../text.js";
import { element } from "../ui/dom.js";
import { whole } from "../ui/format.js";
import { countDown } from "./countdown.js";
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
    countDown();
  });
  measureRandomPlay();
  // A policy of a file stays where it fits.
  if (store.policyChoice.value === "file" && (await usePolicy("file")) === undefined) return;
  if (mine === request) await usePolicy(store.unfitForShipped() === undefined ? shippedChoice() : "own");
}

// ---- policies ----

/** The shipped policy that is chosen, or that stands in for the person's own. */
export function shippedChoice(): 0 | 1 | 2 {
  return typeof store.policyChoice.value === "number" ? store.policyChoice.value : 2;
}

/** Gives the agent one of the policies. Resolves to why it is not used, if it is not. */
export async function usePolicy(choice: store.PolicyChoice): Promise<string | undefined> {
  store.policyChoice.value = choice;
  try {
    const { weights, name } = await policyOf(choice);
    // The person may have chosen another one meanwhile.
    return store.policyChoice.value === choice ? await show.policy(weights, name) : undefined;
  } catch (error) {
    fail("The policy could not be loaded.", textOf(error));
    return textOf(error);
  }
}

async function policyOf(choice: store.PolicyChoice): Promise<{ weights: Uint8Array | undefined; name: string }> {
  if (choice === "file") return store.policyFile.value ?? { weights: undefined, name: "" };
  if (choice !== "own") return { weights: await loadPolicy(choice), name: policyName(choice) };
  const update = (store.latestUpdate.value?.update ?? 0).toLocaleString("en");
  return { weights: await trainedWeights(), name: `policy #${update}` };
}

/** Lets the agent play by a shipped policy. */
export function playShipped(choice: 0 | 1 | 2): void {
  setPlayer("agent");
  void usePolicy(choice);
}

/** Gives the agent the policy of a file. Returns why it does not fit; then the agent keeps the policy that it has. */
export async function usePolicyFile(file: store.PolicyFile): Promise<string | undefined> {
  const before = { choice: store.policyChoice.value, file: store.policyFile.value };
  store.policyFile.value = file;
  const refusal = await usePolicy("file");
  if (refusal === undefined) {
    if (store.player.value !== "you") setPlayer("agent");
    return undefined;
  }
  store.policyFile.value = before.file;
  await usePolicy(before.choice);
  return refusal;
}

/** Measures random play of the open game, in a worker that ends then. */
function measureRandomPlay(): void {
  randomPlay?.terminate();
  store.randomMean.value = undefined;
  store.unlearnable.value = undefined;
  if (store.scoreless.value) return;
  const { bytes, definition } = store.cartridge.value;
  const setup = store.setup.value;
  const worker = startBackground();
  randomPlay = worker;
  worker.addEventListener("message", ({ data }: MessageEvent<RandomPlay>) => {
    if (data.games > 0) store.randomMean.value = data.mean;
    store.unlearnable.value = reasonAgainst(data);
    worker.terminate();
  });
  const { wrappers: _wrappers, preset: _preset, ...options } = gameOptions(setup, definition);
  const wrappers = (store.game.value?.wrappers ?? []) as RandomPlan["wrappers"];
  worker.postMessage({ rom: bytes, options, wrappers, seed: setup.seed } satisfies RandomPlan);
}

/** Why a net cannot learn from the open game, and how to mend that. */
function reasonAgainst({ steps, constantReward, alwaysEnds }: RandomPlay): string | undefined {
  const described = store.cartridge.value.definition !== undefined;
  const reward = described
    ? "Its description has to read the reward from the score."
    : "Another mode may score sooner.";
  const terminal = described
    ? "The terminal of its description has to be true at the end of a game alone."
    : "Another list of wrappers may let it go on.";
  const sentences = [
    constantReward === undefined
      ? []
      : [`The reward was ${constantReward} in all of ${whole(steps)} decisions of random play. ${reward}`],
    alwaysEnds ? [`Every decision of random play ended a game. ${terminal}`] : [],
  ].flat();
  return sentences.length === 0 ? undefined : sentences.join(" ");
}

// ---- playing ----

/** Says who plays. A person begins a fresh game; the others go on with what is played. */
export function setPlayer(player: Player): void {
  const begins = player === "you" && store.player.value !== "you";
  store.player.value = player;
  if (player !== "you") return;
  store.running.value = true;
  if (begins && store.game.value !== undefined) newGame();
  // A person plays at the speed of the console.
  store.speed.value = "real-time";
  keepKeyboard();
  showPicture();
  store.announcement.value = `You play: ${keysLine()}`;
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

/** Starts a new game of the show's own, after a countdown if a person plays; a training game is left. */
export function newGame(): void {
  if (store.watchedLane.value !== undefined) watchLane(undefined);
  show.newGame();
  countDown();
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
