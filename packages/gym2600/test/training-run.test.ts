import { expect, it, vi } from "vitest";
import { Doubts } from "../src/cli/doubts.js";
import type { TrainingLog } from "../src/cli/training-log.js";
import { runTraining } from "../src/cli/training-run.js";
import type { Trainer } from "../src/learn/trainer.js";
import type { TrainingUpdate } from "../src/learn/types.js";

const NOTHING = { reward: null, length: null, entropy: 0, stepsPerSecond: 1, finished: [] };

it("logs each update once where a worker has died and updates are made again", async () => {
  const made = [1, 2, 3, 2, 3, 4];
  const trainer = {
    updates: 0,
    steps: 0,
    update() {
      const update = made.shift() ?? 0;
      Object.assign(trainer, { updates: update, steps: 100 * update });
      return Promise.resolve({ ...NOTHING, update, steps: trainer.steps } as unknown as TrainingUpdate);
    },
    weights: () => new Uint8Array(),
    checksum: "",
  };
  const told = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const logged: number[] = [];
  const log: TrainingLog = { write: ({ update }) => logged.push(update), close: () => {} };
  await runTraining({
    trainer: trainer as unknown as Trainer,
    steps: 400,
    logs: [log],
    weights: [],
    checkpoint: undefined,
    resume: undefined,
    json: false,
    doubts: new Doubts(),
  });
  told.mockRestore();
  expect(logged).toEqual([1, 2, 3, 4]);
});
