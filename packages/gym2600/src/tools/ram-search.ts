/** A search in the console's memory for what a person sees, and the definition of a game that it leads to. */

import { WasmRamSearch, defineGame as wasmDefineGame } from "../../wasm/gym2600_wasm.js";
import { checkCount, copyOptions, namedOptions } from "../arguments.js";
import { arrayName, arrayType, byteCount } from "../buffers/observation-buffers.js";
import type { GameDefinition } from "../definition.js";
import { Gym2600Error, shown } from "../errors.js";
import { romBytes } from "../rom.js";
import type { Found } from "../schema/search.js";
import type { RomSource, Written } from "../types.js";
import { Handle } from "../wasm-instance.js";
import { compiledModule, instance, instantiated } from "../wasm-module.js";

/** The comparisons with the look before, by their numbers on the WebAssembly side. */
const CHANGES = ["changed", "unchanged", "larger", "smaller"] as const;

/** No screen shows a larger number. */
const MAX_NUMBER = 99_999_999;
const MAX_DIGITS = 8;

/** Bytes of the console's memory. */
const RAM_BYTES = 128;

/**
 * What a person sees at a moment of a game: a number, how it compares with the look or mark before, or whether something is so now, such as
 * that the game is over. A number as text keeps its leading zeros, which say how many digits it has.
 */
export type Seen = (typeof CHANGES)[number] | { readonly number: number | string } | { readonly state: boolean };

/** A place in memory that agrees with every look. */
export interface Candidate {
  /** How a definition's rules read it, such as `bcd(0x85, 0x84, 0x83)`. */
  readonly expression: string;
  /** Its value in the memory that was given; undefined where none was, or where the bytes hold no such number. */
  readonly value: number | undefined;
}

/** Options of `RamSearch.candidates`. */
export interface CandidateOptions {
  /** The most candidates that are given; 10 by default. */
  readonly limit?: number | undefined;
  /** The memory that their values are read from. */
  readonly ram?: Uint8Array | undefined;
}

/** What was found of a game, and its ROM. */
export interface FoundGame extends Written<Found> {
  /** The cartridge. */
  readonly rom: RomSource;
}

/**
 * A search in the console's 128 bytes of RAM for one thing that a person sees, as memory editors do it. Each look leaves the places that
 * agree with what is seen. The memory comes from `ram` of any environment, also of one in a worker.
 *
 * ```ts
 * import { Arcade, RamSearch, wallop } from "gym2600";
 *
 * const arcade = await Arcade.create({ rom: wallop });
 * const lives = await RamSearch.create();
 * lives.look(arcade.ram(), { number: 5 });
 * while (arcade.lives === 5) arcade.act("FIRE");
 * lives.look(arcade.ram(), "smaller");
 * console.log(lives.candidates()); // ram[0x82] is the first
 * lives.close();
 * arcade.close();
 * ```
 */
export class RamSearch {
  readonly #search: Handle<WasmRamSearch>;

  private constructor() {
    this.#search = new Handle(instance, () => new WasmRamSearch());
  }

  /** A search that knows nothing. @throws Gym2600Error `wasm-failed` */
  static async create(): Promise<RamSearch> {
    await instantiated(compiledModule());
    return new RamSearch();
  }

  /** Marks a moment that the next look is compared with. @throws Gym2600Error `bad-buffer`, `closed` */
  mark(ram: Uint8Array): void {
    checkRamBytes(ram);
    this.#search.run((search) => search.mark(ram));
  }

  /**
   * Keeps the places that agree with what is seen now.
   *
   * @throws Gym2600Error `bad-option` for what cannot be seen, or a comparison without an earlier look; `bad-buffer`, `closed`
   */
  look(ram: Uint8Array, seen: Seen): void {
    checkRamBytes(ram);
    const look = lookOf(seen);
    this.#search.run((search) => look(search, ram));
  }

  /** Takes the last look or mark back. False if there is none. @throws Gym2600Error `closed` */
  undo(): boolean {
    return this.#search.run((search) => search.undo());
  }

  /** How many looks and marks there were. */
  get looks(): number {
    return this.#search.run((search) => search.looks());
  }

  /** How many places agree with every look. */
  get size(): number {
    return this.#candidates(0).size;
  }

  /** The places that agree with every look, the likeliest first. @throws Gym2600Error `bad-option`, `bad-buffer`, `closed` */
  candidates(options: CandidateOptions = {}): Candidate[] {
    const { limit = 10, ram } = namedOptions(options, "limit", "ram");
    checkCount("limit", limit, 0, 1_000_000);
    if (ram !== undefined) checkRamBytes(ram);
    const { found } = this.#candidates(limit, ram);
    return found.map(([expression, value]) => ({ expression, value }));
  }

  /** Frees the search's memory. Idempotent; everything else then throws `closed`. */
  close(): void {
    this.#search.close();
  }

  /** {@link close}, for `using`. */
  [Symbol.dispose](): void {
    this.close();
  }

  #candidates(limit: number, ram?: Uint8Array): { found: [string, number | undefined][]; size: number } {
    const [found, size] = this.#search.run((search) => search.candidates(limit, ram));
    return { found, size };
  }
}

/**
 * Makes the definition of a ROM from what was found: rules that give the change of the score as reward, the lives, and the end; and the
 * controllers and actions that matter, which it finds by trying them. It plays at most some 13,000 frames for each kind of controller, in this thread: a second or two.
 *
 * `const game = await defineGame({ rom, name: "mine", score: "bcd(0x85, 0x84, 0x83)", lives: "ram[0x82]" })` gives the option `game` of
 * environments. `writeDefinition` of `gym2600/toml` writes it as text.
 *
 * @throws Gym2600Error as `Game.create`; `bad-game` for an expression with a mistake
 */
export async function defineGame(found: FoundGame): Promise<GameDefinition> {
  const { rom, ...rest } = copyOptions(found);
  const bytes = await romBytes(rom);
  await instantiated(compiledModule());
  return withoutNulls(instance.call(() => wasmDefineGame(bytes, rest))) as GameDefinition;
}

/** Plain data without the keys that have no value. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, one]) => one !== null);
  return Object.fromEntries(entries.map(([key, one]) => [key, withoutNulls(one)]));
}

function checkRamBytes(ram: unknown): void {
  if (arrayType(ram) === "Uint8Array" && byteCount(ram) === RAM_BYTES) return;
  throw new Gym2600Error("bad-buffer", `the memory is ${RAM_BYTES} bytes, a Uint8Array, not ${arrayName(ram)}`);
}

/** The call of a look. @throws Gym2600Error `bad-option` */
function lookOf(seen: Seen): (search: WasmRamSearch, ram: Uint8Array) => void {
  const change = CHANGES.indexOf(seen as (typeof CHANGES)[number]);
  if (change >= 0) return (search, ram) => search.lookAtChange(ram, change);
  if (typeof seen === "string") throw unseen(seen);
  const { number, state } = namedOptions<{ number?: number | string; state?: boolean }>(seen, "number", "state");
  if (typeof state === "boolean" && number === undefined) return (search, ram) => search.lookAtState(ram, state);
  const isNumber = typeof number === "number" || typeof number === "string";
  if (state !== undefined || !isNumber) throw unseen(seen);
  const text = String(number);
  if (!/^\d+$/.test(text) || text.length > MAX_DIGITS) {
    throw new Gym2600Error("bad-option", `number: ${shown(number)} is no whole number from 0 to ${MAX_NUMBER}`);
  }
  return (search, ram) => search.lookAtNumber(ram, Number(text), text.length);
}

function unseen(seen: unknown): Gym2600Error {
  const known = `${CHANGES.map((change) => JSON.stringify(change)).join(", ")}, { number } or { state }`;
  return new Gym2600Error("bad-option", `seen: ${known} is needed, not ${shown(seen)}`);
}
