/** `gym2600 train`: the learner over its WebAssembly module. */

import { settingsJson } from "../../wasm-learn/gym2600_learn.js";
import { Gym2600Error } from "../errors.js";
import { Policy } from "../learn/policy.js";
import { Trainer } from "../learn/trainer.js";
import type { TrainingConfig } from "../learn/types.js";
import { callLearner } from "../learn/wasm.js";
import { setLearnerPlatform } from "../learn-platform-node.js";
import { Doubts } from "./doubts.js";
import { check, identity, Lock } from "./files.js";
import { InputError, readRom, withGameFile } from "./input.js";
import { checkDistinct, checkOthers, goneOnIn, tellDefault, withDefault } from "./places.js";
import { parseTrain, type TrainArguments, trainerOptions } from "./train-options.js";
import { beginLog, type LogHeader, type Rows, type TrainingLog, takeLogPlace } from "./training-log.js";
import { runTraining } from "./training-run.js";

export async function train(args: readonly string[]): Promise<void> {
  setLearnerPlatform();
  const parsed = parseTrain(args);
  checkDistinct(parsed);
  const rom = readRom(parsed.rom);
  const locks: Array<Lock | undefined> = [];
  const logs: TrainingLog[] = [];
  let trainer: Trainer | undefined;
  try {
    // Before it is read: another run that has it may still write it.
    const own = goneOnIn(parsed);
    if (own !== undefined) locks.push(Lock.take(own));
    trainer = await ofFile(parsed.resume, () =>
      withGameFile(parsed.options.game, (game) => Trainer.create(trainerOptions(parsed, rom, game))),
    );
    tellProcessor(trainer);
    const { headerOf, given } = await placesOf(parsed, trainer);
    const { checkpoint, weights, resume, steps } = given;
    const results = [...(checkpoint === undefined ? [] : [checkpoint]), ...weights];
    for (const path of results) check(path);
    for (const path of results) {
      if (own === undefined || identity(own) !== identity(path)) locks.push(Lock.take(path));
    }
    const resumed = resume === undefined ? undefined : { updates: trainer.updates, steps: trainer.steps };
    // All are free before the first one changes.
    const places = [
      ...given.logs.map((path) => takeLogPlace(path, "updates")),
      ...given.gameLogs.map((path) => takeLogPlace(path, "games")),
    ];
    const doubts = new Doubts();
    if (trainer.steps < steps) doubts.play(rom, trainer.config, given.options.game);
    for (const place of places) logs.push(beginLog(place, headerOf(place.rows), resumed));
    await runTraining({ trainer, steps, logs, weights, checkpoint, resume, json: given.json, doubts });
  } finally {
    trainer?.close();
    for (const log of logs) log.close();
    for (const lock of locks) lock?.release();
  }
}

/** Says why the CPU computes, if it does in place of a graphics card. */
function tellProcessor({ processor }: Trainer): void {
  if (processor.device === "cpu" && processor.reason !== undefined) {
    process.stderr.write(`gym2600: computing on CPU: ${processor.reason}\n`);
  }
}

/** The arguments with a file for the results, none of which another run has, and the headers of its logs. */
async function placesOf(
  parsed: TrainArguments,
  trainer: Trainer,
): Promise<{ readonly given: TrainArguments; readonly headerOf: (rows: Rows) => LogHeader }> {
  const policy = await Policy.load(trainer.weights());
  const { origin } = policy;
  policy.close();
  if (origin === null) throw new InputError("the run's weights do not say what they are made for");
  const given = withDefault(parsed, origin);
  checkDistinct(given);
  const { version, game, romMd5 } = origin;
  const json = callLearner(() => settingsJson(trainer.config, trainer.environment));
  const [settings, environment] = JSON.parse(json) as [TrainingConfig, unknown];
  const headerOf = (rows: Rows) => ({ version, rows, game, rom_md5: romMd5, settings, environment });
  checkOthers(given, trainer, headerOf);
  tellDefault(parsed, given);
  return { given, headerOf };
}

/** Calls `call`. A refusal of weights or of a checkpoint names their file. */
export async function ofFile<T>(path: string | undefined, call: () => T | Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (path === undefined || !(error instanceof Gym2600Error) || error.code !== "bad-weights") throw error;
    const advice = path.endsWith(".onnx") ? " (safetensors are read, and ONNX is only written)" : "";
    throw new InputError(`${path}: ${error.message}${advice}`);
  }
}
