/** The files of a run: where it saves if none is named, and those that it may not replace. */

import { readdirSync } from "node:fs";
import { isEarlier } from "../../wasm-learn/gym2600_learn.js";
import type { Trainer } from "../learn/trainer.js";
import type { PolicyOrigin } from "../learn/types.js";
import { callLearner } from "../learn/wasm.js";
import { identity } from "./files.js";
import { found, InputError, read } from "./input.js";
import type { TrainArguments } from "./train-options.js";
import { isOwnLog, type LogHeader, logOfSettings, type Rows, settingsFile } from "./training-log.js";

/** The names of an option and of a file. */
type Named = readonly [option: string, path: string];

/**
 * The arguments of a run that is saved in any case: where no file for its results is named, it goes on in the checkpoint that it resumes, or has one
 * of its own in the working folder.
 */
export function withDefault(given: TrainArguments, origin: PolicyOrigin): TrainArguments {
  const { noSave, checkpoint, weights, resume } = given;
  if (noSave || checkpoint !== undefined || weights.length > 0) return given;
  // A definition may name its game as it likes.
  const game = origin.game.replace(/[^A-Za-z0-9_-]/gu, "_");
  const path = resume ?? `${game}-${origin.algorithm}-${origin.seed}.checkpoint`;
  return { ...given, checkpoint: path };
}

/** The checkpoint that a run goes on from and in. */
export function goneOnIn({ resume, checkpoint, noSave, weights }: TrainArguments): string | undefined {
  if (resume === undefined || found(resume) === undefined) return undefined;
  const isWritten =
    checkpoint === undefined ? !noSave && weights.length === 0 : identity(checkpoint) === identity(resume);
  return isWritten ? resume : undefined;
}

/** Says where a run is saved that has been given no file. */
export function tellDefault(parsed: TrainArguments, { checkpoint }: TrainArguments): void {
  if (checkpoint === undefined || parsed.checkpoint !== undefined) return;
  process.stderr.write(`gym2600: the run is saved in ${checkpoint} (--checkpoint FILE names another)\n`);
}

/** Refuses a file that is given twice: the second one would take the place of the first. A run may go on in its own checkpoint. */
export function checkDistinct(given: TrainArguments): void {
  const { rom, resume, options } = given;
  const isJson = options.options?.trimStart().startsWith("{");
  const read = [
    ["the ROM", rom],
    ["--resume", resume],
    ["--options", isJson ? undefined : options.options],
    ["--game", options.game],
  ] as const;
  const taken = read.flatMap(([option, path]) => (path === undefined ? [] : [[option, identity(path)] as const]));
  for (const [second, path] of written(given)) {
    const file = identity(path);
    if (file === undefined) continue;
    const [first] = taken.find(([, other]) => other === file) ?? [];
    if (first !== undefined && !(first === "--resume" && second === "--checkpoint")) {
      throw new InputError(`${first} and ${second} are the same file, ${path}: one would be lost`);
    }
    taken.push([second as (typeof read)[number][0], file]);
  }
}

/** What errors call the file of settings beside a log. */
const SETTINGS = ["the settings of --log", "the settings of --log-games"] as const;

/** The files that a run writes, with their options. */
function written({ checkpoint, weights, logs, gameLogs }: TrainArguments): Named[] {
  const named = (name: string, paths: readonly string[]) => paths.map((path): Named => [name, path]);
  const settings = (paths: readonly string[]) => paths.map(settingsFile).filter((path) => path !== undefined);
  return [
    ...named("--checkpoint", checkpoint === undefined ? [] : [checkpoint]),
    ...named("--weights", weights),
    ...named("--log", logs),
    ...named(SETTINGS[0], settings(logs)),
    ...named("--log-games", gameLogs),
    ...named(SETTINGS[1], settings(gameLogs)),
  ];
}

/** Refuses files that other runs have written. A run that is resumed goes on in its own. */
export function checkOthers(given: TrainArguments, trainer: Trainer, headerOf: (rows: Rows) => LogHeader): void {
  const { resume, force } = given;
  if (force) return;
  for (const [option, path] of written(given)) {
    if (!isThere(path) || (resume !== undefined && identity(resume) === identity(path))) continue;
    // Those of a log that is there are that log's own.
    if ((SETTINGS as readonly string[]).includes(option) && isThere(logOfSettings(path))) continue;
    if (resume !== undefined && isOwn(option, path, trainer, headerOf)) continue;
    const advice =
      option === "--checkpoint" && resume === undefined ? `, and --resume ${path} goes on with its run` : "";
    throw new InputError(`${option}: ${path} is there already; --force replaces it${advice}`);
  }
}

/** Whether a file is of the run that goes on. */
function isOwn(option: string, path: string, trainer: Trainer, headerOf: (rows: Rows) => LogHeader): boolean {
  if ((SETTINGS as readonly string[]).includes(option)) return false;
  if (option === "--log") return isOwnLog(path, headerOf("updates"));
  if (option === "--log-games") return isOwnLog(path, headerOf("games"));
  return callLearner(() => isEarlier(trainer.weights(), trainer.config.numEnvs, read(path)));
}

/** Whether a file has content that could be lost. Pipes and devices have none, and a folder has if it has event files. */
export function isThere(path: string): boolean {
  const there = found(path);
  if (there?.isDirectory()) return readdirSync(path).some((name) => name.startsWith("events.out.tfevents"));
  return there?.isFile() === true && there.size > 0;
}
