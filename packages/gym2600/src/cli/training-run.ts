/** A run of training with its files: until its steps, a signal, or a report that fails. */

import { Gym2600Error } from "../errors.js";
import type { Trainer } from "../learn/trainer.js";
import { CHECKPOINT_STEPS } from "../schema/learn.js";
import type { Doubts } from "./doubts.js";
import { write } from "./files.js";
import { ClosedOutput, InputError } from "./input.js";
import { Output } from "./lines.js";
import { Progress } from "./progress.js";
import { exitCodeOf, isLong, Stop } from "./stop.js";
import { type TrainingLog, updateLine } from "./training-log.js";

/** The longest time between two checkpoints in milliseconds, but for that of an update. */
const CHECKPOINT_PERIOD = 30_000;

/** An update failed: there is nothing good to write. */
class TrainingStopped extends InputError {}

/** Files and what is to be in them. */
type Results = ReadonlyArray<readonly [path: string, bytes: Uint8Array]>;

interface Run {
  readonly trainer: Trainer;
  readonly steps: number;
  readonly logs: readonly TrainingLog[];
  readonly weights: readonly string[];
  readonly checkpoint: string | undefined;
  readonly resume: string | undefined;
  readonly json: boolean;
  readonly doubts: Doubts;
}

/** Trains, and writes the results. */
export async function runTraining(run: Run): Promise<void> {
  const { trainer, steps, checkpoint, json } = run;
  const first = trainer.updates;
  const progress = json ? undefined : new Progress(steps, trainer.steps);
  const stop = new Stop();
  try {
    let failure: Error | undefined;
    let results: Results | undefined;
    try {
      results = await train(run, stop, progress);
    } catch (error) {
      const isReport =
        (error instanceof InputError || error instanceof ClosedOutput) && !(error instanceof TrainingStopped);
      // Results of no update would take the place of others.
      if (!isReport || trainer.updates === first) throw error;
      failure = error;
    }
    const isDone = trainer.steps >= steps;
    progress?.finish(trainer);
    run.doubts.finish(trainer.steps);
    // Writing to a pipe blocks this thread until it has a reader.
    await stop.armed();
    const failures = writeAll(results ?? (await resultsOf(run)));
    const advice =
      checkpoint === undefined
        ? "without --checkpoint FILE it cannot go on"
        : `the same command with --resume ${checkpoint} goes on`;
    const after = `the run after ${trainer.steps} steps: ${advice}`;
    if (failure instanceof ClosedOutput && failures.length === 0) throw failure;
    if (failure !== undefined) {
      // A full disk fails both for the same reason.
      const others = failures.filter((message) => message !== failure?.message);
      const ended = isDone ? [] : [`an error ended ${after}`];
      throw new InputError([failure.message, ...others, ...ended].join("\ngym2600: "));
    }
    if (failures.length > 0) throw new InputError(failures.join("\ngym2600: "));
    if (stop.signal !== undefined && !isDone) {
      throw new InputError(`${stop.signal} ended ${after}`, exitCodeOf(stop.signal));
    }
  } finally {
    stop.close();
  }
}

/** Trains for the steps of the run, or until a signal. Gives the results before an update that the signal dropped. */
async function train(run: Run, stop: Stop, progress: Progress | undefined): Promise<Results | undefined> {
  const { trainer, steps, logs, checkpoint, json, doubts } = run;
  const output = new Output();
  let kept = run.resume;
  let saved: { period: number; at: number } | undefined;
  let took: number | undefined;
  while (trainer.steps < steps) {
    const period = Math.floor(trainer.steps / CHECKPOINT_STEPS);
    const isSaved = saved?.period === period && performance.now() - saved.at < CHECKPOINT_PERIOD;
    if (checkpoint !== undefined && !isSaved) {
      write(checkpoint, await trainer.checkpoint());
      saved = { period, at: performance.now() };
      kept = checkpoint;
    }
    const before = isLong(took) ? await resultsOf(run) : undefined;
    if (stop.signal !== undefined) return undefined;
    const start = performance.now();
    const updated = trainer.update().catch((error: unknown) => {
      const advice = kept === undefined ? "" : `; the last good checkpoint is in ${kept}`;
      throw error instanceof Gym2600Error ? new TrainingStopped(`${error.message}${advice}`) : error;
    });
    const update = await (before === undefined ? updated : stop.unlessLate(updated));
    if (update === undefined) return before;
    took = performance.now() - start;
    if (json) output.line(updateLine(update));
    output.flush();
    for (const log of logs) log.write(update);
    const doubt = doubts.after(update);
    progress?.show(update, doubt);
  }
  return undefined;
}

/** The checkpoint and the weights that are to be written. */
async function resultsOf({ trainer, checkpoint, weights }: Run): Promise<Results> {
  const policies = weights.map((path) => [path, path.endsWith(".onnx") ? trainer.onnx() : trainer.weights()] as const);
  return checkpoint === undefined ? policies : [[checkpoint, await trainer.checkpoint()], ...policies];
}

/** Writes files. If one cannot be written, the others still are. Gives the messages of the failures. */
function writeAll(results: Results): string[] {
  const failures: string[] = [];
  for (const [path, bytes] of results) {
    try {
      write(path, bytes);
    } catch (error) {
      failures.push((error as Error).message);
    }
  }
  return failures;
}
