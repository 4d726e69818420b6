/** The dialog in which a replay file is played and verified. Loaded when the first is opened. */

import { MAX_REPLAY_TEXT, parseReplay, type Replay } from "gym2600/record";
import { startBackground } from "../background/start.js";
import * as store from "../state/store.js";
import { sentence } from "../text.js";
import { h, setText } from "../ui/dom.js";
import { score } from "../ui/format.js";
import type { FromReplay, ReplayRequest } from "./protocol.js";

/**
 * Reads a replay file.
 *
 * @throws Error or Gym2600Error which says why it is no replay
 */
export async function readReplay(file: File): Promise<Replay> {
  if (file.size > MAX_REPLAY_TEXT) {
    const [size, most] = [file.size, MAX_REPLAY_TEXT].map((bytes) => bytes.toLocaleString("en"));
    throw new Error(`it has ${size} bytes, and a replay has at most ${most}`);
  }
  return parseReplay(await file.text());
}

/** Plays a replay in a dialog. What the page plays stands still until it is closed. */
export function showReplay(name: string, replay: Replay, rom: Uint8Array<ArrayBuffer>): void {
  const steps = replay.runs.reduce((sum, { actions }) => sum + actions.length, 0);
  const canvas = h("canvas", { id: "replay-screen", role: "img", "aria-label": "The picture of the replay" });
  const said = h("p", { id: "replay-text", role: "status" }, "Starting…");
  const close = h("button", { type: "button" }, "Close");
  const dialog = h(
    "dialog",
    { id: "replay", "aria-label": `Replay ${name}` },
    h("header", {}, h("h2", {}, name)),
    canvas,
    said,
    close,
  );
  const worker = startBackground();
  const wasRunning = store.running.value;
  store.running.value = false;
  worker.addEventListener("message", ({ data }: MessageEvent<FromReplay>) => setText(said, told(data, steps)));
  worker.addEventListener("error", ({ message }) => setText(said, sentence(message || "The worker could not start")));
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => {
    worker.terminate();
    dialog.remove();
    store.running.value = wasRunning;
  });
  document.body.append(dialog);
  dialog.showModal();
  const offscreen = canvas.transferControlToOffscreen();
  worker.postMessage({ replay, rom, canvas: offscreen } satisfies ReplayRequest, [offscreen]);
}

function told(message: FromReplay, steps: number): string {
  switch (message.type) {
    case "playing":
      return `Step ${message.step} of ${steps}, score ${score(message.reward)}`;
    case "verified":
      return `Verified: all ${message.steps} steps have the bytes of the file. Score ${score(message.reward)}`;
    case "refused":
      return sentence(message.message);
  }
}
