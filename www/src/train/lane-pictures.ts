/** Paints the pictures of the training games from their states. */

import { Game, type Picture } from "gym2600";
import type { EnvironmentOptions } from "../show/types.js";

export class LanePictures {
  readonly #game: Game;
  readonly #contexts: readonly OffscreenCanvasRenderingContext2D[];
  readonly #picture: Picture;

  private constructor(game: Game, canvases: readonly OffscreenCanvas[]) {
    this.#game = game;
    this.#picture = game.render();
    const { width, height } = game.description.screen;
    this.#contexts = canvases.map((canvas) => {
      canvas.width = width;
      canvas.height = height;
      const context = canvas.getContext("2d", { alpha: false });
      if (context === null) throw new Error("a canvas cannot be drawn on");
      return context;
    });
  }

  /** @param environment the options of the training games */
  static async open(
    rom: Uint8Array<ArrayBuffer>,
    environment: EnvironmentOptions,
    canvases: readonly OffscreenCanvas[],
  ): Promise<LanePictures> {
    return new LanePictures(await Game.create({ rom, ...environment }), canvases);
  }

  /** Paints the states of all games. */
  paint(states: readonly Uint8Array[]): void {
    for (const [lane, context] of this.#contexts.entries()) {
      const state = states[lane];
      if (state === undefined) continue;
      this.#game.restore(state);
      context.putImageData(this.#game.render(this.#picture) as ImageData, 0, 0);
    }
  }
}
