/** Definitions of games as TOML text, in the form of the catalogue's files. */

import type { GameDefinition } from "./definition.js";
import { Gym2600Error, shown } from "./errors.js";

/** Lists that are longer have an entry a line. */
const WIDTH = 110;

type Table = Readonly<Record<string, unknown>>;

/**
 * Writes a definition as text, which `parseDefinition` reads. Keys without a value are left out.
 *
 * @throws Gym2600Error `bad-game` for what is no definition
 */
export function writeDefinition(definition: GameDefinition): string {
  const [plain, tables] = sorted(tableOf(definition, "game"));
  const parts = [lines(plain)];
  for (const [name, table] of tables) parts.push(`[${key(name)}]\n${lines(Object.entries(table).filter(hasValue))}`);
  return parts.filter((part) => part !== "").join("\n");
}

/** The entries of a table that are none, and its tables. */
function sorted(table: Table): [[string, unknown][], [string, Table][]] {
  const entries = Object.entries(table).filter(hasValue);
  const isTable = ([, value]: [string, unknown]): boolean => typeof value === "object" && !Array.isArray(value);
  const tables = entries.filter(isTable).map(([name, value]): [string, Table] => [name, tableOf(value, name)]);
  return [entries.filter((entry) => !isTable(entry)), tables];
}

const hasValue = ([, value]: [string, unknown]): boolean => value !== undefined && value !== null;

function lines(entries: readonly [string, unknown][]): string {
  return entries.map(([name, value]) => `${key(name)} = ${written(value, name)}\n`).join("");
}

function key(name: string): string {
  return /^[\w-]+$/.test(name) ? name : quoted(name);
}

function written(value: unknown, name: string): string {
  if (typeof value === "string") return text(value);
  if (typeof value === "boolean" || Number.isSafeInteger(value)) return String(value);
  if (Array.isArray(value)) {
    const entries = value.map((entry) => written(entry, name));
    const line = `[${entries.join(", ")}]`;
    return line.length <= WIDTH ? line : `[\n${entries.map((entry) => `    ${entry},\n`).join("")}]`;
  }
  const entries = Object.entries(tableOf(value, name)).filter(hasValue);
  return `{ ${entries.map(([inner, one]) => `${key(inner)} = ${written(one, inner)}`).join(", ")} }`;
}

function tableOf(value: unknown, name: string): Table {
  const isTable = typeof value === "object" && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
  if (isTable) return value as Table;
  throw new Gym2600Error("bad-game", `${name}: ${shown(value)} is nothing that a definition has`);
}

/** A text: several lines stand as they are, where they have no other control characters. */
function text(value: string): string {
  if (!value.includes("\n") || /[^\P{Cc}\n\t]/u.test(value)) return quoted(value);
  return `"""\n${value.replaceAll("\\", "\\\\").replaceAll('"""', '""\\"')}"""`;
}

/** JSON escapes as TOML does, but for one character. */
function quoted(value: string): string {
  return JSON.stringify(value).replaceAll("\u007f", "\\u007f");
}
