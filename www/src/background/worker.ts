/** Games in the background: random play for the learning curve, replays to play and to write, lists of presets, and definitions of games that were found. One script for all, so that a page loads the console once. */

import type { DefineRequest, FromDefine } from "../define/protocol.js";
import type { FromList, ListRequest } from "../preset-list/protocol.js";
import { playRandomly, type RandomPlan, type RandomPlay } from "../random-play/random-play.js";
import type { FromReplay, FromWrite, ReplayRequest, WriteRequest } from "../replay/protocol.js";

const scope = self as unknown as {
  postMessage(message: RandomPlay | FromReplay | FromWrite | FromList | FromDefine): void;
};

type Wanted = RandomPlan | ReplayRequest | WriteRequest | ListRequest | DefineRequest;

addEventListener("message", ({ data }: MessageEvent<Wanted>) => void play(data));

async function play(wanted: Wanted): Promise<void> {
  if ("list" in wanted) {
    const { listOf } = await import("../preset-list/list.js");
    return scope.postMessage(await listOf(wanted));
  }
  if ("found" in wanted) {
    const { define } = await import("../define/define.js");
    return scope.postMessage(await define(wanted));
  }
  if ("log" in wanted) {
    const { writeReplay } = await import("../replay/write.js");
    return scope.postMessage(await writeReplay(wanted));
  }
  if (!("replay" in wanted)) return scope.postMessage(await playRandomly(wanted));
  const { playReplay } = await import("../replay/player.js");
  await playReplay(wanted, (message) => scope.postMessage(message));
}
