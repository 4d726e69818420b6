/**
 * Replay files: the actions of recorded runs, and checksums by which every machine finds out whether it plays the same.
 *
 * A file is JSON. A run begins with a reset. Checksum 0 of a run is that of the reset, checksum k that of step k.
 */

import { checkMethods, copyOptions } from "../arguments.js";
import { arrayType, bytesOf } from "../buffers/observation-buffers.js";
import { checksum } from "../checksum.js";
import { isPosition } from "../env/accessors.js";
import { Gym2600Error, refusalOf, shown } from "../errors.js";
import { checkGame } from "../tools/environment.js";
import type { ConsoleSwitches, GameDescription, GameOptions, Observation, ResetResult, StepResult } from "../types.js";

/** The longest text of a replay, in UTF-16 code units. A step takes some thirteen. */
export const MAX_REPLAY_TEXT: number = 16 * 1024 * 1024;

/** The most options, far more than a game has. */
const MAX_OPTIONS = 1000;

/** The options of a recorded game. The seeds are in the runs. */
export type ReplayOptions = Omit<GameOptions, "rom" | "seed">;

/** Where a run moves the console's switches. Those that are left out are not touched. */
export interface MovedSwitches extends ConsoleSwitches {
  /** They are so from this step on. 0 is before the reset. */
  readonly step: number;
}

/** A reset and the steps after it. */
export interface ReplayRun {
  /** The seed of the reset. Without one the generators go on from the run before. */
  readonly seed?: number;
  readonly actions: readonly number[];
  /** One for each action; all are 1 if it is left out. */
  readonly paddleStrengths?: readonly number[];
  /** The moves of the console's switches, one for a step at most; none is touched where it is left out, nor before the first. */
  readonly switches?: readonly MovedSwitches[];
  /**
   * That of the reset and one for each action: the CRC-32, as eight hexadecimal digits, of the observation's bytes, of the reward as a
   * 64-bit float, least byte first, and of a byte that is 1 for a terminated episode, 2 for a truncated one, 3 for both and 0 otherwise.
   * A reset counts as a step with no reward.
   */
  readonly checksums: readonly string[];
}

/** A replay file. */
export interface Replay {
  readonly format: "gym2600-replay";
  readonly version: 1;
  /** The MD5 of the ROM, 32 hexadecimal digits. */
  readonly md5: string;
  readonly options: ReplayOptions;
  /** At least one; the first has a seed. */
  readonly runs: readonly ReplayRun[];
}

/** A run as it was played again. */
export interface VerifiedRun {
  readonly steps: number;
  /** The sum of its rewards. */
  readonly reward: number;
}

/** The part of `Game` and `GameWorker` that {@link verifyReplay} uses. */
export interface ReplayableGame {
  readonly description: GameDescription;
  reset(options: { readonly seed?: number | undefined }): ResetResult | Promise<ResetResult>;
  step(action: number, options: { readonly paddleStrength: number }): StepResult | Promise<StepResult>;
  /** Needed for replays with switches. */
  setSwitches?(switches: ConsoleSwitches): void | Promise<void>;
  close(): void | Promise<void>;
}

/** The checksum of a result; see {@link ReplayRun}. */
export function checksumOf(result: { readonly observation: Observation } & Partial<StepResult>): string {
  if (arrayType(result?.observation) === undefined) {
    throw new Gym2600Error("bad-option", `game: its result ${shown(result)} has no observation`);
  }
  const { observation, reward = 0, terminated = false, truncated = false } = result;
  const bytes = bytesOf(observation);
  const all = new Uint8Array(bytes.length + 9);
  all.set(bytes);
  const rest = new DataView(all.buffer, bytes.length);
  rest.setFloat64(0, reward, true);
  rest.setUint8(8, Number(terminated) + 2 * Number(truncated));
  return checksum(all);
}

/**
 * Reads a replay.
 *
 * @param source JSON, of at most {@link MAX_REPLAY_TEXT} characters, or what it says
 * @throws Gym2600Error `bad-replay`, which names the key and the value at fault
 */
export function parseReplay(source: unknown): Replay {
  const replay = (typeof source === "string" ? parseJson(source) : source) as Replay;
  if (!isObject(replay)) refuse("replay", replay, "an object");
  const { format, version, md5, options, runs } = replay;
  if (format !== "gym2600-replay") refuse("format", format, '"gym2600-replay"');
  if (version !== 1) refuse("version", version, "1");
  if (!isText(md5, /^[0-9a-f]{32}$/)) refuse("md5", md5, "32 hexadecimal digits");
  if (!isObject(options)) refuse("options", options, "an object");
  if (!Array.isArray(runs) || runs.length === 0) refuse("runs", runs, "a list of at least one run");
  const copies = Array.from(runs, (run, index) => checkRun(run, `runs[${index}]`, index === 0));
  return { format, version, md5, options: checkReplayOptions(options), runs: copies };
}

/** A copy. The game checks the values. */
function checkReplayOptions(options: ReplayOptions): ReplayOptions {
  const count = Object.keys(options).length;
  if (count > MAX_OPTIONS)
    throw new Gym2600Error("bad-replay", `options has ${count} keys, and ${MAX_OPTIONS} are the most`);
  try {
    return copyOptions(options);
  } catch (error) {
    throw new Gym2600Error("bad-replay", (error as Error).message, { cause: error });
  }
}

/** A copy of a run. */
function checkRun(run: ReplayRun, path: string, isFirst: boolean): ReplayRun {
  if (!isObject(run)) refuse(path, run, "an object");
  const { seed, actions, paddleStrengths, switches, checksums } = run;
  if ((seed !== undefined || isFirst) && !isCount(seed)) refuse(`${path}.seed`, seed, "a whole number of at least 0");
  const played = checkList(`${path}.actions`, actions, isCount, "a whole number of at least 0");
  const digits = (value: unknown) => isText(value, /^[0-9a-f]{8}$/);
  const copy = {
    ...(seed === undefined ? {} : { seed }),
    actions: played,
    ...(switches === undefined ? {} : { switches: checkSwitches(`${path}.switches`, switches, played.length) }),
    checksums: checkList(`${path}.checksums`, checksums, digits, "eight hexadecimal digits", played.length + 1),
  };
  if (paddleStrengths === undefined) return copy;
  const isStrength = (value: unknown) => typeof value === "number" && value >= 0 && value <= 1;
  const what = "a number from 0 to 1";
  const strengths = checkList(`${path}.paddleStrengths`, paddleStrengths, isStrength, what, played.length);
  return { ...copy, paddleStrengths: strengths };
}

/** A copy of the moves of switches, whose steps are in order. */
function checkSwitches(path: string, given: readonly MovedSwitches[], steps: number): MovedSwitches[] {
  let next = 0;
  const isMove = (value: unknown): boolean => {
    if (!isObject(value)) return false;
    const { step, ...switches } = value as MovedSwitches;
    if (!isCount(step) || step < next || step > steps) return false;
    next = step + 1;
    return Object.entries(switches).every(([name, position]) => isPosition(name, position));
  };
  const what = `switches and their positions with a step of the run, ${steps} at most and above the one before`;
  return checkList(path, given, isMove, what).map((move) => ({ ...move }));
}

/**
 * Plays a replay and compares every observation, reward and end with its checksums.
 *
 * ```ts
 * import { Game, wallop } from "gym2600";
 * import { Recorder, verifyReplay } from "gym2600/record";
 *
 * const recorder = new Recorder(await Game.create({ rom: wallop, preset: "gymnasium" }));
 * recorder.reset({ seed: 7 });
 * recorder.step(1);
 * const text = JSON.stringify(recorder.replay());
 *
 * const runs = await verifyReplay(text, (options) => Game.create({ ...options, rom: wallop }));
 * ```
 *
 * @param source JSON, or what it says
 * @param create makes the game. It is closed at the end.
 * @throws Gym2600Error `bad-replay` for a bad file, another ROM, or the first difference, with its run and step; the errors of `create`
 */
export async function verifyReplay(
  source: unknown,
  create: (options: ReplayOptions) => ReplayableGame | Promise<ReplayableGame>,
): Promise<VerifiedRun[]> {
  const { md5, options, runs } = parseReplay(source);
  if (typeof create !== "function") throw new Gym2600Error("bad-option", `create: ${shown(create)} is no function`);
  const game = await create(options);
  checkGame(game, "close");
  try {
    const found = game.description.md5;
    if (found !== md5)
      throw new Gym2600Error("bad-replay", `md5: the replay is of ROM ${md5}, and this one is ${found}`);
    if (runs.some(({ switches }) => switches !== undefined)) checkMethods("game", game, "setSwitches");
    const verified: VerifiedRun[] = [];
    for (const [index, run] of runs.entries()) verified.push(await verifyRun(game, run, `runs[${index}]`));
    return verified;
  } finally {
    await game.close();
  }
}

async function verifyRun(game: ReplayableGame, run: ReplayRun, path: string): Promise<VerifiedRun> {
  const { seed, actions, paddleStrengths, switches, checksums } = run;
  const moves = new Map(switches?.map(({ step, ...moved }) => [step, moved]));
  let reward = 0;
  let step = 0;
  const compare = (result: ResetResult | StepResult): void => {
    const found = checksumOf(result);
    if (found === checksums[step]) return;
    throw new Gym2600Error(
      "bad-replay",
      `${path}: step ${step} has checksum ${found}, in the replay ${checksums[step]}`,
    );
  };
  try {
    // Those of the run before are where it left them.
    await game.setSwitches?.(moves.get(0) ?? {});
    compare(await game.reset({ seed }));
    for (const [index, action] of actions.entries()) {
      step = index + 1;
      const moved = moves.get(step);
      if (moved !== undefined) await game.setSwitches?.(moved);
      const result = await game.step(action, { paddleStrength: paddleStrengths?.[index] ?? 1 });
      compare(result);
      reward += result.reward;
    }
  } catch (error) {
    // An action that the game lacks, or one after an end. The class of the error may be that of another entry.
    const refusal = refusalOf(error);
    if (refusal?.code !== "bad-action" && refusal?.code !== "bad-state") throw error;
    throw new Gym2600Error("bad-replay", `${path}: step ${step}: ${refusal.message}`, { cause: error });
  }
  return { steps: actions.length, reward };
}

function parseJson(text: string): unknown {
  if (text.length > MAX_REPLAY_TEXT) {
    throw new Gym2600Error("bad-replay", `the text has ${text.length} characters, and ${MAX_REPLAY_TEXT} are the most`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Gym2600Error("bad-replay", `the text is no JSON: ${(error as Error).message}`, { cause: error });
  }
}

/** A copy of a list, without gaps. */
function checkList<T>(
  path: string,
  given: readonly T[],
  is: (value: unknown) => boolean,
  what: string,
  length?: number,
): T[] {
  if (!Array.isArray(given)) refuse(path, given, "a list");
  const list: T[] = [];
  // Copied up to the first wrong one: a list of nothing may be longer than memory.
  for (let index = 0; index < given.length; index++) {
    const value = given[index] as T;
    if (!is(value)) refuse(`${path}[${index}]`, value, what);
    list.push(value);
  }
  if (length !== undefined && list.length !== length) {
    throw new Gym2600Error("bad-replay", `${path} has ${list.length} entries, and ${length} are needed`);
  }
  return list;
}

function refuse(path: string, value: unknown, expected: string): never {
  const kind = Array.isArray(value) ? "a list" : isObject(value) ? "an object" : undefined;
  const given = kind ?? (typeof value === "string" ? JSON.stringify(value) : shown(value));
  throw new Gym2600Error("bad-replay", `${path} has to be ${expected}, not ${given.slice(0, 80)}`);
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isText(value: unknown, pattern: RegExp): boolean {
  return typeof value === "string" && pattern.test(value);
}
