/** Games in the background: random play for the learning curve, and replays. One script for both, so that a page loads the console once. */

import { playRandomly, type RandomPlan, type RandomPlay } from "../random-play/random-play.js";
import type { FromReplay, ReplayRequest } from "../replay/protocol.js";

const scope = self as unknown as { postMessage(message: RandomPlay | FromReplay): void };

addEventListener("message", ({ data }: MessageEvent<RandomPlan | ReplayRequest>) => void play(data));

async function play(wanted: RandomPlan | ReplayRequest): Promise<void> {
  if (!("replay" in wanted)) return scope.postMessage(await playRandomly(wanted));
  const { playReplay } = await import("../replay/player.js");
  await playReplay(wanted, (message) => scope.postMessage(message));
}
