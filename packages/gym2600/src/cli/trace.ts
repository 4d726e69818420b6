/** `gym2600 trace`: what ale-py's `ALEInterface` does with the same ROM, settings and actions, frame by frame. */

import { Arcade } from "../arcade.js";
import { InputError, integer, parse, readActions, readRom, readText, UsageError } from "./input.js";
import { checksum, Output, object } from "./lines.js";

export const traceUsage = `gym2600 trace ROM ACTIONS [--seed N] [--sticky P] [--mode M] [--difficulty D] [--game FILE]
  Plays console actions frame by frame; prints reward, lives and the checksums of RAM and screen.
  ACTIONS: ALE's numbers 0 to 17, one a line (- reads the standard input).
  --seed N        seed of the sticky actions (0)
  --sticky P      probability that an action is not taken and the one before goes on (0)
  --mode M        game mode; the game's first one if absent
  --difficulty D  difficulty; 0 if absent
  --game FILE     definition of the game (TOML), for a ROM that the catalogue lacks`;

export async function trace(arguments_: readonly string[]): Promise<void> {
  const { rom, actions: path, options } = parse(arguments_, ["seed", "sticky", "mode", "difficulty", "game"]);
  const seed = integer(options, "seed", -(2 ** 31), 2 ** 32 - 1) ?? 0;
  if (seed === -1) {
    throw new InputError(
      "seed -1 stands for the time of day in ALE, so it gives no play that can be repeated; use another number",
    );
  }
  const sticky = probability(options.sticky);
  const mode = integer(options, "mode", 0, 2 ** 32 - 1);
  const difficulty = integer(options, "difficulty", 0, 2 ** 32 - 1);
  const file = options.game;
  const actions = readActions(path, 18);
  const game = file === undefined ? undefined : { text: readText(file), file };
  // A negative seed is taken as ALE takes it: the unsigned number of the same 32 bits.
  const arcade = await Arcade.load({ rom: readRom(rom), seed: seed >>> 0, sticky, mode, difficulty, game });
  play(arcade, actions);
}

function play(arcade: Arcade, actions: readonly number[]): void {
  const output = new Output();
  const print = (frame: number, reward: number, afterReset: boolean) => {
    const fields: Array<[string, string]> = [
      ["frame", String(frame)],
      ["reward", String(reward)],
      ["lives", String(arcade.lives)],
      ["over", String(arcade.gameOver)],
      ["ram", checksum(arcade.ram())],
      ["screen", checksum(arcade.screen())],
    ];
    if (afterReset) fields.push(["reset", "true"]);
    output.line(object(fields));
  };
  arcade.resetGame();
  print(0, 0, true);
  for (const [index, action] of actions.entries()) {
    print(index + 1, arcade.act(action), false);
    if (arcade.gameOver) {
      arcade.resetGame();
      print(index + 1, 0, true);
    }
  }
  output.flush();
}

function probability(text: string | undefined): number {
  const value = text === undefined ? 0 : Number(text.trim() === "" ? Number.NaN : text);
  if (value >= 0 && value <= 1) return value;
  throw new UsageError(`--sticky ${text}: expected a number from 0 to 1`);
}
