/**
 * The one error class of the package.
 *
 * Programs decide by {@link Gym2600Error.code} and {@link Gym2600Error.details}; the message is for people and names the value at fault.
 */

import type { ErrorDetails } from "./schema/gym.js";
import type { VectorBatch } from "./types.js";

/** All codes, each described at {@link ErrorCode}. */
const CODES = [
  "bad-rom",
  "bad-rom-size",
  "unplayable-rom",
  "unknown-rom",
  "bad-game",
  "bad-option",
  "bad-action",
  "bad-buffer",
  "bad-space",
  "bad-env",
  "bad-state",
  "bad-saved-state",
  "bad-replay",
  "bad-weights",
  "not-finite",
  "closed",
  "unknown-command",
  "bad-message",
  "worker-died",
  "out-of-memory",
  "wasm-failed",
] as const;

/**
 * What went wrong, as a stable name. Codes are never renamed or reused; new ones may be added.
 *
 * | code | when |
 * |---|---|
 * | `bad-rom` | `rom` is not bytes, could not be read, or is a zip file without one ROM |
 * | `bad-rom-size` | no cartridge has so many bytes (an empty file, a 3 KB file) |
 * | `unplayable-rom` | the cartridge's format is known and not played (DPC+, which needs an ARM processor); the message names it |
 * | `unknown-rom` | the bytes are of no game in the catalogue; the message has their MD5 |
 * | `bad-game` | a game definition is wrong; the message has the line or the key, and the reason |
 * | `bad-option` | an option has an impossible value, or does not exist |
 * | `bad-action` | an action is not an integer in the action space, or there are too few or too many of them |
 * | `bad-buffer` | an array to be filled or recycled is of the wrong type or size |
 * | `bad-space` | spaces that have to agree do not |
 * | `bad-env` | `checkEnv` found a broken rule |
 * | `bad-state` | the call does not fit the environment's state, such as a step before the first reset |
 * | `bad-saved-state` | the bytes are not a state of this game and these options, or are damaged |
 * | `bad-replay` | a replay file is wrong, or the game differs from it; the message has the key, or the run and step |
 * | `bad-weights` | the bytes are no weights or checkpoint, or of another net, action set, preset or game |
 * | `not-finite` | a loss or gradient of the learner was no finite number (the message has the update), or an output of a policy |
 * | `closed` | the environment has been closed |
 * | `unknown-command` | a worker received an unknown request |
 * | `bad-message` | a message could not be sent, or not be read on the other side (`messageerror`) |
 * | `worker-died` | the worker could not be started, or ended before it answered |
 * | `out-of-memory` | the thread's WebAssembly memory has no room for another game; nothing has changed, and the older ones play on |
 * | `wasm-failed` | the WebAssembly module could not be loaded or compiled; or its instance trapped, after which every call on its games gives this code |
 */
export type ErrorCode = (typeof CODES)[number];

/** Details of an error besides its code and message. */
export interface Gym2600ErrorOptions {
  readonly cause?: unknown;
  readonly details?: Readonly<ErrorDetails> | undefined;
  readonly lanes?: readonly number[];
  readonly rest?: VectorBatch | undefined;
}

/** Every failure of this package. */
export class Gym2600Error extends Error {
  override readonly name = "Gym2600Error";

  /** What went wrong; see {@link ErrorCode}. */
  readonly code: ErrorCode;

  /**
   * Where the error is and why, as values: the option, the path of the value at fault, the line and column in a text, the wrapper, and the
   * reason. Each is there where the error has it.
   */
  readonly details: Readonly<ErrorDetails>;

  /** In a `VectorEnv`, the first lane at fault; otherwise undefined. */
  readonly lane: number | undefined;

  /** In a `VectorEnv`, all lanes at fault, of which {@link lane} is the first; otherwise undefined. */
  readonly lanes: readonly number[] | undefined;

  /** In a `VectorEnv`, the results of the lanes that did not fail. */
  readonly rest: VectorBatch | undefined;

  constructor(code: ErrorCode, message: string, options: Gym2600ErrorOptions = {}) {
    const { cause, details = {}, lanes, rest } = options;
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.details = details;
    this.lane = lanes?.[0];
    this.lanes = lanes;
    this.rest = rest;
  }
}

/** `error` if it is a refusal: a {@link Gym2600Error}, or an `Error` with one of its codes and details, as the Rust side throws. */
export function refusalOf(error: unknown): Gym2600Error | undefined {
  if (error instanceof Gym2600Error) return error;
  if (!(error instanceof Error)) return undefined;
  const { code, details } = error as { code?: unknown; details?: ErrorDetails };
  return isErrorCode(code) ? new Gym2600Error(code, error.message, { details }) : undefined;
}

/** `error` as a {@link Gym2600Error}; `wasm-failed` for what is not a refusal. */
export function toGym2600Error(error: unknown): Gym2600Error {
  const refusal = refusalOf(error);
  if (refusal !== undefined) return refusal;
  return new Gym2600Error("wasm-failed", messageOf(error), { cause: error });
}

/**
 * Refuses a call of a private constructor, which JavaScript allows. `created` says whether it was given what `create` gives it.
 *
 * @throws Gym2600Error `bad-option`
 */
export function checkCreated(created: boolean): void {
  if (!created) throw new Gym2600Error("bad-option", "call create instead of new");
}

/** The text of what was thrown. Anything can be. */
export function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return typeof error;
  }
}

function isErrorCode(value: unknown): value is ErrorCode {
  return CODES.some((code) => code === value);
}

/** The most characters of a value in a message. */
const LONGEST_SHOWN = 80;

/** A value of the caller's in a message. Some objects have no text, such as those without a prototype: their type is shown. */
export function shown(value: unknown): string {
  try {
    // The text of a long list is not made: it may be longer than a text can be.
    const { length } = Object(value) as { length?: unknown };
    const isLong = typeof value === "object" && Number(length) > LONGEST_SHOWN;
    const text = isLong ? `a list of ${length}` : String(value);
    return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}...` : text;
  } catch {
    return typeof value;
  }
}
