/**
 * The worker of the training: runs the trainer, whose games play in workers of its own.
 *
 * Nothing here waits for the page, so training goes on at full speed in a hidden tab. Weights go to the show game on a port of their
 * own, and to the page go at most ten messages a second.
 */

import { Trainer, type TrainingUpdate } from "gym2600/learn";
import type { WeightsMessage } from "../show/protocol.js";
import { textOf, textOfKept } from "../text.js";
import { LanePictures } from "./lane-pictures.js";
import type { FromTraining, ToTraining, TrainingPlan } from "./protocol.js";

const PROGRESS_EVERY_MS = 100;
const WEIGHTS_EVERY_MS = 1000;
const PICTURES_EVERY_MS = 1000;
const KEPT_EVERY_MS = 10_000;
/** With the update under way and the writing, a crash costs half a minute at most. */
const CHECKPOINT_EVERY_MS = 25_000;

const scope = self as unknown as { postMessage(message: FromTraining, transfer?: Transferable[]): void };

let trainer: Trainer | undefined;
let pictures: LanePictures | undefined;
let weightsPort: MessagePort | undefined;
let visible = true;
let running = false;
/** The number of the last request to run or to pause. */
let runRequest = 0;
/** Whether the loop is on its way; there is only one. */
let looping = false;
/** The numbers of the requests for weights. */
let wanted: number[] = [];
/** The game whose state was asked for. */
let wantedLane: number | undefined;
let milliseconds = 0;

/** The number of the last update. */
let lastUpdate = 0;
let unsent: TrainingUpdate[] = [];
let sentAt = 0;
let weightsAt = 0;
let picturesAt = 0;
let keptAt = -KEPT_EVERY_MS;
/** The time and the number of the update of the last checkpoint. */
let checkpointAt = -CHECKPOINT_EVERY_MS;
let checkpointOf = 0;

function post(message: FromTraining, transfer: Transferable[] = []): void {
  scope.postMessage(message, transfer);
}

async function start(plan: TrainingPlan, canvases: readonly OffscreenCanvas[]): Promise<void> {
  const { from, ...options } = plan;
  trainer = await Trainer.create({ ...options, resume: from?.checkpoint }).catch((error) => {
    throw from === undefined ? error : new Error(textOfKept(error), { cause: error });
  });
  milliseconds = from?.milliseconds ?? 0;
  lastUpdate = trainer.updates;
  checkpointOf = lastUpdate;
  pictures = await LanePictures.open(plan.rom, trainer.environment, canvases);
  pictures.paint(await trainer.games());
  post({ type: "started", processor: trainer.processor });
  if (from !== undefined) shareWeights(trainer);
  running = true;
  await loop();
}

async function loop(): Promise<void> {
  if (looping || trainer === undefined) return;
  looping = true;
  do {
    while (running) {
      const began = performance.now();
      const update = await trainer.update();
      milliseconds += performance.now() - began;
      unsent.push(update);
      await share(trainer, update, performance.now());
      await answer(trainer);
    }
    await checkpoint(trainer, performance.now());
    // The person may have gone on meanwhile.
  } while (running);
  looping = false;
  send(performance.now());
  shareWeights(trainer);
  post({ type: "paused", number: runRequest });
  await answer(trainer);
}

/** Sends what is due. */
async function share(from: Trainer, update: TrainingUpdate, now: number): Promise<void> {
  lastUpdate = update.update;
  if (now - sentAt >= PROGRESS_EVERY_MS) send(now);
  if (now - weightsAt >= WEIGHTS_EVERY_MS) {
    weightsAt = now;
    shareWeights(from);
  }
  if (now - keptAt >= KEPT_EVERY_MS) {
    keptAt = now;
    const bytes = from.weights();
    post({ type: "kept", bytes }, [bytes.buffer]);
  }
  if (now - checkpointAt >= CHECKPOINT_EVERY_MS) await checkpoint(from, now);
  if (visible && now - picturesAt >= PICTURES_EVERY_MS) {
    picturesAt = now;
    pictures?.paint(await from.games());
  }
}

/** Sends a checkpoint, after the updates that are in it. */
async function checkpoint(from: Trainer, now: number): Promise<void> {
  if (lastUpdate === checkpointOf) return;
  [checkpointAt, checkpointOf] = [now, lastUpdate];
  send(now);
  const bytes = (await from.checkpoint()) as Uint8Array<ArrayBuffer>;
  post({ type: "checkpoint", bytes }, [bytes.buffer]);
}

function send(now: number): void {
  if (unsent.length === 0) return;
  sentAt = now;
  post({ type: "progress", updates: unsent, milliseconds });
  unsent = [];
}

function shareWeights(from: Trainer): void {
  const weights = from.weights();
  const name = `policy #${lastUpdate.toLocaleString("en")}`;
  weightsPort?.postMessage({ name, weights } satisfies WeightsMessage, [weights.buffer]);
}

/** Gives what was asked for, between two updates. */
async function answer(from: Trainer): Promise<void> {
  if (wantedLane !== undefined) {
    const lane = wantedLane;
    wantedLane = undefined;
    const state = (await from.games())[lane];
    if (state !== undefined) post({ type: "lane", lane, game: { state, environment: from.environment } });
  }
  const asked = wanted;
  wanted = [];
  for (const number of asked) {
    const bytes = from.weights();
    post({ type: "weights", number, bytes }, [bytes.buffer]);
  }
}

/** What the run has learned; undefined if there is nothing, or the learner itself has failed. */
function lastWeights(): Uint8Array | undefined {
  try {
    return lastUpdate === 0 ? undefined : trainer?.weights();
  } catch {
    return undefined;
  }
}

function failed(error: unknown): void {
  running = false;
  looping = false;
  send(performance.now());
  post({ type: "failed", message: textOf(error), weights: lastWeights() });
}

function receive(message: ToTraining): void {
  switch (message.type) {
    case "start":
      void start(message.plan, message.canvases).catch(failed);
      return;
    case "run":
      running = message.running;
      runRequest = message.number;
      void loop().catch(failed);
      return;
    case "visible":
      visible = message.visible;
      // The system may end a hidden page at any time.
      if (!visible) checkpointAt = -CHECKPOINT_EVERY_MS;
      return;
    case "weights-port":
      weightsPort = message.port;
      return;
    case "lane":
      wantedLane = message.lane;
      if (!looping && trainer !== undefined) void answer(trainer).catch(failed);
      return;
    case "weights":
      wanted.push(message.number);
      if (!looping && trainer !== undefined) void answer(trainer).catch(failed);
      return;
  }
}

addEventListener("message", ({ data }: MessageEvent<ToTraining>) => receive(data));
