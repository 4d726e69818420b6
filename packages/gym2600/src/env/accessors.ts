/**
 * What can be asked of an environment besides resets and steps: one line here for each call.
 *
 * `Game` makes a call in this thread; a message carries it to the lane of a `GameWorker` or a `VectorEnv`. Each of the three has a method of
 * the same name, which checks its arguments: see `complete.ts`. Arrays that a call gives are the caller's: no lane keeps them.
 */

import { type ActionName, actionNames } from "../actions.js";
import { checkCount, copyOptions, expected, namedOptions } from "../arguments.js";
import { arrayName, arrayType, byteCount, bytesOf } from "../buffers/observation-buffers.js";
import { Gym2600Error, shown } from "../errors.js";
import type { ConsoleSwitches, Frame } from "../types.js";
import type { Handle } from "../wasm-instance.js";
import type { Lane } from "./lane.js";

type Bytes = Uint8Array<ArrayBuffer>;
type Pixels = Uint8ClampedArray<ArrayBuffer>;

/** A console on the WebAssembly side, with wrappers or without. */
interface WasmConsole {
  free(): void;
  ram(ram: Uint8Array): void;
  setRam(index: number, value: number): void;
  setSwitches(switches: ConsoleSwitches): void;
  pixels(): number;
  draw(channels: number, picture: Uint8Array): void;
  audio(): Uint8Array;
  lastAction(): number;
  variables(): object;
}

type Console = Handle<WasmConsole>;

/** The calls that every environment has, by name. `into` is a caller's array to be filled; otherwise the result is a new one. */
export const ACCESSORS = {
  ram: (console: Console, into: Bytes = new Uint8Array(RAM_BYTES)): Bytes => ramOf(console, into),
  setRam: (console: Console, index: number, value: number): void => console.run((game) => game.setRam(index, value)),
  setSwitches: (console: Console, switches: ConsoleSwitches): void => console.run((game) => game.setSwitches(switches)),
  screen: (console: Console, into?: Bytes): Bytes => drawn(console, "indices", Uint8Array, into),
  screenGrey: (console: Console, into?: Bytes): Bytes => drawn(console, "grey", Uint8Array, into),
  screenRgb: (console: Console, into?: Bytes): Bytes => drawn(console, "rgb", Uint8Array, into),
  render: (console: Console, into?: Pixels): Pixels => drawn(console, "rgba", Uint8ClampedArray, into),
  audio: (console: Console): Bytes => console.run((game) => game.audio()) as Bytes,
  palette: (lane: Lane): Bytes => lane.run((game) => game.palette()) as Bytes,
  keepFrames: (lane: Lane): void => lane.run((game) => game.keepFrames()),
  frames: (lane: Lane): Frame[] => lane.run((game) => game.frames() as FrameEntry[]).map(frameOf),
  lastAction: (console: Console): ActionName => nameOf(console.run((game) => game.lastAction())),
  variables: (console: Console): Record<string, number> =>
    console.run((game) => game.variables()) as Record<string, number>,
  save: (lane: Lane): Bytes => lane.run((game) => game.save()) as Bytes,
  restore: (lane: Lane, state: Uint8Array): boolean => lane.restore(state),
};

/** The calls of lanes with a canvas. */
export const CANVAS_CALLS = {
  setCanvas: (lane: Lane, canvas: OffscreenCanvas): void => lane.setCanvas(canvas),
  paint: (lane: Lane): void => lane.paint(),
};

/** All calls that a message can carry. */
export const LANE_CALLS: typeof ACCESSORS & typeof CANVAS_CALLS = { ...ACCESSORS, ...CANVAS_CALLS };

export type AccessorName = keyof typeof ACCESSORS;
export type LaneCallName = keyof typeof LANE_CALLS;

/** The arguments of a call, after the lane. */
export type LaneCallArguments<N extends LaneCallName> = (typeof LANE_CALLS)[N] extends (
  lane: never,
  ...args: infer A
) => unknown
  ? A
  : never;

export type LaneCallResult<N extends LaneCallName = LaneCallName> = ReturnType<(typeof LANE_CALLS)[N]>;

/** A call with its arguments, as a message. */
export interface LaneCall {
  readonly method: LaneCallName;
  readonly args: readonly unknown[];
}

/** A frame as the WebAssembly side has it. */
type FrameEntry = [Frame["screen"], Frame["audio"], Frame["reward"], Frame["info"]];

/** Bytes of the console's memory. */
const RAM_BYTES = 128;

/** The console's buttons and switches, with their positions. */
const POSITIONS: Readonly<Record<keyof ConsoleSwitches, readonly unknown[]>> = {
  select: [true, false],
  reset: [true, false],
  blackAndWhite: [true, false],
  leftDifficulty: ["A", "B"],
  rightDifficulty: ["A", "B"],
};

/** No saved state is larger. */
const MAX_STATE_BYTES = 1 << 24;

/** The forms of a picture: their numbers on the WebAssembly side, and the bytes of a pixel. */
const FORMS = {
  indices: { channels: 1, bytes: 1 },
  grey: { channels: 2, bytes: 1 },
  rgb: { channels: 3, bytes: 3 },
  rgba: { channels: 4, bytes: 4 },
} as const;

function ramOf(console: Console, into: Bytes): Bytes {
  checkBytes(into, RAM_BYTES, "the memory");
  console.run((game) => game.ram(into));
  return into;
}

/** The picture in one of its forms. */
function drawn<A extends Bytes | Pixels>(
  console: Console,
  form: keyof typeof FORMS,
  Kind: new (bytes: number) => A,
  into?: A,
): A {
  const { channels, bytes } = FORMS[form];
  const length = console.run((game) => game.pixels()) * bytes;
  const picture = into === undefined ? new Kind(length) : into;
  checkBytes(picture, length, "this picture");
  console.run((game) => game.draw(channels, bytesOf(picture)));
  return picture;
}

function frameOf([screen, audio, reward, info]: FrameEntry): Frame {
  return { screen, audio, reward, info };
}

function nameOf(action: number): ActionName {
  return expected(actionNames[action], "an action has one of ALE's eighteen numbers");
}

/** Refuses an array of the caller's of the wrong type or size. A detached array has length 0. */
function checkBytes(into: Bytes | Pixels, bytes: number, what: string): void {
  if (/^Uint8(Clamped)?Array$/.test(arrayType(into) ?? "") && byteCount(into) === bytes) return;
  throw new Gym2600Error("bad-buffer", `${what} is ${bytes} bytes, a Uint8Array, not ${arrayName(into)}`);
}

/**
 * Checks that a saved state given by the caller is bytes of a possible size.
 *
 * @throws Gym2600Error `bad-saved-state`
 */
export function checkState(state: unknown): void {
  const size = arrayType(state) === "Uint8Array" ? byteCount(state) : -1;
  if (size > 0 && size <= MAX_STATE_BYTES) return;
  const given = size < 0 ? shown(state) : `${size} bytes`;
  throw new Gym2600Error("bad-saved-state", `a saved state is a Uint8Array that save gave, not ${given}`);
}

/**
 * Refuses a strength of a paddle that is no number. The WebAssembly side knows the range.
 *
 * @throws Gym2600Error `bad-action`
 */
export function checkStrength(strength: unknown): void {
  if (typeof strength === "number") return;
  throw new Gym2600Error("bad-action", `paddleStrength: ${shown(strength)} is not a number`);
}

/**
 * Refuses what is no place of the console's memory, or no byte.
 *
 * @throws Gym2600Error `bad-option`
 */
export function checkRam(index: number, value: number): void {
  checkCount("index", index, 0, RAM_BYTES - 1);
  checkCount("value", value, 0, 255);
}

/**
 * A copy of the switches that a caller gave, without those that are left out.
 *
 * @throws Gym2600Error `bad-option`
 */
export function switchesOf(switches: ConsoleSwitches): ConsoleSwitches {
  const named = namedOptions(copyOptions(switches), ...(Object.keys(POSITIONS) as (keyof ConsoleSwitches)[]));
  const moved = Object.entries(named).filter(([, position]) => position !== undefined && position !== null);
  for (const [name, position] of moved) {
    if (isPosition(name, position)) continue;
    const known = POSITIONS[name as keyof ConsoleSwitches].join(", ");
    throw new Gym2600Error("bad-option", `${name}: the switch has no position ${shown(position)}; it has ${known}`);
  }
  return Object.fromEntries(moved);
}

/** Whether a switch has a position. */
export function isPosition(name: string, position: unknown): boolean {
  return Object.hasOwn(POSITIONS, name) && POSITIONS[name as keyof ConsoleSwitches].includes(position);
}

/**
 * Refuses what is no `OffscreenCanvas`.
 *
 * @throws Gym2600Error `bad-option`
 */
export function checkCanvas(canvas: unknown): void {
  if (typeof OffscreenCanvas !== "undefined" && canvas instanceof OffscreenCanvas) return;
  throw new Gym2600Error(
    "bad-option",
    `canvas: an OffscreenCanvas is needed, as transferControlToOffscreen gives, not ${shown(canvas)}`,
  );
}
