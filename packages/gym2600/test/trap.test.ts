/** A WebAssembly instance that has trapped is not used again. */

import { beforeAll, expect, test } from "vitest";
import { Arcade } from "../src/env/arcade.js";
import { Game } from "../src/env/game.js";
import { Lane } from "../src/env/lane.js";
import { Policy } from "../src/learn/policy.js";
import { Trainer } from "../src/learn/trainer.js";
import { LearnerObject } from "../src/learn/wasm.js";
import { setLearnerPlatform } from "../src/learn-platform-node.js";
import { setPlatform } from "../src/platform.js";
import { node } from "../src/platform-node.js";
import { VectorEnv } from "../src/vector/vector-env.js";
import { wallop } from "../src/wallop.js";
import { compiledModule } from "../src/wasm-module.js";
import { WasmPolicy } from "../wasm-learn/gym2600_learn.js";
import { digest } from "./digest.js";

beforeAll(() => setPlatform(node));

const failed = expect.objectContaining({ name: "Gym2600Error", code: "wasm-failed" });

/** Makes this thread's instance trap in mid-call: its stack stays as it was then, and what it had borrowed stays borrowed. */
async function trap(): Promise<void> {
  const lane = await Lane.open(wallop, {}, compiledModule());
  const { set } = Uint8Array.prototype;
  Uint8Array.prototype.set = () => {
    throw new WebAssembly.RuntimeError("in mid-call");
  };
  try {
    expect(() => lane.observe(new Uint8Array(lane.observationBytes))).toThrowError(failed);
  } finally {
    Uint8Array.prototype.set = set;
  }
  expect(() => lane.needsReset).toThrowError(failed);
  lane.close();
}

test("all games of an instance that has trapped give one code, and new games play on in another instance", async () => {
  const [game, arcade] = [await Game.create({ rom: wallop, seed: 3 }), await Arcade.create({ rom: wallop })];
  const first = digest(game.reset());
  await trap();
  for (const call of [
    () => game.step(0),
    () => game.reset(),
    () => game.render(),
    () => game.ram(),
    () => game.save(),
    () => game.lastAction,
    () => arcade.act(0),
    () => arcade.lives,
    () => arcade.clone(),
  ]) {
    expect(call).toThrowError(failed);
  }
  const again = await Game.create({ rom: wallop, seed: 3 });
  expect(() => game.step(0)).toThrowError(failed);
  expect(digest(again.reset())).toEqual(first);
  // Freeing what the old instance had must not touch the new one.
  game.close();
  arcade.close();
  expect(() => game.step(0)).toThrowError(expect.objectContaining({ code: "closed" }));
  expect(digest(again.reset({ seed: 3 }))).toEqual(first);
  again.close();
});

test("two hundred traps in one thread leave it able to play", async () => {
  for (let count = 0; count < 200; count++) await trap();
  const game = await Game.create({ rom: wallop });
  game.reset();
  for (let step = 0; step < 50; step++) game.step(step % 3);
  game.close();
});

test("the lanes of an instance that has trapped are dead, and can be revived", async () => {
  const envs = await VectorEnv.create({ rom: wallop, numEnvs: 2, workers: 0, keepStates: 1 });
  await envs.reset();
  const { observations } = await envs.step([1, 1]);
  await trap();
  await expect(envs.step([1, 1])).rejects.toMatchObject({ code: "wasm-failed", lanes: [0, 1] });
  expect(envs.deadLanes).toEqual([0, 1]);
  // The code stays the same until the lanes are revived.
  await expect(envs.step([1, 1])).rejects.toMatchObject({ code: "wasm-failed", lanes: [0, 1] });
  await expect(envs.reset()).rejects.toMatchObject({ code: "wasm-failed", lanes: [0, 1] });
  await expect(envs.save(1)).rejects.toMatchObject({ code: "wasm-failed", lanes: [1] });
  expect(() => envs.send([1], [1])).toThrowError(expect.objectContaining({ code: "wasm-failed", lanes: [1] }));
  const revived = await envs.revive(0);
  expect(revived.restored).toEqual([true, true]);
  expect(digest(revived.observations)).toEqual(digest(observations));
  await envs.step([1, 1]);
  await envs.close();
});

/** Makes the learner's instance of this thread trap, by a call with an address outside of its memory. */
function trapLearner(): void {
  expect(() => {
    new LearnerObject(() => {
      const policy = Object.assign(Object.create(WasmPolicy.prototype) as WasmPolicy, { __wbg_ptr: 0xfffffff0 });
      policy.value();
      return policy;
    });
  }).toThrowError(failed);
}

/** A run in this thread, of short rollouts. */
const run = {
  rom: wallop,
  numEnvs: 4,
  workers: 0 as const,
  seed: 1,
  hyperParameters: { rollout: 8, minibatches: 1, epochs: 1 },
};

test("a trap of the games' instance ends trainers, but is none of the learner's", async () => {
  setLearnerPlatform();
  const trainer = await Trainer.create(run);
  const policy = await Policy.load(trainer.weights());
  await trap();
  await expect(trainer.update()).rejects.toThrowError(failed);
  expect(policy.act(new Uint8Array(4 * 84 * 84), { shape: [4, 84, 84] }).probabilities.length).toBeGreaterThan(1);
  const again = await Trainer.create(run);
  expect(await policy.environment(wallop)).toEqual(again.environment);
  expect((await again.update()).update).toBe(1);
  for (const one of [trainer, policy, again]) one.close();
});

test("trainers and policies of a learner's instance that has trapped give one code, and new ones go on", async () => {
  setLearnerPlatform();
  const trainer = await Trainer.create(run);
  const policy = await Policy.load(trainer.weights());
  const kept = await trainer.checkpoint();
  const expected = await trainer.update();
  trapLearner();
  for (const call of [
    () => trainer.steps,
    () => trainer.weights(),
    () => trainer.onnx(),
    () => trainer.environment,
    () => policy.origin,
    () => policy.act(new Uint8Array(4 * 84 * 84), { shape: [4, 84, 84] }),
    () => policy.onnx(),
  ]) {
    expect(call).toThrowError(failed);
  }
  await expect(trainer.update()).rejects.toThrowError(failed);
  await expect(trainer.games()).rejects.toThrowError(failed);
  // The last checkpoint is kept outside of the instance.
  expect(digest(await trainer.checkpoint())).toEqual(digest(kept));
  trainer.close();
  policy.close();
  const again = await Trainer.create(run);
  expect((await again.update()).weights).toBe(expected.weights);
  again.close();
});
