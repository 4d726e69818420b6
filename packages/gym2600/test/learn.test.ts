import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it, vi } from "vitest";
import { resealed } from "../../../tests/package/resealed.js";
import { Lane } from "../src/env/lane.js";
import { Game, VectorEnv } from "../src/index-node.js";
import { init, Policy, Trainer, type TrainerOptions, type TrainingUpdate } from "../src/learn/index-node.js";
import { parseDefinition } from "../src/toml.js";
import { WasmLearner } from "../wasm-learn/gym2600_learn.js";
import { digest } from "./digest.js";
import { rom, smallRun } from "./small-run.js";

/** What its policies see. */
const SHAPE = [4, 28, 28];

/** Workers need the built package, so these tests train in this thread. */
const small: TrainerOptions = { ...smallRun(40), workers: 0 };

/** A file with another text in its header. */
function withHeader(file: Uint8Array, change: (header: string) => string): Uint8Array {
  const size = Number(new DataView(file.buffer, file.byteOffset).getBigUint64(0, true));
  const header = Buffer.from(change(Buffer.from(file.subarray(8, 8 + size)).toString()));
  const length = new BigUint64Array([BigInt(header.length)]);
  return resealed(Buffer.concat([new Uint8Array(length.buffer), header, file.subarray(8 + size)]));
}

async function updates(trainer: Trainer, count: number): Promise<TrainingUpdate[]> {
  const all: TrainingUpdate[] = [];
  for await (const update of trainer) {
    all.push(update);
    if (all.length === count) trainer.stop();
  }
  return all;
}

describe("init", () => {
  it("takes the module's bytes or address, and changes nothing when it refuses", async () => {
    const address = new URL("../wasm-learn/gym2600_learn_bg.wasm", import.meta.url);
    await init({ wasm: address });
    await expect(init({ worker: 5 as never })).rejects.toMatchObject({ code: "bad-option" });
    await expect(init({ wasm: 5 as never })).rejects.toMatchObject({ code: "bad-option" });
    await expect(init({ wasm: new URL("missing.wasm", address) })).rejects.toMatchObject({ code: "wasm-failed" });
    await expect(init({ wasm: Uint8Array.of(60, 33), worker: "nowhere.js" })).rejects.toMatchObject({
      code: "wasm-failed",
      message: expect.stringContaining("the bytes given to init"),
    });
    await init({ wasm: readFileSync(address) });
    const games = new URL("../wasm/gym2600_wasm_bg.wasm", import.meta.url);
    await expect(init({ games: new URL("missing.wasm", games) })).rejects.toMatchObject({ code: "wasm-failed" });
    await init({ games: readFileSync(games) });
    // Each is the other's module.
    await expect(init({ wasm: readFileSync(games) })).rejects.toMatchObject({ code: "wasm-failed" });
    await expect(init({ games: readFileSync(address) })).rejects.toMatchObject({ code: "wasm-failed" });
    const trainer = await Trainer.create(small);
    trainer.close();
  });
});

describe("a trainer", () => {
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  it("says why there is no graphics card: gpu is refused, and auto computes on the CPU", async () => {
    vi.stubGlobal("navigator", {});
    const reason = expect.stringContaining("there is no WebGPU here");
    await expect(Trainer.create({ ...small, device: "gpu" })).rejects.toMatchObject({
      code: "bad-option",
      message: reason,
    });
    await expect(Trainer.create({ ...small, device: "tpu" as never })).rejects.toMatchObject({
      code: "bad-option",
      message: 'device: tpu is not "auto", "cpu" or "gpu"',
    });
    const [cpu, auto] = [await Trainer.create(small), await Trainer.create({ ...small, device: "auto" })];
    expect([cpu.processor, auto.processor]).toEqual([{ device: "cpu" }, { device: "cpu", reason }]);
    const [[expected], [found]] = [await updates(cpu, 1), await updates(auto, 1)];
    expect(found).toMatchObject({ weights: expected?.weights, processor: auto.processor });
    cpu.close();
    auto.close();
  });

  it("says what is wrong with adapters, and that the module for them is for pages", async () => {
    const adapters = [
      [null, "this browser offers no graphics card"],
      [{ info: { vendor: "a", architecture: "b", isFallbackAdapter: true } }, "only software: a b"],
      [{ info: { description: "a card" } }, "only pages and their workers have the module"],
    ] as const;
    for (const [adapter, reason] of adapters) {
      vi.stubGlobal("navigator", { gpu: { requestAdapter: async () => adapter } });
      const trainer = await Trainer.create({ ...small, device: "auto" });
      expect(trainer.processor).toEqual({ device: "cpu", reason: expect.stringContaining(reason) });
      trainer.close();
    }
  });

  it("gives the same weights for a seed, and a resumed one those of a run that never stopped", async () => {
    const whole = await Trainer.create(small);
    const expected = (await updates(whole, 4)).map((update) => update.weights);
    const first = await Trainer.create(small);
    await updates(first, 2);
    const checkpoint = await first.checkpoint();
    const { hyperParameters } = small;
    await expect(Trainer.create({ rom, workers: 0, resume: checkpoint, net: "a3c" })).rejects.toMatchObject({
      code: "bad-option",
      message: expect.stringContaining('the checkpoint has net "tiny", but "a3c" was asked for'),
    });
    await expect(Trainer.create({ ...small, resume: checkpoint, seed: 6 })).rejects.toMatchObject({
      code: "bad-option",
    });
    await expect(Trainer.create({ ...small, resume: checkpoint, numEnvs: 16 })).rejects.toMatchObject({
      code: "bad-option",
      message: expect.stringContaining("the checkpoint has numEnvs 8, but 16 was asked for"),
    });
    const other = { options: { mode: 2 }, hyperParameters: { gamma: 0.5, epochs: 2 } };
    const others = Trainer.create({ rom, workers: 0, resume: checkpoint, ...other });
    await expect(others).rejects.toMatchObject({
      code: "bad-option",
      message:
        "the checkpoint has hyperParameters.gamma 0.98, but 0.5 was asked for; options.mode null, but 2 was asked for: " +
        "a resumed run keeps its settings",
    });
    const preset = Trainer.create({ rom, workers: 0, resume: checkpoint, options: { preset: "gymnasium" } });
    await expect(preset).rejects.toMatchObject({
      message:
        'the checkpoint has options.preset null, but "gymnasium" was asked for: a resumed run keeps its settings',
    });
    const second = await Trainer.create({ rom, workers: 0, resume: checkpoint, numEnvs: 8, hyperParameters });
    expect((await updates(second, 2)).map((update) => update.weights)).toEqual(expected.slice(2));
    for (const trainer of [whole, first, second]) trainer.close();
  });

  it("tells each game that ended, and gives states that a game of the same environment goes on from", async () => {
    const trainer = await Trainer.create(small);
    const report = await updates(trainer, 6);
    const finished = report.flatMap((update) => update.finished);
    const last = report.at(-1) as TrainingUpdate;
    expect(finished.length).toBe(last.episodes);
    expect(finished.length).toBeGreaterThan(0);
    expect(finished.reduce((sum, { reward }) => sum + reward, 0) / finished.length).toBeCloseTo(last.reward ?? -1);
    expect(last.playing).toBeGreaterThan(0);
    expect(last.playing).toBeLessThan(1);
    const states = await trainer.games();
    const game = await Game.create({ rom, ...trainer.environment });
    trainer.close();
    expect(states.length).toBe(8);
    game.restore(states[3] as Uint8Array);
    expect(game.step(0).info.frameNumber).toBeGreaterThan(4);
  });

  it("understands CleanRL's names of hyper-parameters, and tells its settings", async () => {
    const hyperParameters = { num_steps: 16, num_minibatches: 4, update_epochs: 2, gae_lambda: 0.9, norm_adv: false };
    const trainer = await Trainer.create({ ...small, hyperParameters });
    expect(trainer.config).toMatchObject({
      algorithm: "ppo",
      numEnvs: 8,
      seed: 5,
      hyperParameters: { rollout: 16, minibatches: 4, epochs: 2, lambda: 0.9, normalize: false, gamma: 0.98 },
    });
    trainer.close();
  });

  it("refuses what cannot be, and every call after close", async () => {
    await expect(Trainer.create({ ...small, numEnvs: 6 })).rejects.toMatchObject({
      code: "bad-option",
      message: "numEnvs: 6 is no multiple of 4",
    });
    const wrong: Array<[options: object, code: string, message: string]> = [
      [{ hyperParameters: { gama: 1 } }, "bad-option", "gama: there is no such hyper-parameter"],
      [{ hyperParameters: { gamma: "much" } }, "bad-option", "gamma: "],
      [{ algorithm: "dqn" }, "bad-option", "option algorithm: unknown variant `dqn`"],
      [{ numEnv: 8 }, "bad-option", "option numEnv: unknown field `numEnv`"],
      [{ numEnvs: 1e9 }, "bad-option", "numEnvs: 1000000000 is above 1024"],
      [{ hyperParameters: { rollout: 2 ** 30 } }, "bad-option", "rollout: 1073741824 is above 16384"],
      [{ options: { preset: "nope" } }, "bad-option", 'there is no preset "nope"'],
      [{ options: { ...small.options, seed: 3 } }, "bad-option", "options.seed: 3 would have no effect"],
      [{ options: { wrappers: [{ type: "SkipFrames", n: "4" }] } }, "bad-option", "option options.wrappers[0].n: "],
      [{ options: { game: { rom: "a", rules: 3 } } }, "bad-game", "game.rules: "],
    ];
    for (const [options, code, message] of wrong) {
      await expect(Trainer.create({ ...small, ...options })).rejects.toMatchObject({
        code,
        message: expect.stringContaining(message),
      });
    }
    await expect(Trainer.create({ ...small, resume: new Uint8Array(9) })).rejects.toMatchObject({
      code: "bad-weights",
    });
    await expect(Trainer.create({ ...small, rom: rom.subarray(1) })).rejects.toMatchObject({ code: "bad-rom-size" });
    await expect(Trainer.create({ ...small, rom: rom.map((byte) => byte ^ 1) })).rejects.toMatchObject({
      code: "unknown-rom",
    });
    const seed = Number.MAX_SAFE_INTEGER;
    await expect(Trainer.create({ ...small, seed })).rejects.toMatchObject({ code: "bad-option" });
    const trainer = await Trainer.create(small);
    trainer.close();
    trainer.close();
    expect(() => trainer.weights()).toThrowError(expect.objectContaining({ code: "closed" }));
    await expect(trainer.update()).rejects.toMatchObject({ code: "closed" });
  });

  it("refuses a game without rewards, and a checkpoint whose game's state is damaged", async () => {
    const game = { rom: "still" } as const;
    await expect(Trainer.create({ ...small, options: { ...small.options, game } })).rejects.toMatchObject({
      code: "bad-game",
      message: expect.stringContaining("still has no rule for rewards"),
    });
    const trainer = await Trainer.create(small);
    const checkpoint = await trainer.checkpoint();
    trainer.close();
    // The games come last.
    checkpoint.fill(0xff, -40);
    await expect(Trainer.create({ ...small, resume: checkpoint })).rejects.toMatchObject({
      code: "bad-weights",
      message: expect.stringContaining("it is damaged"),
    });
    await expect(Trainer.create({ ...small, resume: resealed(checkpoint) })).rejects.toMatchObject({
      code: "bad-saved-state",
    });
  });

  it("refuses files with numbers that JavaScript does not have, and weights in place of a checkpoint", async () => {
    const trainer = await Trainer.create(small);
    const [weights, checkpoint] = [trainer.weights(), await trainer.checkpoint()];
    trainer.close();
    const greatest = String(2n ** 63n);
    const changed = (file: Uint8Array, name: string) =>
      withHeader(file, (header) => header.replace(new RegExp(`(${name}\\\\":)\\d+`), `$1${greatest}`));
    const cases = [
      [changed(checkpoint, "updates"), `its updates are ${greatest}`],
      [changed(checkpoint, "anneal_steps"), greatest],
      [weights, "it has weights alone"],
    ] as const;
    for (const [resume, message] of cases) {
      await expect(Trainer.create({ ...small, resume })).rejects.toMatchObject({
        code: "bad-weights",
        message: expect.stringContaining(message),
      });
    }
    const policy = await Policy.load(changed(weights, "anneal_steps"));
    const refusal = expect.objectContaining({ code: "bad-weights", message: expect.stringContaining(greatest) });
    expect(() => policy.origin).toThrowError(refusal);
    expect(policy.act(new Uint8Array(4 * 28 * 28), { shape: SHAPE }).logits.length).toBe(4);
    policy.close();
  });

  it("closes each game that it has opened", async () => {
    const [opened, closed] = [vi.spyOn(Lane, "openHere"), vi.spyOn(Lane.prototype, "close")];
    const trainer = await Trainer.create(small);
    expect(opened.mock.calls.length).toBe(closed.mock.calls.length + 8);
    const policy = await Policy.load(trainer.weights());
    await policy.environment(rom);
    trainer.close();
    policy.close();
    expect(closed.mock.calls.length).toBe(opened.mock.calls.length);
  });

  it("gives no environment for another game than that of the weights", async () => {
    const text = readFileSync(new URL("../../../crates/arcade/games/wallop.toml", import.meta.url), "utf8");
    const { md5: _, ...game } = parseDefinition(text);
    const trainer = await Trainer.create({ ...small, options: { ...small.options, game } });
    const policy = await Policy.load(trainer.weights());
    trainer.close();
    const other = Uint8Array.from(rom, (byte, at) => (at === 0 ? ~byte : byte));
    const message = expect.stringMatching(/the weights are of game wallop \(\w{32}\), not of wallop \(\w{32}\)/);
    await expect(policy.environment(other)).rejects.toMatchObject({ code: "bad-weights", message });
    expect((await policy.environment(rom)).game).toMatchObject(game);
    policy.close();
  });

  it("ends the iteration that a stop was for, also before its first update, and no other", async () => {
    const trainer = await Trainer.create(small);
    const iterated = async () => {
      const numbers: number[] = [];
      for await (const { update } of trainer) {
        numbers.push(update);
        trainer.stop();
      }
      return numbers;
    };
    const iterator = trainer[Symbol.asyncIterator]();
    trainer.stop();
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    expect(await iterated()).toEqual([1]);
    trainer.stop();
    expect(await iterated()).toEqual([]);
    const broken: number[] = [];
    for await (const { update } of trainer) {
      broken.push(update);
      trainer.stop();
      break;
    }
    expect([...broken, ...(await iterated())]).toEqual([2, 3]);
    trainer.close();
  });

  it("answers calls in their order, also during an update", async () => {
    const trainer = await Trainer.create(small);
    const [first, checkpoint, second] = await Promise.all([trainer.update(), trainer.checkpoint(), trainer.update()]);
    trainer.close();
    expect([first.update, second.update]).toEqual([1, 2]);
    const resumed = await Trainer.create({ rom, workers: 0, resume: checkpoint });
    expect((await resumed.update()).weights).toBe(second.weights);
    resumed.close();
  });

  it("gives files and steps of the last whole update during the next one", async () => {
    const trainer = await Trainer.create(small);
    await trainer.update();
    const told = () => [digest(trainer.weights()), digest(trainer.onnx()), trainer.steps];
    const before = told();
    const { apply } = WasmLearner.prototype;
    const during: unknown[] = [];
    vi.spyOn(WasmLearner.prototype, "apply").mockImplementation(function (this: WasmLearner, ...args) {
      apply.apply(this, args);
      during.push(told());
    });
    await trainer.update();
    expect(during).toEqual(Array(8).fill(before));
    expect(told()).not.toEqual(before);
    trainer.close();
  });

  it("rejects what is pending when it is closed", async () => {
    const trainer = await Trainer.create(small);
    await trainer.update();
    const pending = [trainer.update(), trainer.update(), trainer.checkpoint(), trainer.games()];
    await Promise.resolve();
    trainer.close();
    for (const result of await Promise.allSettled(pending)) {
      expect(result).toMatchObject({ status: "rejected", reason: { name: "Gym2600Error", code: "closed" } });
    }
  });

  it("leaves the caller's thread in a long update, so that it can be closed", async () => {
    const trainer = await Trainer.create({
      ...small,
      hyperParameters: { rollout: 128, minibatches: 128, epochs: 1000 },
    });
    const pending = trainer.update();
    const closing = new Promise<void>((later) => setTimeout(later, 50)).then(() => trainer.close());
    await expect(pending).rejects.toMatchObject({ code: "closed" });
    await closing;
  });

  it("stops at a loss that is no number, names the update and keeps the last good checkpoint", async () => {
    const hyperParameters = { ...small.hyperParameters, learning_rate: 1e38, gradient_norm: 1e38 };
    const trainer = await Trainer.create({ ...small, hyperParameters });
    const before = trainer.weights();
    const reason = { name: "Gym2600Error", code: "not-finite", message: expect.stringContaining("update 1") };
    await expect(trainer.update()).rejects.toMatchObject(reason);
    await expect(trainer.update()).rejects.toMatchObject(reason);
    const kept = await trainer.checkpoint();
    trainer.close();
    const resumed = await Trainer.create({ rom, workers: 0, resume: kept });
    expect(resumed.weights()).toEqual(before);
    expect(resumed.steps).toBe(0);
    resumed.close();
  });

  it("gives weights that a policy plays with", async () => {
    const trainer = await Trainer.create(small);
    await trainer.update();
    const policy = await Policy.load(trainer.weights());
    trainer.close();
    expect(policy.origin).toMatchObject({ algorithm: "ppo", input: [28, 28, 4], game: "wallop", seed: 5 });
    expect(policy.origin?.hyperParameters).toMatchObject({ rollout: 16, minibatches: 4, gamma: 0.98 });
    const observation = new Uint8Array(4 * 28 * 28).fill(9);
    const { action, logits, probabilities, value } = policy.act(observation, { shape: SHAPE, seed: 1 });
    const powers = Array.from(logits, Math.exp);
    const sum = powers.reduce((sum, power) => sum + power);
    expect(probabilities.length).toBe(logits.length);
    for (const [number, power] of powers.entries()) expect(probabilities[number]).toBeCloseTo(power / sum, 6);
    expect(action).toBeLessThan(probabilities.length);
    expect(value).toBeTypeOf("number");
    const refusal = { code: "bad-option", message: expect.stringMatching(/4 x 28 x 28 bytes, .* not 3:/) };
    expect(() => policy.act(new Uint8Array(3), { shape: [3] })).toThrowError(expect.objectContaining(refusal));
  });

  it("gives a policy that refuses observations of another shape", async () => {
    const trainer = await Trainer.create(small);
    const policy = await Policy.load(trainer.weights());
    trainer.close();
    const refusal = (shape: string) =>
      expect.objectContaining({
        code: "bad-option",
        message: expect.stringMatching(new RegExp(`4 x 28 x 28 bytes, .* not ${shape}: policy.environment\\(rom\\)`)),
      });
    const last = small.options?.wrappers?.map((wrapper) =>
      typeof wrapper === "object" && wrapper.type === "QueueFrames" ? { ...wrapper, axis: "last" as const } : wrapper,
    );
    const game = await Game.create({ rom, wrappers: last });
    const { observation } = game.reset();
    const { shape } = game.observationSpace;
    expect(() => policy.act(observation, { shape })).toThrowError(refusal("28 x 28 x 4"));
    const envs = await VectorEnv.create({ rom, wrappers: last, numEnvs: 3, workers: 0 });
    const { observations } = await envs.reset();
    const one = observations.slice(0, observations.length / 3);
    expect(() => policy.act(one, { shape: envs.singleObservationSpace.shape })).toThrowError(refusal("28 x 28 x 4"));
    await envs.close();
    for (const wrong of [undefined, [-1], [1.5], ["4"], 4, Array(99).fill(1)]) {
      expect(() => policy.act(observation, { shape: wrong as number[] })).toThrowError(
        expect.objectContaining({ code: "bad-option", message: expect.stringContaining("shape") }),
      );
    }
    game.close();
    const fitting = await Game.create({ rom, ...(await policy.environment(rom)) });
    const first = fitting.reset().observation;
    expect(policy.act(first, { shape: fitting.observationSpace.shape })).toEqual(policy.act(first, { shape: SHAPE }));
    fitting.close();
    policy.close();
  });
});
