/** Makes a replay file of what has been played: plays it again, as fast as it goes, with the checksums of every step. */

import { Game } from "gym2600";
import { Recorder } from "gym2600/record";
import { textOf } from "../text.js";
import type { FromWrite, WriteRequest } from "./protocol.js";

export async function writeReplay({ log, rom, options }: WriteRequest): Promise<FromWrite> {
  try {
    const game = await Game.create({ rom, ...options, seed: log.seed });
    const recorder = new Recorder(game);
    for (const [at, { actions, paddleStrengths, switches }] of log.runs.entries()) {
      const moves = new Map(switches.map(({ step, ...moved }) => [step, moved]));
      recorder.setSwitches(moves.get(0) ?? {});
      recorder.reset(at === 0 ? { seed: log.seed } : {});
      for (const [step, action] of actions.entries()) {
        const moved = moves.get(step + 1);
        if (moved !== undefined) recorder.setSwitches(moved);
        recorder.step(action, { paddleStrength: paddleStrengths[step] });
      }
    }
    game.close();
    return { text: JSON.stringify(recorder.replay()) };
  } catch (error) {
    return { refusal: textOf(error) };
  }
}
