/** The training run: starts, pauses, ends it, and watches its games. */

import { effect } from "@preact/signals-core";
import { download } from "../data/download.js";
import { RunKeeper, type TakenRun } from "../data/runs.js";
import { Curve } from "../state/curve.js";
import { gameOptions, learnersChanges } from "../state/setup.js";
import * as store from "../state/store.js";
import { sentence, textOf } from "../text.js";
import { showDescription } from "../ui/definition-form.js";
import { laneCanvases } from "../ui/lanes.js";
import { fail, findScore } from "./messages.js";
import { show } from "./show.js";
import { TrainingClient } from "./training-client.js";

let training: TrainingClient | undefined;
/** Keeps the run in the browser; undefined without a run. */
let keeper: Promise<RunKeeper> | undefined;
/** Whether the person has been told that the run cannot be kept. */
let toldUnkept = false;

/** Starts a run, or pauses or resumes it. */
export function trainOrPause(): void {
  const { value: state } = store.training;
  if (state === "running") training?.run(false);
  else if (state === "paused" || state === "pausing") training?.run(true);
  else if (state !== "starting") {
    if (store.scoreless.value) askForScore();
    else startRun();
  }
}

/** A net learns from the score: without one there is nothing to train. */
function askForScore(): void {
  store.message.value = {
    kind: "note",
    headline: `${store.game.value?.title ?? "This game"} has no score.`,
    detail: "A net learns from the score. A description says how it is read from the console's memory.",
    actions: [
      { label: "Find the score", act: findScore },
      { label: "Describe it", act: () => showDescription() },
    ],
  };
}

/**
 * Says on the page that the run cannot learn, and how to mend it: when it begins, or when random play has shown it. A question that stands
 * is answered first.
 */
export function warnOfNothingToLearn(): void {
  let told: string | undefined;
  effect(() => {
    const reason = store.trains.value ? store.unlearnable.value : undefined;
    if (reason === told) return;
    if (reason !== undefined && (store.message.value?.actions.length ?? 0) > 0) return;
    told = reason;
    if (reason === undefined) return;
    const described = store.cartridge.peek().definition !== undefined;
    store.message.value = {
      kind: "note",
      headline: `A net learns nothing from ${store.game.peek()?.title ?? "this game"}.`,
      detail: reason,
      actions: described ? [{ label: "Describe it", act: () => showDescription() }] : [],
    };
  });
}

/**
 * Starts a run with the setup of the store, or goes on with one that was kept, whose game has been opened. If that cannot go on, it stays
 * with the browser, and `refused` gets the reason.
 */
export function startRun(taken?: TakenRun, refused?: (reason: string) => void): void {
  const setup = store.setup.value;
  const { bytes, definition } = store.cartridge.value;
  const { value: earlierChoice } = store.policyChoice;
  keepRun();
  if (store.watchedLane.value !== undefined) watchLane(undefined);
  store.training.value = "starting";
  store.policyChoice.value = "own";
  toldUnkept = false;
  keeper = taken === undefined ? RunKeeper.start() : Promise.resolve(taken.keeper);
  // The first checkpoint tells why.
  keeper.catch(() => undefined);
  if (taken !== undefined) showKept(taken);
  const from = taken && { checkpoint: taken.checkpoint, milliseconds: taken.run.milliseconds };
  const channel = new MessageChannel();
  show.weightsPort(channel.port2);
  const { algorithm, net, numEnvs, workers, device, seed } = setup;
  training = new TrainingClient(
    {
      rom: bytes,
      options: gameOptions(setup, definition),
      algorithm,
      net,
      numEnvs,
      workers,
      device,
      seed,
      // Those of a run that goes on are in its checkpoint.
      hyperParameters: from === undefined ? learnersChanges(setup) : {},
      from,
    },
    laneCanvases(numEnvs),
    channel.port1,
    {
      onFailure: (text, weights) => {
        training?.close();
        training = undefined;
        if (taken !== undefined && store.training.value === "starting") {
          taken.keeper.release();
          keeper = undefined;
          clearRun();
          store.policyChoice.value = earlierChoice;
          refused?.(text);
          return;
        }
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
      onCheckpoint: (bytes) => void keep(bytes),
      onLane: (lane, game) => {
        if (store.watchedLane.value === lane) show.watch(game);
      },
    },
  );
}

/** Shows the curve of a run that goes on. */
function showKept({ run, rows }: TakenRun): void {
  store.curve.value = Curve.from(run.curve, rows);
  store.curveVersion.value += 1;
  store.latestUpdate.value = rows.at(-1);
  store.trainedMilliseconds.value = run.milliseconds;
}

/** Keeps the run in the browser. Storage that is full or blocked costs the training nothing. */
async function keep(checkpoint: Uint8Array): Promise<void> {
  const { value: curve } = store.curve;
  const mine = keeper;
  const run = {
    title: store.game.value?.title ?? "",
    cartridge: store.cartridge.value,
    setup: store.setup.value,
    milliseconds: store.trainedMilliseconds.value,
    curve: curve.saved,
  };
  const rows = [...curve.rows];
  try {
    await (await mine)?.keep(run, checkpoint, rows);
  } catch (error) {
    if (toldUnkept || mine !== keeper || store.message.value !== undefined) return;
    toldUnkept = true;
    store.message.value = {
      kind: "note",
      headline: "The browser cannot keep this run.",
      detail: `${sentence(textOf(error))} The training goes on, and ends with this tab. Save keeps what it learns as a file.`,
      actions: [],
    };
  }
}

/** Deletes what the browser has of the present run, which is not kept any more. */
export async function forgetKeptRun(): Promise<void> {
  await keeper?.then(
    (one) => one.end(),
    () => undefined,
  );
}

/** Ends the run, if there is one, and keeps its curve for comparison. */
export function keepRun(): void {
  training?.close();
  training = undefined;
  void forgetKeptRun().catch(() => undefined);
  keeper = undefined;
  if (store.curve.value.points.length > 0) {
    store.oldRuns.value = [...store.oldRuns.value, store.presentRun.value];
    store.runNumber.value++;
  }
  clearRun();
}

/** Shows no run. */
function clearRun(): void {
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
