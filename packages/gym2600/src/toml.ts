/**
 * `gym2600/toml`: definitions of games as TOML text.
 *
 * An entry of its own, so that pages which define no games load no reader. `docs/games.md` describes the format.
 *
 * @module gym2600/toml
 */

import { type AST, getStaticTOMLValue, ParseError, parseTOML } from "toml-eslint-parser";
import type { GameDefinition } from "./definition.js";
import { Gym2600Error, shown } from "./errors.js";
import { crowdedAt, excessOf, MAX_TEXT } from "./toml-limits.js";

export type { GameDefinition } from "./definition.js";
export { writeDefinition } from "./toml-writer.js";

/** A line and a column, both from 1. A column is a character. */
interface Position {
  readonly line: number;
  readonly column: number;
}

/**
 * Reads a definition, for the option `game`. Its keys and rules are checked where a game is created with it: see {@link locateError}.
 *
 * @param file the name of the text in errors
 * @throws Gym2600Error `bad-game` with file, line and column where the text is not TOML or is beyond a limit
 */
export function parseDefinition(text: string, file = "game"): GameDefinition {
  return getStaticTOMLValue(parse(withoutMark(text), file)) as unknown as GameDefinition;
}

/**
 * An error about a definition that was read from the text `written`, with file, line and column instead of the key. Other errors are returned
 * unchanged.
 *
 * @param file the name of the text in errors
 */
export function locateError(error: unknown, written: string, file = "game"): unknown {
  if (!(error instanceof Gym2600Error) || error.code !== "bad-game") return error;
  const { path, unknownKey = false, line, column = 1, reason = error.message } = error.details;
  if (error.details.option !== "game" || path === undefined) return error;
  const text = withoutMark(written);
  const node = innermost(parse(text, file), path.slice("game".length), unknownKey);
  const start = node === undefined ? { line: 1, column: 1 } : positionOf(text, node.range[0]);
  const place = node === undefined || line === undefined ? start : withinString(text, node.range[0], line, column);
  return mistake(file, place, reason, error);
}

/** A text without the byte order mark that some editors write. */
function withoutMark(text: string): string {
  return typeof text === "string" && text.startsWith("\ufeff") ? text.slice(1) : text;
}

function parse(text: string, file: string): AST.TOMLProgram {
  if (typeof text !== "string" || typeof file !== "string") {
    throw new Gym2600Error("bad-game", `a definition and its name are texts, not ${shown(text)} and ${shown(file)}`);
  }
  if (text.length > MAX_TEXT) {
    throw new Gym2600Error("bad-game", `${file}: the text has ${text.length} characters: ${MAX_TEXT} is the limit`);
  }
  const crowded = crowdedAt(text);
  if (crowded !== undefined) throw mistake(file, positionOf(text, crowded.offset), crowded.reason);
  const program = syntaxOf(text, file);
  const excess = excessOf(program);
  if (excess !== undefined) throw mistake(file, positionOf(text, excess.node.range[0]), excess.reason);
  return program;
}

function syntaxOf(text: string, file: string): AST.TOMLProgram {
  try {
    return parseTOML(text);
  } catch (error) {
    if (error instanceof ParseError) throw mistake(file, positionOf(text, indexOf(error, text)), error.message, error);
    // The reader calls itself for each level, and spreads the characters of a value over arguments.
    throw mistake(file, { line: 1, column: 1 }, "the nesting is too deep, or a value too long", error);
  }
}

function mistake(file: string, { line, column }: Position, reason: string, cause?: unknown): Gym2600Error {
  const details = { option: "game", line, column, reason };
  return new Gym2600Error("bad-game", `${file}:${line}:${column}: ${reason}`, { cause, details });
}

/** The index of a syntax error. The reader reports a missing value behind the end of its line. */
function indexOf({ index }: ParseError, text: string): number {
  const line = text.slice(text.lastIndexOf("\n", index - 2) + 1, index);
  return /=[ \t]*(#.*)?\n$/.test(line) ? index - 1 : index;
}

/** A part of the text and the key that it defines, as `.modes.available[1]`. */
interface Part {
  readonly key: string;
  readonly node: AST.TOMLNode;
}

/** The part of the longest key that is `wanted` or leads to it: the key's name or its value. */
function innermost(program: AST.TOMLProgram, wanted: string, names: boolean): AST.TOMLNode | undefined {
  let found: Part | undefined;
  for (const part of parts(program.body[0], "", names)) {
    const rest = wanted.startsWith(part.key) ? wanted.slice(part.key.length) : undefined;
    const leads = rest !== undefined && /^($|[.[])/.test(rest);
    if (leads && part.key.length >= (found?.key.length ?? 1)) found = part;
  }
  return found?.node;
}

/** All parts of a node. Of a key and its value, the one that is asked for comes last. */
function* parts(node: AST.TOMLNode, key: string, names: boolean): Generator<Part> {
  switch (node.type) {
    case "TOMLTopLevelTable":
    case "TOMLInlineTable":
      yield { key, node };
      for (const inner of node.body) yield* parts(inner, key, names);
      break;
    case "TOMLTable": {
      const table = join("", node.resolvedKey);
      yield { key: table, node };
      for (const inner of node.body) yield* parts(inner, table, names);
      break;
    }
    case "TOMLKeyValue": {
      const path = node.key.keys.map((name) => (name.type === "TOMLBare" ? name.name : name.value));
      const inner = join(key, path);
      if (!names) yield { key: inner, node: node.key };
      yield* parts(node.value, inner, names);
      if (names) yield { key: inner, node: node.key };
      break;
    }
    case "TOMLArray":
      yield { key, node };
      for (const [index, entry] of node.elements.entries()) yield* parts(entry, `${key}[${index}]`, names);
      break;
    default:
      yield { key, node };
  }
}

function join(key: string, path: ReadonlyArray<string | number>): string {
  return path.reduce<string>((joined, part) => joined + (typeof part === "number" ? `[${part}]` : `.${part}`), key);
}

function positionOf(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const line = before.slice(before.lastIndexOf("\n") + 1);
  return { line: before.split("\n").length, column: [...line].length + 1 };
}

/** The place of a position within the string whose quotes begin at `offset`; that of the quotes where the string has escapes. */
function withinString(text: string, offset: number, line: number, column: number): Position {
  const [, quotes = "", newline = ""] = /^("""|'''|"|')(\r?\n)?/.exec(text.slice(offset)) ?? [];
  const start = offset + quotes.length;
  const content = text.slice(start, text.indexOf(quotes, start));
  if (quotes === "" || (quotes.startsWith('"') && content.includes("\\"))) return positionOf(text, offset);
  const base = positionOf(text, start + newline.length);
  return { line: base.line + line - 1, column: column + (line === 1 ? base.column - 1 : 0) };
}
