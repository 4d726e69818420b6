/** Messages between the page and the worker of the show game. */

import type { ErrorDetails } from "gym2600";
import type { LaneState } from "../train/protocol.js";
import type { EnvironmentOptions, LatchedSwitches, PlayedLog, Player, SavedGame } from "./types.js";

export type Speed = "slow" | "real-time" | "fast";

/** What is asked of the worker. */
export type ToShow =
  /** Once, first: the canvas that the worker paints on from then on. */
  | { readonly type: "canvas"; readonly canvas: OffscreenCanvas }
  /** The canvases for the frames of the open game's stack, the oldest first. */
  | { readonly type: "frames"; readonly canvases: readonly OffscreenCanvas[] }
  /** Another game, or the same with other options. Answered by `opened` or `refused` with the same number. */
  | {
      readonly type: "open";
      readonly number: number;
      readonly rom: Uint8Array<ArrayBuffer>;
      readonly options: EnvironmentOptions;
      readonly seed: number;
      readonly gamma: number;
    }
  | { readonly type: "run"; readonly running: boolean }
  | { readonly type: "speed"; readonly speed: Speed }
  | { readonly type: "player"; readonly player: Player }
  /** What the person holds: UP, DOWN, LEFT, RIGHT and FIRE of the joystick, SELECT and RESET of the console. */
  | { readonly type: "input"; readonly held: readonly string[] }
  /** Puts the console's other switches. They stay so for every game. */
  | { readonly type: "switches"; readonly switches: LatchedSwitches }
  /** Turns the paddle of the person: frames at its full speed, to the right if positive. */
  | { readonly type: "turn"; readonly frames: number }
  /** Weights to decide by; without them there is no policy. Answered by `policy` with the same number. */
  | {
      readonly type: "policy";
      readonly number: number;
      readonly weights: Uint8Array | undefined;
      readonly name: string;
    }
  /** A port on which the training worker sends weights. */
  | { readonly type: "weights-port"; readonly port: MessagePort }
  /** Whether weights from that port are used. */
  | { readonly type: "follow"; readonly follow: boolean }
  /** A port on which the sound of each frame is sent; none for silence. */
  | { readonly type: "sound-port"; readonly port: MessagePort | undefined }
  | { readonly type: "saliency"; readonly on: boolean }
  /** Whether records have the console's memory. */
  | { readonly type: "ram"; readonly on: boolean }
  /** Goes on from the state of a training game; without one, back to the show's own game. */
  | { readonly type: "watch"; readonly game: LaneState | undefined }
  | { readonly type: "step" }
  | { readonly type: "new-game" }
  | { readonly type: "rewind"; readonly on: boolean }
  | { readonly type: "save"; readonly number: number }
  /** Answered by `restored`, or by `refused` for a state of another game, with the same number. */
  | { readonly type: "restore"; readonly number: number; readonly state: SavedGame }
  /** What has been played since the last new game. Answered by `log`. */
  | { readonly type: "log"; readonly number: number }
  /** The last game as pictures. Answered by `film`. */
  | { readonly type: "film"; readonly number: number };

/** Weights from the training worker to the show worker. */
export interface WeightsMessage {
  readonly name: string;
  readonly weights: Uint8Array;
}

/** What the page knows of an open game. Plain data. */
export interface GameInfo {
  readonly rom: string;
  readonly title: string;
  /** The ROM's MD5. */
  readonly md5: string;
  readonly tv: "NTSC" | "PAL";
  readonly screen: { readonly width: number; readonly height: number };
  readonly actions: readonly string[];
  readonly modes: readonly number[];
  readonly difficulties: readonly number[];
  /** The resolved list. */
  readonly wrappers: readonly { readonly type: string; readonly [option: string]: unknown }[];
  /** Frames of a decision. */
  readonly skip: number;
  /** Whether its rules give rewards. */
  readonly givesRewards: boolean;
  /** Frames, height, width of what the agent sees; undefined if it is no stack of grey pictures. */
  readonly shape: readonly [number, number, number] | undefined;
}

/**
 * One decision of the show game: everything in it belongs to the same step. The worker paints the picture and the frames of the stack
 * of that step together.
 */
export interface ShowRecord {
  /** Decisions since the game was opened. */
  readonly step: number;
  readonly player: Player;
  /** The name of the policy that decides: `you` for a person, `random agent` without one. */
  readonly policy: string;
  /** What the agent sees: frames x height x width bytes, the oldest frame first. Undefined without a shape. */
  readonly stack: Uint8Array<ArrayBuffer> | undefined;
  /** The chance of each action: the policy's, or equal ones of the random agent. Undefined for a person. */
  readonly probabilities: readonly number[] | undefined;
  /** The discounted clipped rewards that the policy expects; undefined where no policy decides. */
  readonly value: number | undefined;
  /** The action that is played. */
  readonly action: number;
  /** An 8 x 8 map of how much hiding a patch changes the policy, 0 to 1 (total variation); undefined when it is off. */
  readonly saliency: readonly number[] | undefined;
  readonly score: number;
  readonly lives: number;
  /** The console's memory, 128 bytes; undefined where it is not asked for. */
  readonly ram: Uint8Array<ArrayBuffer> | undefined;
  /** Whether a person's game has ended. It stands at its last picture until another begins, or another player takes over. */
  readonly over: boolean;
  /** The values of the last decisions, the newest last; NaN where there was no policy. */
  readonly values: Float32Array<ArrayBuffer>;
  /** The discounted clipped rewards that came after each of them; NaN where too few are known. */
  readonly returns: Float32Array<ArrayBuffer>;
  /** Undefined until it has been measured: after a change of speed, a pause, or a rewind. */
  readonly framesPerSecond: number | undefined;
  /** The speed that the rate is of. */
  readonly speed: Speed;
  /** Whether the worker stands still at this decision. */
  readonly paused: boolean;
  /** Requests of the page that the worker had received when it made this record. */
  readonly received: number;
}

/** How evenly pictures are painted. */
export interface Pace {
  readonly perSecond: number;
  /** Milliseconds within which 95 of 100 pictures come after the one before. */
  readonly p95: number;
}

/** A game that has ended. */
export interface Played {
  /** `mixed` if a person and an agent have played it. */
  readonly player: Player | "mixed";
  readonly policy: string;
  readonly score: number;
  /** Decisions. */
  readonly length: number;
}

/** Pictures of a game. */
export interface Film {
  readonly width: number;
  readonly height: number;
  /** Palette indices of each picture. */
  readonly pictures: readonly Uint8Array<ArrayBuffer>[];
  /** Red, green, blue and 255 of each palette index. */
  readonly palette: Uint8Array<ArrayBuffer>;
  readonly perSecond: number;
}

export type FromShow =
  | { readonly type: "opened"; readonly number: number; readonly info: GameInfo }
  | {
      readonly type: "refused";
      readonly number: number;
      readonly code: string;
      readonly message: string;
      readonly details: Readonly<ErrorDetails> | undefined;
    }
  | { readonly type: "record"; readonly record: ShowRecord }
  /** Once a second: the pictures that were painted at the console's speed. */
  | { readonly type: "pace"; readonly pace: Pace }
  /** The games that ended since the last record. It comes before the next one. */
  | { readonly type: "played"; readonly played: readonly Played[] }
  | { readonly type: "saved"; readonly number: number; readonly state: SavedGame }
  | { readonly type: "restored"; readonly number: number }
  | { readonly type: "log"; readonly number: number; readonly log: PlayedLog | undefined }
  | { readonly type: "film"; readonly number: number; readonly film: Film | undefined }
  /** Why the weights are not used; undefined when they are, or when there are none. With the number of the request, if there was one. */
  | { readonly type: "policy"; readonly number: number | undefined; readonly refusal: string | undefined }
  | { readonly type: "failed"; readonly message: string };
