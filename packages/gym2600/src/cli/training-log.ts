/** Logs of a run, one entry an update, with the names and files of the native program. */

import { closeSync, constants, fstatSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { extname } from "node:path";
import type { TrainingUpdate } from "../learn/types.js";
import { TensorBoardWriter } from "../tools/tensorboard.js";
import { hold, writing } from "./files.js";
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
 * A place for a log that no other run writes to at the same time: a file of rows, or a folder, which is made if there is none. Nothing in it
 * has changed yet.
 */
export interface LogPlace {
  readonly path: string;
  readonly log: typeof JsonLines | typeof Csv | typeof TensorBoard;
  /** Its lock, and the file of rows. */
  readonly opened: number;
}

/** @throws InputError if another run writes to it */
export function takeLogPlace(path: string): LogPlace {
  return writing(path, () => {
    const log = logOf(extname(path));
    if (log === TensorBoard) mkdirSync(path, { recursive: true });
    const opened = openSync(path, log === TensorBoard ? constants.O_RDONLY : constants.O_WRONLY | constants.O_CREAT);
    const found = fstatSync(opened);
    try {
      // Several runs may write to pipes and devices.
      if (found.isFile() || found.isDirectory()) hold(opened, path);
    } catch (error) {
      closeSync(opened);
      throw error;
    }
    return { path, log, opened };
  });
}

function logOf(ending: string): LogPlace["log"] {
  if (ending === ".jsonl" || ending === ".json") return JsonLines;
  return ending === ".csv" ? Csv : TensorBoard;
}

/**
 * Begins a log: JSON lines (`.jsonl`), CSV (`.csv`), or else a folder for TensorBoard. That of a run `resumed` from a checkpoint goes on at
 * the end of the file, after the checkpoint's update.
 */
export function beginLog(place: LogPlace, resumed: At | undefined): TrainingLog {
  return writing(place.path, () => new place.log(place, resumed));
}

/**
 * The bytes of a file without the rows of updates after `updates`: the run that wrote them ended before its next checkpoint. A row without a
 * line's end, which a killed run leaves, is not among them either.
 */
function lengthUntil(updates: number, bytes: Buffer): number {
  let size = 0;
  for (let end = bytes.indexOf("\n"); end >= 0; end = bytes.indexOf("\n", size)) {
    // A row of either format begins with its update.
    const [, update] = /^(?:\{"update":)?(\d+)/.exec(bytes.toString("latin1", size, end)) ?? [];
    if (Number(update ?? 0) > updates) break;
    size = end + 1;
  }
  return size;
}

/** A file of lines. Each is in the file when `line` returns. */
class Lines {
  readonly #path: string;
  readonly #file: number;
  /** The end of the file. Pipes and devices, which several runs may write to, have none. */
  #end: number | null = null;
  /** Whether there is no line yet. */
  protected isNew: boolean;

  constructor({ path, opened }: LogPlace, resumed: At | undefined) {
    this.#path = path;
    this.#file = opened;
    // Reading a pipe would wait for ever.
    if (fstatSync(opened).isFile()) {
      this.#end = resumed === undefined ? 0 : lengthUntil(resumed.updates, readFileSync(path));
      ftruncateSync(opened, this.#end);
    }
    this.isNew = this.#end === 0 || this.#end === null;
  }

  line(text: string): void {
    writing(this.#path, () => {
      let rest = Buffer.from(`${text}\n`);
      while (rest.length > 0) {
        const size = writeSync(this.#file, rest, 0, rest.length, this.#end);
        if (this.#end !== null) this.#end += size;
        rest = rest.subarray(size);
      }
    });
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
  readonly #folder: number;

  constructor({ path, opened }: LogPlace, resumed: At | undefined) {
    this.#path = path;
    this.#folder = opened;
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
    closeSync(this.#folder);
  }
}
