/** Games that users define: as the text of a file in `games/`, or as an object of the same form. */

import type { ActionName } from "./actions.js";
import { Gym2600Error, toGym2600Error } from "./errors.js";

/**
 * What a game is, as an object with the keys of a file in `games/`. The repository's `docs/games.md` says what each means
 * and what it is if it is left out.
 */
export interface GameDefinition {
  readonly rom: string;
  readonly title?: string | undefined;
  readonly env_id?: string | undefined;
  readonly md5?: string | undefined;
  readonly size?: number | undefined;
  readonly mapper?: "2K" | "4K" | "F8" | "F8SC" | "F6" | "F6SC" | "E0" | "FE" | "DPC" | undefined;
  readonly picture?:
    | {
        readonly tv?: "NTSC" | "PAL" | undefined;
        readonly expected_tv?: "NTSC" | "PAL" | undefined;
        readonly first_line?: number | undefined;
        readonly height?: number | undefined;
        readonly hmove_blanks?: boolean | undefined;
      }
    | undefined;
  readonly controllers?:
    | {
        readonly left?: "joystick" | "paddles" | undefined;
        readonly right?: "joystick" | "paddles" | undefined;
        readonly swap_ports?: boolean | undefined;
        readonly swap_paddles?: boolean | undefined;
        readonly paddle_max?: number | undefined;
        readonly left_difficulty?: "A" | "B" | undefined;
        readonly right_difficulty?: "A" | "B" | undefined;
      }
    | undefined;
  readonly actions?:
    | {
        readonly minimal?: readonly ActionName[] | undefined;
        readonly legal?: readonly ActionName[] | undefined;
        readonly starting?: readonly { readonly press: ActionName | "RESET"; readonly frames: number }[] | undefined;
      }
    | undefined;
  readonly modes?:
    | {
        readonly available?: readonly number[] | undefined;
        readonly default?: number | undefined;
        readonly difficulties?: readonly number[] | undefined;
        readonly default_difficulty?: number | undefined;
        readonly select?: string | undefined;
      }
    | undefined;
  readonly rules?:
    | {
        readonly load?: string | undefined;
        readonly start?: string | undefined;
        readonly frame?: string | undefined;
        readonly reward?: string | undefined;
        readonly terminal?: string | undefined;
        readonly lives?: string | undefined;
      }
    | undefined;
}

/** Makes something with the text of a definition. A mistake in one that was an object is reported with the path of its key. */
export function withDefinition<T>(game: string | GameDefinition | undefined, make: (text: string | undefined) => T): T {
  const writer = typeof game === "object" && game !== null ? new Writer(game) : undefined;
  try {
    return make(writer?.text ?? (game as string | undefined));
  } catch (error) {
    throw writer?.located(error) ?? toGym2600Error(error);
  }
}

/** Keys whose text is rules, which are written as they are. */
const RULES = /^game\.(modes\.select|rules\.[^.]*)$/;
/** Before such a text. */
const QUOTES = "'''";
/** How deep the deepest value of a definition is: game.actions.starting[0].press. */
const DEPTH = 5;

/** An object as TOML, and where in it what is. */
class Writer {
  // The first line is empty, so that what is missing in the definition itself is before the first key.
  text = "\n";
  readonly #places: Array<{ readonly at: number; readonly path: string }> = [{ at: 0, path: "game" }];

  constructor(definition: object) {
    this.#entries(definition, "game", "\n", 1);
  }

  /** An error that has a line and a column of the text, as an error that has a path; undefined for others. */
  located(error: unknown): Gym2600Error | undefined {
    const { line, column, reason } = error as {
      readonly line?: number;
      readonly column?: number;
      readonly reason?: string;
    };
    if (line === undefined || column === undefined) return undefined;
    const lines = this.text.split("\n");
    const before = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0);
    // A column counts characters, not the halves of a pair.
    const offset = before + [...(lines[line - 1] ?? "")].slice(0, column - 1).join("").length;
    const { at, path } = this.#places.filter((place) => place.at <= offset).at(-1) ?? { at: 0, path: "game" };
    let where = path;
    const inside = this.text.startsWith(QUOTES, at) ? this.text.slice(at + QUOTES.length, offset).split("\n") : [];
    if (inside.length > 0) where += `, line ${inside.length}, column ${[...(inside.at(-1) ?? "")].length + 1}`;
    return new Gym2600Error("bad-game", `${where}: ${reason}`);
  }

  #entries(table: object, path: string, separator: string, depth: number): void {
    let between = "";
    for (const [key, value] of Object.entries(table)) {
      if (value === undefined) continue;
      this.text += between;
      between = separator;
      const inner = `${path}.${key}`;
      this.#mark(inner);
      this.text += `${/^[\w-]+$/.test(key) ? key : JSON.stringify(key)} = `;
      this.#value(value, inner, depth);
    }
  }

  #value(value: unknown, path: string, depth: number): void {
    this.#mark(path);
    if (typeof value === "string") {
      this.text += RULES.test(path) ? `${QUOTES}${value}${QUOTES}` : JSON.stringify(value);
    } else if (typeof value === "boolean" || Number.isInteger(value)) {
      this.text += typeof value === "number" ? BigInt(value) : value;
    } else if (typeof value === "number") {
      // Refused for not being whole, whatever it is.
      this.text += "0.5";
    } else if (typeof value !== "object" || value === null || depth >= DEPTH) {
      const what = typeof value === "object" && value !== null ? "an object as deep as this" : String(value);
      throw new Gym2600Error("bad-game", `${path}: ${what} cannot stand in a definition`);
    } else if (Array.isArray(value)) {
      this.text += "[";
      for (const [index, entry] of value.entries()) {
        if (index > 0) this.text += ", ";
        this.#value(entry, `${path}[${index}]`, depth + 1);
      }
      this.text += "]";
    } else {
      this.text += "{ ";
      this.#entries(value, path, ", ", depth + 1);
      this.text += " }";
    }
  }

  #mark(path: string): void {
    this.#places.push({ at: this.text.length, path });
  }
}
