/** The training run: starts, pauses, ends it, and watches its games. */

import { effect } from "@preact/signals-core";
import { download } from "../data/download.js";
import { Curve } from "../state/curve.js";
import { gameOptions } from "../state/setup.js";
import * as store from "../state/store.js";
import { sentence } from "../text.js";
import { showDescription } from "../ui/definition-form.js";
import { laneCanvases } from "../ui/lanes.js";
import { fail } from "./messages.js";
import { show } from "./show.js";
import { TrainingClient } from "./training-client.js";

let training: TrainingClient | undefined;

/** Starts a run, or pauses or resumes it. */
export function trainOrPause(): void {
  const { value: state } = store.training;
  if (state === "running") training?.run(false);
  else if (state === "paused" || state === "pausing") training?.run(true);
  else if (state !== "starting") {
    if (store.scoreless.value) askForScore();
    else start();
  }
}

/** A net learns from the score: without one there is nothing to train. */
function askForScore(): void {
  store.message.value = {
    kind: "note",
    headline: `${store.game.value?.title ?? "This game"} has no score.`,
    detail: "A net learns from the score. A description says how it is read from the console's memory.",
    actions: [{ label: "Describe it", act: () => showDescription() }],
  };
}

/** Starts a run with the setup of the store. */
function start(): void {
  const setup = store.setup.value;
  const { bytes, definition } = store.cartridge.value;
  const { value: earlierChoice } = store.policyChoice;
  keepRun();
  if (store.watchedLane.value !== undefined) watchLane(undefined);
  store.training.value = "starting";
  store.policyChoice.value = "own";
  const channel = new MessageChannel();
  show.weightsPort(channel.port2);
  const { algorithm, net, numEnvs, workers, seed, hyperParameters } = setup;
  training = new TrainingClient(
    { rom: bytes, options: gameOptions(setup, definition), algorithm, net, numEnvs, workers, seed, hyperParameters },
    laneCanvases(numEnvs),
    channel.port1,
    {
      onFailure: (text, weights) => {
        training?.close();
        training = undefined;
        const began = store.latestUpdate.value !== undefined;
        store.keptWeights.value = weights;
        store.training.value = "failed";
        // The agent still has the policy from before.
        if (!began) store.policyChoice.value = earlierChoice;
        if (store.watchedLane.value !== undefined) watchLane(undefined);
        const saved = weights === undefined ? "Its weights are lost." : "Save still has its weights.";
        fail(
          began ? "The training stopped." : "The training could not start.",
          began ? `${sentence(text)} ${saved}` : text,
        );
      },
      onLane: (lane, game) => {
        if (store.watchedLane.value === lane) show.watch(game);
      },
    },
  );
}

/** Ends the run, if there is one, and keeps its curve for comparison. */
export function keepRun(): void {
  training?.close();
  training = undefined;
  if (store.curve.value.points.length > 0) {
    store.oldRuns.value = [...store.oldRuns.value, store.presentRun.value];
    store.runNumber.value++;
  }
  store.curve.value = new Curve();
  store.curveVersion.value += 1;
  store.latestUpdate.value = undefined;
  store.trainedMilliseconds.value = 0;
  store.keptWeights.value = undefined;
  store.training.value = "none";
}

/** Watches a training game: the picture goes on from its present state. The same game again, or none, ends that. */
export function watchLane(lane: number | undefined): void {
  const next = lane === store.watchedLane.value ? undefined : lane;
  store.watchedLane.value = next;
  if (next !== undefined && store.player.value === "you") store.player.value = "agent";
  if (next === undefined) show.watch(undefined);
  else training?.lane(next);
}

/** The weights of the run as a file, also after it has failed; undefined if there are none, or it ends before. */
export async function trainedWeights(): Promise<Uint8Array | undefined> {
  return training === undefined ? store.keptWeights.value : training.weights();
}

/** Saves the weights of the run. */
export async function saveWeights(): Promise<void> {
  const bytes = await trainedWeights();
  if (bytes === undefined) return;
  download(`${store.romName()}.safetensors`, new Uint8Array(bytes), "application/octet-stream");
  store.savedUpdate.value = store.latestUpdate.value;
}

/** Makes the browser ask before the page is left, while that would lose what a run has learned. */
export function guardRun(): void {
  const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
  effect(() => {
    // A listener alone keeps the page out of the browser's cache for going back.
    if (store.unsaved.value) addEventListener("beforeunload", ask);
    else removeEventListener("beforeunload", ask);
  });
}
