/**
 * A game that goes on from the state of a training game, in the learner's own environment. Its pictures are those of decisions, so
 * they come at a quarter of the console's rate.
 */

import { Game, type Observation, type Picture } from "gym2600";
import type { LaneState } from "../train/protocol.js";
import type { GameInfo } from "./protocol.js";
import type { FrameResult, ShownGame } from "./shown-game.js";
import type { SavedGame } from "./types.js";

export class LaneGame implements ShownGame {
  readonly info: GameInfo;
  readonly callsPerDecision = 1;
  readonly framesPerCall: number;
  readonly lostLife = { cutsDecision: false, endsGame: false };
  readonly forced = false;
  lives = 0;
  /** The score since the game was taken over; the learner does not tell that before. */
  score = 0;
  partial = true;
  readonly #game: Game;
  #observation: Observation;
  #picture: Picture;

  private constructor(game: Game, info: GameInfo, state: Uint8Array) {
    this.#game = game;
    this.info = info;
    this.framesPerCall = info.skip;
    game.restore(state);
    const { observation, info: first } = game.step(0);
    this.#observation = observation;
    this.#picture = game.render();
    this.lives = first.lives;
  }

  static async open(rom: Uint8Array<ArrayBuffer>, lane: LaneState, info: GameInfo): Promise<LaneGame> {
    return new LaneGame(await Game.create({ rom, ...lane.environment }), info, lane.state);
  }

  frame(action: number, paddleStrength = 1): FrameResult {
    const { observation, reward, terminated, truncated, info } = this.#game.step(action, { paddleStrength });
    this.#observation = observation;
    this.score += reward;
    const ended = terminated || truncated;
    const over = ended && info.realDone !== false;
    const lostLife = ended && !over;
    this.lives = info.lives;
    return { reward, over, lostLife };
  }

  /** The learner's games begin again by themselves. */
  reset(): void {
    this.score = 0;
    this.partial = false;
  }

  beginLife(): void {}

  releaseForced(): void {}

  stack(): Uint8Array<ArrayBuffer> | undefined {
    return this.#observation instanceof Uint8Array ? this.#observation.slice() : undefined;
  }

  picture(): Picture {
    this.#picture = this.#game.render(this.#picture);
    return this.#picture;
  }

  screen(): Uint8Array<ArrayBuffer> {
    return this.#game.screen();
  }

  /** The learner's games have no sound. */
  audio(): Uint8Array<ArrayBuffer> {
    return new Uint8Array();
  }

  save(): SavedGame {
    const ring = [new Uint8Array(this.#observation.buffer.slice(0))];
    const { lives, score } = this;
    return { state: this.#game.save(), ring, newest: 0, since: 0, forced: [], lives, score };
  }

  restore(saved: SavedGame): void {
    this.#game.restore(saved.state);
    const [frame] = saved.ring;
    if (frame !== undefined) this.#observation = frame.slice();
    this.lives = saved.lives;
    this.score = saved.score;
    this.partial = true;
  }

  close(): void {
    this.#game.close();
  }
}
