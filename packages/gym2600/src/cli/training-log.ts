/** Logs of a run: a row for each update, or for each game, behind the run's settings. Names and files are those of the native program. */

import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeSync,
} from "node:fs";
import { extname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { TrainingConfig, TrainingUpdate } from "../learn/types.js";
import { TensorBoardWriter } from "../tools/tensorboard.js";
import { hold, write, writing } from "./files.js";
import { found } from "./input.js";
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

const UPDATE_NAMES = [
  ..."episodes reward length entropy kl clip_fraction explained_variance policy_loss value_loss".split(" "),
  ..."gradient_norm learning_rate steps_per_second playing learning".split(" "),
];

function json(value: number | null): string {
  return value === null || !Number.isFinite(value) ? "null" : real(value);
}

/** A number of a log: as JSON has it, without the point of a whole number. Undefined for one that is not finite. */
function digits(value: number | null): string | undefined {
  return value === null || !Number.isFinite(value) ? undefined : real(value).replace(/\.0$/, "");
}

/** The line of `--json`. */
export function updateLine(update: TrainingUpdate): string {
  const left: readonly string[] = ["length", "gradient_norm", "learning_rate", "playing", "learning"];
  const rounded = { ...update, stepsPerSecond: Math.round(update.stepsPerSecond * 10) / 10 };
  const shown = fields(rounded).filter(([name]) => !left.includes(name));
  return object([
    ...places(update),
    ["episodes", String(update.episodes)],
    ...shown.map(([name, value]) => [name, json(value)] as const),
    ["weights", JSON.stringify(update.weights)],
  ]);
}

function places({ update, steps }: TrainingUpdate): Array<readonly [name: string, json: string]> {
  return [
    ["update", String(update)],
    ["steps", String(steps)],
  ];
}

/** What the rows of a log are of. */
export type Rows = "updates" | "games";

/**
 * What a log is of, and how: the first line of JSON lines, a file beside a CSV, and the hyper-parameters of TensorBoard. `environment` has the
 * options of the games, defaults resolved.
 */
export interface LogHeader {
  readonly version: string;
  readonly rows: Rows;
  readonly game: string;
  readonly rom_md5: string;
  readonly settings: TrainingConfig;
  readonly environment: unknown;
}

/**
 * Whether a log that is there is one that the run of a header may go on in. A folder of TensorBoard is: each run has a file of its own in it. A
 * log of rows is if it has a like header.
 */
export function isOwnLog(path: string, ours: LogHeader): boolean {
  const log = logOf(extname(path));
  if (log === TensorBoard) return true;
  if (log === Csv && !existsSync(beside(path))) return false;
  const text = readFileSync(log === Csv ? beside(path) : path, "utf8");
  const compared = ({ rows, rom_md5, settings }: LogHeader) => [rows, rom_md5, settings];
  try {
    const theirs = JSON.parse(log === Csv ? text : (text.split("\n", 1)[0] ?? "")) as LogHeader;
    return isDeepStrictEqual(compared(theirs), compared(ours));
  } catch {
    return false;
  }
}

/** How the name of a file of settings ends. */
const SETTINGS_ENDING = ".settings.json";

/** The file of a CSV's settings. */
function beside(csv: string): string {
  return `${csv}${SETTINGS_ENDING}`;
}

/** The file of settings that a log has beside it: a CSV's, unless it is written to a pipe or a device. */
export function settingsFile(path: string): string | undefined {
  return logOf(extname(path)) === Csv && found(path)?.isFile() !== false ? beside(path) : undefined;
}

/** The log of a file of settings. */
export function logOfSettings(path: string): string {
  return path.slice(0, -SETTINGS_ENDING.length);
}

/** A row: the values after update and steps. */
function rowsOf(rows: Rows, update: TrainingUpdate): Fields[] {
  if (rows === "updates") return [[["episodes", update.episodes], ...fields(update)]];
  const before = update.episodes - update.finished.length;
  return update.finished.map(({ reward, length, frames }, index) => [
    ["episode", before + index + 1],
    ["reward", reward],
    ["length", length],
    ["frames", frames],
  ]);
}

const GAME_NAMES = ["episode", "reward", "length", "frames"];

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
  readonly rows: Rows;
  readonly log: typeof JsonLines | typeof Csv | typeof TensorBoard;
  /** Its lock, and the file of rows. */
  readonly opened: number;
}

/** @throws InputError if another run writes to it */
export function takeLogPlace(path: string, rows: Rows): LogPlace {
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
    return { path, rows, log, opened };
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
export function beginLog(place: LogPlace, header: LogHeader, resumed: At | undefined): TrainingLog {
  return writing(place.path, () => new place.log(place, header, resumed));
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
  protected readonly rows: Rows;

  constructor({ path, rows, opened }: LogPlace, header: LogHeader, resumed: At | undefined) {
    this.#path = path;
    this.#file = opened;
    this.rows = rows;
    // Reading a pipe would wait for ever.
    if (fstatSync(opened).isFile()) {
      const goesOn = resumed !== undefined && isOwnLog(path, header);
      this.#end = goesOn ? lengthUntil(resumed.updates, readFileSync(path)) : 0;
      ftruncateSync(opened, this.#end);
    }
  }

  protected get isFile(): boolean {
    return this.#end !== null;
  }

  /** Whether there is no line yet. */
  protected get isNew(): boolean {
    return this.#end === 0 || this.#end === null;
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
  /** The first line, written with the first row, so that a full disk ends a run that has something to keep. */
  #header: string | undefined;

  constructor(place: LogPlace, header: LogHeader, resumed: At | undefined) {
    super(place, header, resumed);
    if (this.isNew) this.#header = JSON.stringify(header);
  }

  write(update: TrainingUpdate): void {
    for (const row of rowsOf(this.rows, update)) {
      const text = object([...places(update), ...row.map(([name, value]) => [name, digits(value) ?? "null"] as const)]);
      const lines = this.#header === undefined ? text : `${this.#header}\n${text}`;
      this.#header = undefined;
      this.line(lines);
    }
  }

  override close(): void {
    if (this.#header !== undefined) this.line(this.#header);
    super.close();
  }
}

class Csv extends Lines implements TrainingLog {
  constructor(place: LogPlace, header: LogHeader, resumed: At | undefined) {
    super(place, header, resumed);
    const names = place.rows === "games" ? GAME_NAMES : UPDATE_NAMES;
    if (this.isFile) write(beside(place.path), Buffer.from(`${JSON.stringify(header)}\n`));
    if (this.isNew) this.line(["update", "steps", ...names].join(","));
  }

  write(update: TrainingUpdate): void {
    for (const row of rowsOf(this.rows, update)) {
      this.line(
        [...places(update).map(([, value]) => value), ...row.map(([, value]) => digits(value) ?? "")].join(","),
      );
    }
  }
}

class TensorBoard implements TrainingLog {
  readonly #path: string;
  readonly #rows: Rows;
  readonly #writer: TensorBoardWriter;
  readonly #folder: number;

  constructor({ path, rows, opened }: LogPlace, header: LogHeader, resumed: At | undefined) {
    this.#path = path;
    this.#rows = rows;
    this.#folder = opened;
    this.#writer = new TensorBoardWriter(path);
    if (resumed !== undefined) this.#writer.restart(resumed.steps + 1);
    this.#writer.hyperParameters(flat(header));
  }

  write(update: TrainingUpdate): void {
    const prefix = this.#rows === "games" ? "game" : "train";
    for (const [name, value] of rowsOf(this.#rows, update).flat()) {
      if (value !== null) writing(this.#path, () => this.#writer.scalar(`${prefix}/${name}`, value, update.steps));
    }
  }

  close(): void {
    this.#writer.close();
    closeSync(this.#folder);
  }
}

type Setting = string | number | boolean;

/** The settings of a table by their paths. A list is shown as JSON, and what is not set is left out. */
function flat(table: object, path = ""): Record<string, Setting> {
  const entries = Object.entries(table).flatMap(([name, value]: [string, unknown]): Array<[string, Setting]> => {
    if (value === null || value === undefined) return [];
    if (Array.isArray(value)) return [[`${path}${name}`, JSON.stringify(value)]];
    if (typeof value === "object") return Object.entries(flat(value, `${path}${name}.`));
    return [[`${path}${name}`, value as Setting]];
  });
  return Object.fromEntries(entries);
}
