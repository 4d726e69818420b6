/** The dialog in which a replay file is played and verified. Loaded when the first is opened. */

import { parseReplay } from "gym2600/record";
import { startBackground } from "../background/start.js";
import * as store from "../state/store.js";
import { sentence } from "../text.js";
import { h, setText } from "../ui/dom.js";
import { score } from "../ui/format.js";
import type { FromReplay, ReplayRequest } from "./protocol.js";

/** The MD5 of a replay's ROM. @throws Gym2600Error `bad-replay` if the text is no replay file */
export function md5Of(text: string): string {
  return parseReplay(text).md5;
}

/** Whether a text is a list of games that the page wrote. */
export function isGamesList(text: string): boolean {
  try {
    return Array.isArray(JSON.parse(text)?.games);
  } catch {
    return false;
  }
}

/** Plays a replay in a dialog. What the page plays stands still until it is closed. */
export function showReplay(name: string, text: string, rom: Uint8Array<ArrayBuffer>): void {
  const { runs } = parseReplay(text);
  const steps = runs.reduce((sum, { actions }) => sum + actions.length, 0);
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
  worker.postMessage({ replay: text, rom, canvas: offscreen } satisfies ReplayRequest, [offscreen]);
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
