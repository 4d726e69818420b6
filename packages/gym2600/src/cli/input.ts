/** Reads the command line and the files that it names. */

import { closeSync, openSync, readSync, type Stats, statSync } from "node:fs";
import { extname } from "node:path";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { Gym2600Error, messageOf, shown } from "../errors.js";
import { MAX_ROM_BYTES } from "../rom.js";
import { type GameDefinition, locateError, parseDefinition } from "../toml.js";
import type { GameOptions } from "../types.js";
import { wallop } from "../wallop.js";
import { hyperParameterOption } from "./hyper-parameters.js";

/** The command line is wrong. */
export class UsageError extends Error {}

/** A file or a value is wrong, or a run has ended before its time. The program ends with the exit code. */
export class InputError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The reader of the output has closed it, as `head` does. This is no failure. */
export class ClosedOutput extends Error {}

/** The values of options by name. */
export type Options = Readonly<Record<string, string | undefined>>;

/** Most bytes of a file that is read. */
const MAX_INPUT = 512 << 20;
/** Most bytes of a text. */
const MAX_TEXT = 64 << 20;

/** The names that a command line may have. */
interface Names {
  /** Options with a value. */
  readonly options: readonly string[];
  /** Options with a value that may be given several times. */
  readonly lists?: readonly string[];
  readonly flags?: readonly string[];
  /** Other names of options, and whose. */
  readonly aliases?: Readonly<Record<string, string>>;
}

/** A parsed command line. `list` gives the values of an option, in order; `flag` whether a flag is set. */
interface CommandLine {
  readonly positionals: readonly string[];
  readonly options: Options;
  list(name: string): readonly string[];
  flag(name: string): boolean;
}

/** Parses a command line with at most `most` positional arguments. */
export function parse(
  arguments_: readonly string[],
  { options: names, lists = [], flags = [], aliases = {} }: Names,
  most: number,
): CommandLine {
  const options: NonNullable<ParseArgsConfig["options"]> = {};
  for (const name of [...names, ...lists, ...Object.keys(aliases)]) options[name] = { type: "string", multiple: true };
  for (const name of flags) options[name] = { type: "boolean" };
  let parsed: { values: Record<string, unknown>; positionals: string[] };
  try {
    const args = withNegativeNumbers(arguments_);
    parsed = parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    // Node goes on with advice on arguments that begin with a dash.
    throw new UsageError(messageOf(error).split(". To specify")[0]);
  }
  const { values, positionals } = parsed;
  for (const [alias, name] of Object.entries(aliases)) {
    values[name] = [values[name] ?? [], values[alias] ?? []].flat();
  }
  for (const [name, value] of Object.entries(values)) {
    // A shell writes it for a variable that is not set, and as a path it would be the working folder.
    if ([value].flat().includes("")) throw new UsageError(`--${name}: a value is needed`);
  }
  for (const name of names) {
    const [value, another] = (values[name] ?? []) as string[];
    if (another !== undefined) throw new UsageError(`--${name} is given twice: ${value} and ${another}`);
    values[name] = value;
  }
  const extra = positionals[most];
  if (extra !== undefined) throw new UsageError(`one argument too many: ${JSON.stringify(extra)}`);
  return {
    positionals,
    options: values as Options,
    list: (name) => (values[name] ?? []) as string[],
    flag: (name) => values[name] === true,
  };
}

/** `--seed -5` as `--seed=-5`, because `parseArgs` reads the former as two options. */
function withNegativeNumbers(arguments_: readonly string[]): string[] {
  const args: string[] = [];
  for (const argument of arguments_) {
    const previous = args.at(-1);
    if (/^-\d/.test(argument) && previous !== undefined && /^--[a-z-]+$/.test(previous)) {
      args[args.length - 1] = `${previous}=${argument}`;
    } else args.push(argument);
  }
  return args;
}

/** The option's value as a whole number between two bounds. */
export function integer(options: Options, name: string, low: number, high: number): number | undefined {
  const text = options[name];
  if (text === undefined) return undefined;
  const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= low && value <= high) return value;
  throw new UsageError(`--${name} ${text}: expected a whole number from ${low} to ${high}`);
}

/** The option's value as a number between two bounds. */
export function real(options: Options, name: string, low: number, high: number): number | undefined {
  const text = options[name];
  if (text === undefined) return undefined;
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (value >= low && value <= high) return value;
  throw new UsageError(`--${name} ${text}: expected a number from ${low} to ${high}`);
}

/** What is at a path, if anything can be found there. */
export function found(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** A path whose ending, if it has one, is among those of a format. */
export function checkEnding(option: string, path: string, endings: readonly string[]): void {
  const ending = extname(path);
  if (ending === "" || endings.includes(ending)) return;
  throw new UsageError(`${option} ${path}: the ending ${ending} is none of ${endings.join(", ")}`);
}

/** The same for a path that may be a folder, which has no ending, or a slash behind it. `what` the folder is of is said in the refusal. */
export function checkFolderOr(option: string, path: string, endings: readonly string[], what: string): void {
  const ending = extname(path);
  if (ending === "" || endings.includes(ending) || path.endsWith("/")) return;
  if (found(path)?.isDirectory()) return;
  throw new UsageError(
    `${option} ${path}: the ending ${ending} is none of ${endings.join(", ")}; a folder ${what} has none, or a / behind it`,
  );
}

/** The option's value as one of some names. */
export function oneOf<T extends string>(options: Options, name: string, names: readonly T[]): T | undefined {
  const text = options[name];
  if (text === undefined) return undefined;
  const found = names.find((one) => one === text);
  if (found !== undefined) return found;
  throw new UsageError(`--${name} ${text}: expected ${names.join(" or ")}`);
}

/** The bytes of a ROM file; WALLOP without one. */
export function readRom(path: string | undefined): Uint8Array<ArrayBuffer> {
  if (path === undefined) return wallop;
  const bytes = read(path, path, MAX_ROM_BYTES);
  if (bytes.length === 0) throw new InputError(`${path} is empty: a ROM has 2048 bytes or more`);
  return bytes;
}

/** The text of a file (`-` is the standard input), without the byte order mark with which editors of Windows begin it. */
export function readText(path: string): string {
  const bytes = read(path === "-" ? 0 : path, path, MAX_TEXT);
  return new TextDecoder().decode(bytes);
}

/** The options of an environment as JSON or as a JSON file. The environment checks them. */
export function readOptions(jsonOrPath: string): Partial<Omit<GameOptions, "rom">> {
  const isJson = jsonOrPath.trimStart().startsWith("{");
  try {
    const options: unknown = JSON.parse(isJson ? jsonOrPath : readText(jsonOrPath));
    if (typeof options === "object" && options !== null && !Array.isArray(options)) {
      if (Object.hasOwn(options, "rom"))
        throw new InputError(`${isJson ? "--options" : jsonOrPath}: rom: the ROM is an argument`);
      return options;
    }
    throw new InputError(`${jsonOrPath}: the options have to be an object, not ${shown(options)}`);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new InputError(`${isJson ? "--options" : jsonOrPath}: ${error.message}`);
  }
}

/**
 * Calls a function with the definition in a TOML file, if there is one. Errors of the definition have file, line and column, and that of an
 * unknown ROM names the option.
 */
export async function withGameFile<T>(
  file: string | undefined,
  make: (game: GameDefinition | undefined) => Promise<T>,
): Promise<T> {
  const text = file === undefined ? undefined : readText(file);
  const game = text === undefined ? undefined : parseDefinition(text, file);
  try {
    return await make(game);
  } catch (error) {
    throw advised(text === undefined ? error : locateError(error, text, file));
  }
}

/** An error in the words of the command line: its options, and the one that may help. */
function advised(error: unknown): unknown {
  if (!(error instanceof Gym2600Error)) return error;
  const { code, details } = error;
  const advice = adviceFor(error);
  const message = `${inOptions(error)}${advice === undefined ? "" : ` (${advice})`}`;
  return new Gym2600Error(code, message, { cause: error, details });
}

/** The option of the program that an error is about, where the error does not name it. */
function adviceFor({ code, details, message }: Gym2600Error): string | undefined {
  if (code === "unknown-rom") return "--game FILE; docs/games.md says what is in it";
  const isWithoutRewards =
    code === "bad-game" && details.path === "game.rules" && message.endsWith("docs/games.md says");
  return isWithoutRewards ? "--game FILE" : undefined;
}

/** An error's message with the names of the command line for a run's settings: of one at fault, or of those in which a checkpoint differs. */
function inOptions({ code, message, details }: Gym2600Error): string {
  if (code !== "bad-option") return message;
  const { option } = details;
  if (option !== undefined && message.startsWith(`${option}: `)) {
    return settingOption(option) + message.slice(option.length);
  }
  const start = "the checkpoint has ";
  if (!message.startsWith(start)) return message;
  const isSetting = /^(numEnvs|algorithm|net|seed|(hyperParameters|options)\.[^ ]+)(?= )/;
  const renamed = message.slice(start.length).split("; ");
  return start + renamed.map((text) => text.replace(isSetting, settingOption)).join("; ");
}

function settingOption(name: string): string {
  if (name === "numEnvs") return "--envs";
  if (["algorithm", "net", "seed"].includes(name)) return `--${name}`;
  if (name.startsWith("options.")) return `--options ${name.slice("options.".length)}`;
  return hyperParameterOption(name.replace("hyperParameters.", ""));
}

/** The bytes of a file (0 is the standard input), or of a device, which may have no end: at most `most`. */
export function read(
  path: string | number,
  name: string | number = path,
  most: number = MAX_INPUT,
): Uint8Array<ArrayBuffer> {
  let bytes: Uint8Array<ArrayBuffer> | undefined;
  try {
    const file = typeof path === "number" ? path : openSync(path, "r");
    try {
      bytes = readFrom(file, most);
    } finally {
      if (file !== path) closeSync(file);
    }
  } catch (error) {
    throw new InputError(`cannot read ${name}: ${messageOf(error)}`);
  }
  if (bytes === undefined) throw new InputError(`${name} has more than ${most} bytes`);
  return bytes;
}

/** All bytes of an open file, or undefined if there are more than `most`. */
function readFrom(file: number, most: number): Uint8Array<ArrayBuffer> | undefined {
  const chunks: Buffer[] = [];
  let size = 0;
  while (size <= most) {
    const chunk = Buffer.alloc(1 << 16);
    const length = readSome(file, chunk);
    if (length === 0) return new Uint8Array(Buffer.concat(chunks));
    chunks.push(chunk.subarray(0, length));
    size += length;
  }
  return undefined;
}

/** Waits until something can be read: where another program has made the standard input non-blocking, there may be nothing yet. */
function readSome(file: number, chunk: Buffer): number {
  for (;;) {
    try {
      return readSync(file, chunk);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // Windows reports the end of a pipe as an error.
      if (code === "EOF") return 0;
      if (code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}
