/** Reading the command line and the files it names. */

import { readFileSync } from "node:fs";
import { type ParseArgsConfig, parseArgs } from "node:util";

/** The command line is wrong. */
export class UsageError extends Error {}

/** A file or a value is wrong. */
export class InputError extends Error {}

/** The values of options by name. */
export type Options = Readonly<Record<string, string | undefined>>;

/** Takes apart `arguments_`: two files and options that all have a value. */
export function parse(
  arguments_: readonly string[],
  names: readonly string[],
): { rom: string; actions: string; options: Options } {
  const options: NonNullable<ParseArgsConfig["options"]> = {};
  for (const name of names) options[name] = { type: "string" };
  let parsed: { values: Options; positionals: string[] };
  try {
    const args = withNegativeNumbers(arguments_);
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true, strict: true });
    parsed = { values: values as Options, positionals };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  const [rom, actions, extra] = parsed.positionals;
  if (rom === undefined || actions === undefined) throw new UsageError("a ROM and a file of actions are needed");
  if (extra !== undefined) throw new UsageError(`one argument too many: ${JSON.stringify(extra)}`);
  return { rom, actions, options: parsed.values };
}

/** `--seed -5` as `--seed=-5`, which `parseArgs` does not take for two options. */
function withNegativeNumbers(arguments_: readonly string[]): string[] {
  const args: string[] = [];
  for (const argument of arguments_) {
    const previous = args.at(-1);
    if (/^-\d/.test(argument) && previous !== undefined && /^--[a-z]+$/.test(previous)) {
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

/** The bytes of a ROM file. */
export function readRom(path: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(read(path));
  if (bytes.length === 0) throw new InputError(`${path} is empty: a ROM has 2048 bytes or more`);
  return bytes;
}

/** The text of a file. */
export function readText(path: string): string {
  return read(path).toString("utf8");
}

/**
 * The actions in a file (`-` is the standard input), one a line, each below `count`. The whole file is checked before the first
 * action is played.
 */
export function readActions(path: string, count: number): number[] {
  const text = path === "-" ? read(0, path).toString("utf8") : readText(path);
  const actions: number[] = [];
  for (const [index, rawLine] of text.split("\n").entries()) {
    const line = rawLine.trim();
    if (line === "") continue;
    const action = /^\+?\d+$/.test(line) ? Number(line) : Number.NaN;
    if (!(action < count)) {
      const what = `${JSON.stringify(line)} is no action: expected a number from 0 to ${count - 1}`;
      throw new InputError(`${path}, line ${index + 1}: ${what}`);
    }
    actions.push(action);
  }
  return actions;
}

function read(path: string | number, name: string | number = path): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new InputError(`cannot read ${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
