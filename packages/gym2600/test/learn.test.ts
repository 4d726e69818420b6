import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Policy, Trainer, type TrainerOptions, type TrainingUpdate } from "../src/learn/index-node.js";

const rom = readFileSync(new URL("../../../crates/arcade/games/wallop.bin", import.meta.url));

/** Small pictures and short rollouts. Workers need the built package, so these tests train in this thread. */
const small: TrainerOptions = {
  rom,
  workers: 0,
  numEnvs: 8,
  seed: 5,
  options: {
    wrappers: [
      { type: "SkipFrames", n: 4 },
      { type: "ImagePreprocessing", width: 28, height: 28 },
      { type: "TimeLimit", steps: 40 },
      { type: "QueueFrames", n: 4 },
    ],
  },
  hyperParameters: { rollout: 16, minibatches: 4, epochs: 2 },
};

async function updates(trainer: Trainer, count: number): Promise<TrainingUpdate[]> {
  const all: TrainingUpdate[] = [];
  for await (const update of trainer) {
    all.push(update);
    if (all.length === count) trainer.stop();
  }
  return all;
}

describe("a trainer", () => {
  it("gives the same weights for a seed, and a resumed one those of a run that never stopped", async () => {
    const whole = await Trainer.create(small);
    const expected = (await updates(whole, 4)).map((update) => update.weights);
    const first = await Trainer.create(small);
    await updates(first, 2);
    const checkpoint = await first.checkpoint();
    const second = await Trainer.create({ rom, workers: 0, resume: checkpoint });
    expect((await updates(second, 2)).map((update) => update.weights)).toEqual(expected.slice(2));
    for (const trainer of [whole, first, second]) trainer.close();
  });

  it("refuses what cannot be, and every call after close", async () => {
    await expect(Trainer.create({ ...small, numEnvs: 6 })).rejects.toMatchObject({ code: "bad-option" });
    await expect(Trainer.create({ ...small, hyperParameters: { gama: 1 } })).rejects.toMatchObject({
      code: "bad-option",
    });
    await expect(Trainer.create({ ...small, resume: new Uint8Array(9) })).rejects.toMatchObject({
      code: "bad-weights",
    });
    const trainer = await Trainer.create(small);
    trainer.close();
    trainer.close();
    expect(() => trainer.weights()).toThrowError(expect.objectContaining({ code: "closed" }));
    await expect(trainer.update()).rejects.toMatchObject({ code: "closed" });
  });

  it("gives weights that a policy plays with", async () => {
    const trainer = await Trainer.create(small);
    await trainer.update();
    const policy = await Policy.load(trainer.weights());
    trainer.close();
    const { action, probabilities, value } = policy.act(new Uint8Array(4 * 28 * 28).fill(9), { seed: 1 });
    expect(probabilities.reduce((sum, probability) => sum + probability)).toBeCloseTo(1);
    expect(action).toBeLessThan(probabilities.length);
    expect(value).toBeTypeOf("number");
    expect(() => policy.act(new Uint8Array(3))).toThrowError(expect.objectContaining({ code: "bad-option" }));
  });
});
