/** The run that an earlier visit has left: goes on with it, or forgets it. */

import { forgetRun, type KeptRun, keptRuns, takeRun } from "../data/runs.js";
import * as store from "../state/store.js";
import { sentence, textOf, textOfKept } from "../text.js";
import { duration } from "../ui/format.js";
import { open } from "./game.js";
import { fail } from "./messages.js";
import { startRun } from "./run.js";

/** Offers the newest run that no tab has, unless another message stands. A browser without storage has none. */
export async function offerRun(): Promise<void> {
  const [newest] = await keptRuns().catch(() => []);
  if (newest === undefined || store.message.value !== undefined || store.trains.value) return;
  const of = duration(newest.milliseconds);
  const mean = newest.curve.points.at(-1)?.mean;
  const scored = mean === undefined ? "" : ` It came to a mean of ${mean.toFixed(1)}.`;
  const offer: store.Message = {
    kind: "note",
    headline: `This browser has your run of ${newest.title}.`,
    detail: `It learned for ${of}.${scored} Train your own begins a new one.`,
    actions: [
      { label: `Go on with your run of ${of}`, act: () => void goOn(newest) },
      { label: "Forget it", act: () => void forget(newest) },
    ],
  };
  store.message.value = offer;
  // A new run has been begun instead. This one stays for the next visit.
  const stop = store.training.subscribe((training) => {
    if (training === "none") return;
    if (store.message.value === offer) store.message.value = undefined;
    queueMicrotask(() => stop());
  });
}

async function goOn(run: KeptRun): Promise<void> {
  store.message.value = undefined;
  const refused = (reason: string): void => refuse(run, reason);
  try {
    const taken = await takeRun(run.id);
    if (taken === undefined) return fail("The run cannot go on here.", "Another tab has it, or it has been forgotten.");
    try {
      await open(taken.run.cartridge, taken.run.setup);
    } catch (error) {
      taken.keeper.release();
      throw error;
    }
    startRun(taken, refused);
  } catch (error) {
    refused(textOfKept(error));
  }
}

/** A run that is kept cannot go on, perhaps never. It is there until the person forgets it. */
function refuse(run: KeptRun, reason: string): void {
  store.message.value = {
    kind: "error",
    headline: `Your run of ${run.title} cannot go on.`,
    detail: `${sentence(reason)} Train your own begins a new one.`,
    actions: [{ label: "Forget it", act: () => void forget(run) }],
  };
}

async function forget({ id }: KeptRun): Promise<void> {
  store.message.value = undefined;
  try {
    await forgetRun(id);
    store.announcement.value = "The run is forgotten";
    await offerRun();
  } catch (error) {
    fail("The browser does not forget the run.", textOf(error));
  }
}
