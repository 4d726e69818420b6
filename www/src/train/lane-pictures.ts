/** Paints the pictures of the training games from their states. */

import { Game, type Picture } from "gym2600";
import type { TrainingPlan } from "./protocol.js";
import { trainingOptions } from "./training-options.js";

export class LanePictures {
  readonly #game: Game;
  readonly #contexts: readonly OffscreenCanvasRenderingContext2D[];
  #picture: Picture | undefined;

  private constructor(game: Game, canvases: readonly OffscreenCanvas[]) {
    this.#game = game;
    const { width, height } = game.description.screen;
    this.#contexts = canvases.map((canvas) => {
      canvas.width = width;
      canvas.height = height;
      const context = canvas.getContext("2d", { alpha: false });
      if (context === null) throw new Error("a canvas cannot be drawn on");
      return context;
    });
  }

  static async open({ rom, options }: TrainingPlan, canvases: readonly OffscreenCanvas[]): Promise<LanePictures> {
    const game = await Game.create({ rom, ...(await trainingOptions(rom, options)) });
    return new LanePictures(game, canvases);
  }

  /** Paints the states of all games. */
  paint(states: readonly Uint8Array[]): void {
    for (const [lane, context] of this.#contexts.entries()) {
      const state = states[lane];
      if (state === undefined) continue;
      this.#game.restore(state);
      this.#picture = this.#picture === undefined ? this.#game.render() : this.#game.render(this.#picture);
      context.putImageData(this.#picture as ImageData, 0, 0);
    }
  }

  close(): void {
    this.#game.close();
  }
}
