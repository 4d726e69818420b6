#!/usr/bin/env node

/**
 * `gym2600`: `train`, `evaluate`, `games`, `describe` and `replay` over the WebAssembly modules.
 *
 * All but `replay` print the bytes of the native program in `crates/cli`. The exit code is 0 for success, 1 for a failure, and 2 for a wrong
 * command line. Wrong files and options are refused before anything is printed. A run of `train` that a signal ended has 128 and the signal's number.
 */

import { fileURLToPath } from "node:url";
import { isMainThread } from "node:worker_threads";
import { Gym2600Error } from "../errors.js";
import { setPlatform } from "../platform.js";
import { node } from "../platform-node.js";
import { describe, describeUsage, games, gamesUsage } from "./catalogue.js";
import { evaluate, evaluateUsage } from "./evaluate.js";
import { playForProgram } from "./evaluation-worker.js";
import { ClosedOutput, InputError, readText, UsageError } from "./input.js";
import { train } from "./learn.js";
import { replay, replayUsage } from "./replay.js";
import { trainUsage } from "./train-options.js";

/** What each command takes. */
const usages: ReadonlyMap<string | undefined, string> = new Map([
  ["train", trainUsage],
  ["evaluate", evaluateUsage],
  ["games", gamesUsage],
  ["describe", describeUsage],
  ["replay", replayUsage],
]);

const usage = `Atari 2600 environments, byte for byte as the Arcade Learning Environment plays them. Without a ROM, the game is WALLOP.

${[...usages.values()].map((text) => text.split("\n").slice(0, 2).join("\n")).join("\n")}

gym2600 COMMAND --help lists a command's options.`;

async function run(arguments_: readonly string[]): Promise<void> {
  const [command, ...rest] = arguments_;
  const help = usages.get(command);
  if (help !== undefined && rest.some((argument) => argument === "--help" || argument === "-h")) {
    process.stdout.write(`${help}\n`);
    return;
  }
  switch (command) {
    case "train":
      return train(rest);
    case "evaluate":
      return evaluate(rest);
    case "games":
      return games(rest);
    case "describe":
      return describe(rest);
    case "replay":
      return replay(rest);
    case "--version":
    case "-V":
      process.stdout.write(`gym2600 ${version()}\n`);
      return;
    case "help":
    case "--help":
    case "-h":
      process.stdout.write(`${usage}\n`);
      return;
    default:
      throw new UsageError(
        command === undefined ? "a command is needed" : `there is no command ${JSON.stringify(command)}`,
      );
  }
}

/** The version of the package that this program is a file of. */
function version(): string {
  return (JSON.parse(readText(fileURLToPath(new URL("../package.json", import.meta.url)))) as { version: string })
    .version;
}

async function main(): Promise<void> {
  // The reader of the output has closed it, as `head` does. This is no failure.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    process.stderr.write(`gym2600: cannot write the standard output: ${error.message}\n`);
    process.exit(1);
  });
  // A terminal that has been closed. The program goes on and writes its files.
  process.stderr.on("error", () => {});
  try {
    await run(process.argv.slice(2));
  } catch (error) {
    if (error instanceof UsageError) {
      const help = "gym2600 --help lists the commands, and gym2600 COMMAND --help its options";
      process.stderr.write(`gym2600: ${error.message}\n${help}\n`);
      process.exitCode = 2;
    } else if (error instanceof InputError || error instanceof Gym2600Error) {
      process.stderr.write(`gym2600: ${error.message}\n`);
      process.exitCode = error instanceof InputError ? error.exitCode : 1;
    } else if (!(error instanceof ClosedOutput)) {
      throw error;
    }
  }
}

setPlatform(node);
// Games that are evaluated at the same time play in workers, which have this file too.
await (isMainThread ? main() : playForProgram());
