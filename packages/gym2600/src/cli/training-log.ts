/** Logs of a run, one entry an update, with the names and files of the native program. */

import { closeSync, fstatSync, openSync, readFileSync, statSync, truncateSync, writeSync } from "node:fs";
import { extname } from "node:path";
import type { TrainingUpdate } from "../learn/types.js";
import { TensorBoardWriter } from "../tools/tensorboard.js";
import { writing } from "./input.js";
import { object, real } from "./lines.js";

/** The values of an entry after the counts, in the order of a log. */
type Fields = ReadonlyArray<readonly [name: string, value: number | null]>;

function fields(update: TrainingUpdate): Fields {
  return [
    ["reward", update.reward],
    ["length", update.length],
    ["entropy", update.entropy],
    ["kl", update.kl],
    ["clip_fraction", update.clipFraction],
    ["explained_variance", update.explainedVariance],
    ["policy_loss", update.policyLoss],
    ["value_loss", update.valueLoss],
    ["gradient_norm", update.gradientNorm],
    ["learning_rate", update.learningRate],
    ["steps_per_second", update.stepsPerSecond],
    ["playing", update.playing],
    ["learning", 1 - update.playing],
  ];
}

function json(value: number | null): string {
  return value === null || !Number.isFinite(value) ? "null" : real(value);
}

/** The line of `--json`. */
export function updateLine(update: TrainingUpdate): string {
  const left: readonly string[] = ["length", "gradient_norm", "learning_rate", "playing", "learning"];
  const rounded = { ...update, stepsPerSecond: Math.round(update.stepsPerSecond * 10) / 10 };
  const shown = fields(rounded).filter(([name]) => !left.includes(name));
  return object([
    ...counts(update),
    ...shown.map(([name, value]) => [name, json(value)] as const),
    ["weights", JSON.stringify(update.weights)],
  ]);
}

function counts({ update, steps, episodes }: TrainingUpdate): Array<readonly [name: string, json: string]> {
  return [
    ["update", String(update)],
    ["steps", String(steps)],
    ["episodes", String(episodes)],
  ];
}

/** A log being written. */
export interface TrainingLog {
  write(update: TrainingUpdate): void;
  close(): void;
}

/** How far a run is. */
interface At {
  readonly updates: number;
  readonly steps: number;
}

/**
 * Opens a log: JSON lines (`.jsonl`), CSV (`.csv`), or else a folder for TensorBoard. That of a run `resumed` from a checkpoint goes on at
 * the end of the file, after the checkpoint's update.
 */
export function openLog(path: string, resumed: At | undefined): TrainingLog {
  return writing(path, () => {
    switch (extname(path)) {
      case ".jsonl":
      case ".json":
        return new JsonLines(path, resumed);
      case ".csv":
        return new Csv(path, resumed);
      default:
        return new TensorBoard(path, resumed);
    }
  });
}

/**
 * Cuts off the rows of updates after `updates`, if there is a file: the run that wrote them ended before its next checkpoint. A row
 * without a line's end, which a killed run leaves, is cut off too.
 */
function cut(path: string, updates: number): void {
  // Reading a pipe would wait for ever.
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return;
  const bytes = readFileSync(path);
  let size = 0;
  for (let end = bytes.indexOf("\n"); end >= 0; end = bytes.indexOf("\n", size)) {
    // A row of either format begins with its update.
    const [, update] = /^(?:\{"update":)?(\d+)/.exec(bytes.toString("latin1", size, end)) ?? [];
    if (Number(update ?? 0) > updates) break;
    size = end + 1;
  }
  if (size < bytes.length) truncateSync(path, size);
}

/** A file of lines. Each is in the file when `line` returns. */
class Lines {
  readonly #path: string;
  readonly #file: number;
  /** Whether there is no line yet. */
  protected isNew: boolean;

  constructor(path: string, resumed: At | undefined) {
    this.#path = path;
    if (resumed !== undefined) cut(path, resumed.updates);
    this.#file = openSync(path, resumed === undefined ? "w" : "a");
    this.isNew = fstatSync(this.#file).size === 0;
  }

  line(text: string): void {
    writing(this.#path, () => writeSync(this.#file, `${text}\n`));
  }

  close(): void {
    closeSync(this.#file);
  }
}

class JsonLines extends Lines implements TrainingLog {
  write(update: TrainingUpdate): void {
    this.line(object([...counts(update), ...fields(update).map(([name, value]) => [name, json(value)] as const)]));
  }
}

class Csv extends Lines implements TrainingLog {
  write(update: TrainingUpdate): void {
    const columns = [...counts(update), ...fields(update).map(([name, value]) => [name, value ?? ""] as const)];
    if (this.isNew) this.line(columns.map(([name]) => name).join(","));
    this.isNew = false;
    this.line(columns.map(([, value]) => value).join(","));
  }
}

class TensorBoard implements TrainingLog {
  readonly #path: string;
  readonly #writer: TensorBoardWriter;

  constructor(path: string, resumed: At | undefined) {
    this.#path = path;
    this.#writer = new TensorBoardWriter(path);
    if (resumed !== undefined) this.#writer.restart(resumed.steps + 1);
  }

  write(update: TrainingUpdate): void {
    for (const [name, value] of [["episodes", update.episodes] as const, ...fields(update)]) {
      if (value !== null) writing(this.#path, () => this.#writer.scalar(`train/${name}`, value, update.steps));
    }
  }

  close(): void {
    this.#writer.close();
  }
}
