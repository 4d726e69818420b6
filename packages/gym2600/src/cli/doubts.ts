/** Whether there is anything to learn from a game of a definition, said before a run, while it trains and after it. */

import { doubt } from "../../wasm-learn/gym2600_learn.js";
import { LearnerRom } from "../learn/game.js";
import type { TrainingConfig, TrainingUpdate } from "../learn/types.js";
import { callLearner } from "../learn/wasm.js";

/** What random play found, until training finds otherwise. */
export class Doubts {
  #found: "over-at-reset" | "no-reward" | undefined;

  /** Plays at random, if the game is one of a definition, and says what it finds. `file` is the definition's. */
  play(rom: Uint8Array, config: TrainingConfig, file = "the game's definition"): void {
    const { game } = config.options as { game?: unknown };
    if (game === null || game === undefined) return;
    const found = callLearner(() => doubt(new LearnerRom(rom), config));
    if (found === undefined) return;
    this.#found = found.includes("over at its reset") ? "over-at-reset" : "no-reward";
    process.stderr.write(`gym2600: ${file}: ${found}\n`);
  }

  /** What remains of it after an update, for the line of progress. */
  after({ length, reward }: TrainingUpdate): string | undefined {
    const isSettled = this.#found === "over-at-reset" ? (length ?? 0) > 1 : (reward ?? 0) !== 0;
    if (isSettled) this.#found = undefined;
    if (this.#found === undefined) return undefined;
    return this.#found === "over-at-reset" ? "every step is an episode" : "no reward yet";
  }

  /** Says what remains of it at the run's end. */
  finish(steps: number): void {
    if (this.#found === undefined) return;
    const what =
      this.#found === "over-at-reset"
        ? `every one of ${steps} steps was an episode`
        : `${steps} steps brought no reward`;
    process.stderr.write(`gym2600: ${what}: the run learned nothing\n`);
  }
}
