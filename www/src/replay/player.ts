/** Plays a replay file at the console's speed, and verifies it on the way. */

import { Game, type Picture } from "gym2600";
import { type ReplayableGame, verifyReplay } from "gym2600/record";
import { textOf } from "../text.js";
import type { FromReplay, ReplayRequest } from "./protocol.js";

type Tell = (message: FromReplay) => void;

export async function playReplay({ replay, rom, canvas }: ReplayRequest, tell: Tell): Promise<void> {
  try {
    const runs = await verifyReplay(replay, async (options) =>
      paced(await Game.create({ ...options, rom }), canvas, tell),
    );
    const steps = runs.reduce((sum, run) => sum + run.steps, 0);
    tell({ type: "verified", steps, reward: runs.reduce((sum, { reward }) => sum + reward, 0) });
  } catch (error) {
    tell({ type: "refused", message: textOf(error) });
  }
}

/** The game, which paints its picture and takes as long as on a television. */
function paced(game: Game, canvas: OffscreenCanvas, tell: Tell): ReplayableGame {
  const context = canvas.getContext("2d");
  const { width, height } = game.description.screen;
  [canvas.width, canvas.height] = [width, height];
  const perSecond = game.description.tv === "PAL" ? 50 : 60;
  let picture: Picture | undefined;
  let due = performance.now();
  let [step, reward, frames] = [0, 0, 0];
  const show = async (frameNumber: number): Promise<void> => {
    picture = game.render(picture);
    context?.putImageData(picture as ImageData, 0, 0);
    tell({ type: "playing", step, reward });
    // What a hidden page has missed is not made up for.
    due = Math.max(due + (1000 * Math.max(1, frameNumber - frames)) / perSecond, performance.now());
    frames = frameNumber;
    await new Promise((later) => setTimeout(later, due - performance.now()));
  };
  return {
    description: game.description,
    async reset(options) {
      const result = game.reset(options);
      // The frames of a reset are not shown.
      frames = result.info.frameNumber;
      await show(frames);
      return result;
    },
    async step(action, options) {
      const result = game.step(action, options);
      step += 1;
      reward += result.reward;
      await show(result.info.frameNumber);
      return result;
    },
    setSwitches: (switches) => game.setSwitches(switches),
    close: () => game.close(),
  };
}
