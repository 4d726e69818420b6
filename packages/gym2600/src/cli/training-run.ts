/** A run of training with its files: until its steps, a signal, or a report that fails. */

import { Gym2600Error } from "../errors.js";
import type { Trainer } from "../learn/trainer.js";
import type { TrainingUpdate } from "../learn/types.js";
import { CHECKPOINT_STEPS } from "../schema/learn.js";
import type { Doubts } from "./doubts.js";
import { write } from "./files.js";
import { ClosedOutput, InputError } from "./input.js";
import { Output } from "./lines.js";
import { isThere } from "./places.js";
import { Progress } from "./progress.js";
import { exitCodeOf, isLong, Stop } from "./stop.js";
import { type TrainingLog, updateLine } from "./training-log.js";

/** The longest time between two checkpoints in milliseconds, but for that of an update. */
const CHECKPOINT_PERIOD = 30_000;

/** An update failed: there is no later checkpoint to write. */
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
      // Results of no update would take the place of others.
      if (trainer.updates === first) throw error;
      if (error instanceof TrainingStopped) throw withWeights(error, run);
      if (!(error instanceof InputError || error instanceof ClosedOutput)) throw error;
      failure = error;
    }
    const isDone = trainer.steps >= steps;
    const hasLearned = trainer.updates > first;
    progress?.finish(trainer);
    if (hasLearned) run.doubts.finish(trainer.steps);
    // Writing to a pipe blocks this thread until it has a reader.
    await stop.armed();
    const weights = stop.signal === undefined || isDone ? run.weights : weightsAtSignal(run, hasLearned);
    const failures = writeAll(results ?? (await resultsOf(run, weights)));
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
  const { trainer, steps, checkpoint, doubts } = run;
  const output = new Output();
  const first = trainer.updates;
  let reported = first;
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
    const weights = weightsAtSignal(run, trainer.updates > first);
    const before = isLong(took) ? await resultsOf(run, weights) : undefined;
    if (stop.signal !== undefined) return undefined;
    const start = performance.now();
    const updated = trainer.update().catch((error: unknown) => {
      const advice = kept === undefined ? "" : `; the last good checkpoint is in ${kept}`;
      throw error instanceof Gym2600Error ? new TrainingStopped(`${error.message}${advice}`) : error;
    });
    const update = await (before === undefined ? updated : stop.unlessLate(updated));
    if (update === undefined) return before;
    took = performance.now() - start;
    // Where a worker has died, updates since a checkpoint are made again.
    if (update.update <= reported) continue;
    reported = update.update;
    report(run, output, update);
    const doubt = doubts.after(update);
    progress?.show(update, doubt);
  }
  return undefined;
}

/** Reports an update. Each log has it, also where another fails: a run that goes on later does not report it again. */
function report({ logs, json }: Run, output: Output, update: TrainingUpdate): void {
  const failures: unknown[] = [];
  const attempt = (call: () => void) => {
    try {
      call();
    } catch (error) {
      failures.push(error);
    }
  };
  for (const log of logs) attempt(() => log.write(update));
  if (json) output.line(updateLine(update));
  attempt(() => output.flush());
  if (failures.length > 0) throw failures[0];
}

/** The files of weights that are written at a signal: where nothing was learned, those that are there keep their content. */
function weightsAtSignal({ weights }: Run, hasLearned: boolean): readonly string[] {
  return weights.filter((path) => hasLearned || !isThere(path));
}

/** The checkpoint, and the weights that are to be written. */
async function resultsOf({ trainer, checkpoint }: Run, weights: readonly string[]): Promise<Results> {
  const policies = weightsOf(weights, trainer);
  return checkpoint === undefined ? policies : [[checkpoint, await trainer.checkpoint()], ...policies];
}

function weightsOf(paths: readonly string[], trainer: Trainer): Results {
  return paths.map((path) => [path, path.endsWith(".onnx") ? trainer.onnx() : trainer.weights()]);
}

/** The failure of an update, with the weights before it written: a run may have no checkpoint. */
function withWeights(error: InputError, { trainer, weights }: Run): InputError {
  if (weights.length === 0) return error;
  const failures = writeAll(weightsOf(weights, trainer));
  const written = `the weights of update ${trainer.updates} are in ${weights.join(", ")}`;
  return new InputError([error.message, ...(failures.length > 0 ? failures : [written])].join("\ngym2600: "));
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
