/** `gym2600 trace`: plays ALE's actions frame by frame, as ale-py's `ALEInterface` does with the same ROM and settings. */

import { actionNames } from "../actions.js";
import { Arcade } from "../env/arcade.js";
import {
  checkWritable,
  InputError,
  integer,
  parse,
  readActions,
  readRom,
  romAndActions,
  UsageError,
  withGameFile,
  write,
} from "./input.js";
import { checksum, Output, object } from "./lines.js";

export const traceUsage = `gym2600 trace [ROM] ACTIONS [--seed N] [--sticky P] [--mode M] [--difficulty D] [--game FILE] [--sound]
              [--dump-line LINE --dump-to FILE]
  Plays console actions frame by frame; prints reward, lives and the checksums of RAM and screen.
  ACTIONS: ALE's numbers 0 to 17, one a line (- reads the standard input).
  --seed N        seed of the sticky actions (0)
  --sticky P      probability that an action is not taken and the one before goes on (0)
  --mode M        game mode; the game's first one if absent
  --difficulty D  difficulty; 0 if absent
  --game FILE     definition of the game (TOML), for a ROM that the catalogue lacks
  --sound         print the checksum of each act's 512 samples of sound, too
  --dump-line N   stop after this line of output (the first is 1) and write its 128 bytes of RAM and then its screen to --dump-to
  --dump-to FILE  the file for --dump-line`;

const OPTIONS = ["seed", "sticky", "mode", "difficulty", "game", "dump-line", "dump-to"];

export async function trace(arguments_: readonly string[]): Promise<void> {
  const { positionals, options, flag } = parse(arguments_, { options: OPTIONS, flags: ["sound"] }, 2);
  const { rom, actions: path } = romAndActions(positionals);
  const seed = integer(options, "seed", -(2 ** 31), 2 ** 32 - 1) ?? 0;
  const repeatActionProbability = probability(options.sticky);
  const mode = integer(options, "mode", 0, 2 ** 32 - 1);
  const difficulty = integer(options, "difficulty", 0, 2 ** 32 - 1);
  const dumpLine = integer(options, "dump-line", 1, Number.MAX_SAFE_INTEGER);
  const dumpTo = options["dump-to"];
  if ((dumpLine === undefined) !== (dumpTo === undefined))
    throw new UsageError("--dump-line and --dump-to go together");
  if (seed === -1) {
    throw new InputError(
      "seed -1 stands for the time of day in ALE, so it gives no play that can be repeated; use another number",
    );
  }
  const actions = readActions(path, actionNames.length);
  const settings = {
    rom: readRom(rom),
    // As in ALE, a negative seed is the unsigned number with the same 32 bits.
    seed: seed >>> 0,
    repeatActionProbability,
    mode,
    difficulty,
    soundObs: flag("sound"),
  };
  const arcade = await withGameFile(options.game, (game) => Arcade.create({ ...settings, game }));
  if (dumpTo !== undefined) checkWritable(dumpTo);
  const lines = play(arcade, actions, settings.soundObs, dumpLine ?? Number.POSITIVE_INFINITY);
  if (dumpLine === undefined || dumpTo === undefined) return;
  if (lines < dumpLine) throw new InputError(`line ${dumpLine} was asked for, but the output has ${lines} lines`);
  write(dumpTo, Buffer.concat([arcade.ram(), arcade.screen()]));
}

/** Prints at most `last` lines and returns their number. */
function play(arcade: Arcade, actions: readonly number[], sound: boolean, last: number): number {
  const output = new Output();
  const ram = arcade.ram();
  const screen = arcade.screen();
  let lines = 0;
  const print = (frame: number, reward: number, afterReset: boolean) => {
    const fields: Array<[string, string]> = [
      ["frame", String(frame)],
      ["reward", String(reward)],
      ["lives", String(arcade.lives)],
      ["over", String(arcade.gameOver)],
      ["ram", checksum(arcade.ram(ram))],
      ["screen", checksum(arcade.screen(screen))],
    ];
    if (sound) fields.push(["sound", checksum(arcade.audio())]);
    if (afterReset) fields.push(["reset", "true"]);
    output.line(object(fields));
    lines += 1;
  };
  arcade.resetGame();
  print(0, 0, true);
  for (const [index, action] of actions.entries()) {
    if (lines === last) break;
    print(index + 1, arcade.act(action), false);
    if (arcade.gameOver && lines !== last) {
      arcade.resetGame();
      print(index + 1, 0, true);
    }
  }
  output.flush();
  return lines;
}

function probability(text: string | undefined): number {
  const value = text === undefined ? 0 : Number(text.trim() === "" ? Number.NaN : text);
  if (value >= 0 && value <= 1) return value;
  throw new UsageError(`--sticky ${text}: expected a number from 0 to 1`);
}
