/** What the show plays: a game by frames, or one taken over from the training. */

import type { Picture } from "gym2600";
import type { GameInfo } from "./protocol.js";
import type { SavedGame } from "./types.js";

/** What a frame brought. */
export interface FrameResult {
  readonly reward: number;
  /** Whether the game is over. */
  readonly over: boolean;
  /** Whether the agent's episode ends because a life was lost. */
  readonly lostLife: boolean;
}

/** What a lost life is to an agent. */
export interface LostLife {
  /** Whether the decision ends with it. */
  readonly cutsDecision: boolean;
  /** Whether a new game follows. */
  readonly endsGame: boolean;
}

export interface ShownGame {
  readonly info: GameInfo;
  /** Calls of {@link frame} in a decision, and frames of the console in a call. */
  readonly callsPerDecision: number;
  readonly framesPerCall: number;
  readonly lostLife: LostLife;
  readonly lives: number;
  readonly score: number;
  /** Whether the show has not seen the beginning of the running game, so that its score is not known. */
  readonly partial: boolean;
  /** Whether the wrappers decide the next frame's action. */
  readonly forced: boolean;
  /** Runs a frame. A paddle turns at `strength` of its speed. */
  frame(action: number, strength?: number): FrameResult;
  /** Starts a new game. */
  reset(): void;
  /** Begins the agent's next episode after a lost life. */
  beginLife(): void;
  /** A person who plays needs no help at the start of an episode. */
  releaseForced(): void;
  /** What the agent sees now: frames x height x width, the oldest first. A new array. */
  stack(): Uint8Array<ArrayBuffer> | undefined;
  /** The console's picture, which the next call overwrites. */
  picture(): Picture;
  /** The console's picture as palette indices. A new array. */
  screen(): Uint8Array<ArrayBuffer>;
  /** The sound of the last call. */
  audio(): Uint8Array<ArrayBuffer>;
  save(): SavedGame;
  restore(saved: SavedGame): void;
  close(): void;
}
