/** `gym2600 train`: the learner over its WebAssembly module. */

import { Gym2600Error } from "../errors.js";
import { Policy } from "../learn/policy.js";
import { Trainer } from "../learn/trainer.js";
import { setLearnerPlatform } from "../learn-platform-node.js";
import { Doubts } from "./doubts.js";
import { check, Lock } from "./files.js";
import { InputError, readRom, withGameFile } from "./input.js";
import { checkDistinct, checkOthers, tellDefault, withDefault } from "./places.js";
import { parseTrain, type TrainArguments, trainerOptions } from "./train-options.js";
import { beginLog, type LogHeader, type TrainingLog, takeLogPlace } from "./training-log.js";
import { runTraining } from "./training-run.js";

export async function train(args: readonly string[]): Promise<void> {
  setLearnerPlatform();
  const parsed = parseTrain(args);
  checkDistinct(parsed);
  const trainer = await ofFile(parsed.resume, () =>
    withGameFile(parsed.options.game, (game) => Trainer.create(trainerOptions(parsed, game))),
  );
  const { processor } = trainer;
  if (processor.device === "cpu" && processor.reason !== undefined) {
    process.stderr.write(`gym2600: computing on CPU: ${processor.reason}\n`);
  }
  const locks: Array<Lock | undefined> = [];
  const logs: TrainingLog[] = [];
  try {
    const { header, given } = await placesOf(parsed, trainer);
    const { checkpoint, weights, resume, steps } = given;
    const results = [...(checkpoint === undefined ? [] : [checkpoint]), ...weights];
    for (const path of results) check(path);
    for (const path of results) locks.push(Lock.take(path));
    const resumed = resume === undefined ? undefined : { updates: trainer.updates, steps: trainer.steps };
    // All are free before the first one changes.
    const places = [
      ...given.logs.map((path) => takeLogPlace(path, "updates")),
      ...given.gameLogs.map((path) => takeLogPlace(path, "games")),
    ];
    const doubts = new Doubts();
    if (trainer.steps < steps) doubts.play(readRom(given.rom), trainer.config, given.options.game);
    for (const place of places) logs.push(beginLog(place, header, resumed));
    await runTraining({ trainer, steps, logs, weights, checkpoint, resume, json: given.json, doubts });
  } finally {
    trainer.close();
    for (const log of logs) log.close();
    for (const lock of locks) lock?.release();
  }
}

/** The arguments with a file for the results, none of which another run has, and the header of its logs. */
async function placesOf(
  parsed: TrainArguments,
  trainer: Trainer,
): Promise<{ readonly given: TrainArguments; readonly header: LogHeader }> {
  const policy = await Policy.load(trainer.weights());
  const { origin } = policy;
  policy.close();
  if (origin === null) throw new InputError("the run's weights do not say what they are made for");
  const given = withDefault(parsed, origin);
  checkDistinct(given);
  const { version, game, romMd5 } = origin;
  const header = { version, game, rom_md5: romMd5, settings: trainer.config, environment: trainer.environment };
  checkOthers(given, trainer, header);
  tellDefault(parsed, given);
  return { given, header };
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
