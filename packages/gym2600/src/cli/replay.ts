/** `gym2600 replay`: verifies a replay file. */

import { Game } from "../env/game.js";
import { Gym2600Error } from "../errors.js";
import { verifyReplay } from "../record/replay.js";
import { InputError, parse, readRom, readText, UsageError } from "./input.js";
import { Output, object, real } from "./lines.js";

export const replayUsage = `gym2600 replay FILE [ROM]
  Plays a replay file again and compares every observation, reward and end; prints a line for each run:
  its steps and the sum of their rewards. A game's score also has what the steps of resets brought, as those after a lost life.
  Only in this program, not in the native one.
  FILE: the JSON of gym2600/record (- reads the standard input)`;

export async function replay(arguments_: readonly string[]): Promise<void> {
  const [file, rom] = parse(arguments_, { options: [] }, 2).positionals;
  if (file === undefined) throw new UsageError("a replay file is needed");
  const text = readText(file);
  const bytes = readRom(rom);
  try {
    const runs = await verifyReplay(text, (options) => {
      // The runs have the seeds, and the ROM is an argument.
      for (const name of ["rom", "seed"]) {
        if (Object.hasOwn(options, name)) throw new InputError(`${file}: options.${name}: a replay has no such option`);
      }
      return Game.create({ ...options, rom: bytes });
    });
    const output = new Output();
    for (const [index, { steps, reward }] of runs.entries()) {
      output.line(
        object([
          ["run", String(index)],
          ["steps", String(steps)],
          ["reward", real(reward)],
        ]),
      );
    }
    output.flush();
  } catch (error) {
    throw error instanceof Gym2600Error ? new InputError(`${file}: ${error.message}`) : error;
  }
}
