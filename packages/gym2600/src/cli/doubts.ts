/** Whether there is anything to learn from a game of a definition, said before a run, while it trains and after it. */

import { doubt } from "../../wasm-learn/gym2600_learn.js";
import { LearnerRom } from "../learn/game.js";
import type { TrainingConfig, TrainingUpdate } from "../learn/types.js";
import { callLearner } from "../learn/wasm.js";

/** What the learner's module gives: the kind of a doubt, and its text. */
type Found = readonly [kind: "over-at-reset" | "no-reward", text: string];

/** What random play found, until training finds otherwise. */
export class Doubts {
  #found: Found[0] | undefined;

  /** Plays at random, if the game is one of a definition, and says what it finds. `file` is the definition's. */
  play(rom: Uint8Array, config: TrainingConfig, file = "the game's definition"): void {
    const { game } = config.options as { game?: unknown };
    if (game === null || game === undefined) return;
    const found = callLearner(() => doubt(new LearnerRom(rom), config) as Found | null);
    if (found === null) return;
    const [kind, text] = found;
    this.#found = kind;
    process.stderr.write(`gym2600: ${file}: ${text}\n`);
  }

  /** What remains of it after an update, for the line of progress. */
  after({ finished }: TrainingUpdate): string | undefined {
    const isSettled =
      this.#found === "over-at-reset"
        ? finished.length === 0 || finished.some(({ length }) => length > 1)
        : finished.some(({ reward }) => reward !== 0);
    if (isSettled) this.#found = undefined;
    if (this.#found === undefined) return undefined;
    return this.#found === "over-at-reset" ? "every step is an episode" : "no game with a reward yet";
  }

  /** Says what remains of it at the run's end. */
  finish(steps: number): void {
    if (this.#found === undefined) return;
    const what =
      this.#found === "over-at-reset"
        ? `every one of ${steps} steps was an episode: the run learned nothing`
        : `no game with a reward has ended in ${steps} steps`;
    process.stderr.write(`gym2600: ${what}\n`);
  }
}
