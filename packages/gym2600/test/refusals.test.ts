/** Misuse gives a `Gym2600Error` with a fitting code, before anything has changed. No raw TypeError or DOMException leaves the package. */

import { readFileSync } from "node:fs";
import * as gym2600 from "gym2600";
import {
  Arcade,
  benchmark,
  checkEnv,
  EpisodeStatistics,
  Game,
  GameWorker,
  type Gym2600Error,
  init,
  MemoryWriter,
  RamGame,
  VectorEnv,
  wallop,
} from "gym2600";
import { Policy, Trainer } from "gym2600/learn";
import { GifWriter, Recorder, verifyReplay } from "gym2600/record";
import { TensorBoardWriter } from "gym2600/tensorboard";
import { expect, test } from "vitest";
import { moduleMemory } from "../../../tests/package/module-memory.js";
import { codeOf, wrong } from "./code-of.js";
import { digest } from "./digest.js";
import { opened } from "./opened.js";

function detached<T extends Uint8Array<ArrayBuffer>>(array: T): T {
  structuredClone(array.buffer, { transfer: [array.buffer] });
  return array;
}

test("a ROM that is detached, or that cannot be read, is a bad ROM", async () => {
  const broken = new Response(
    new ReadableStream({
      pull() {
        throw new TypeError("network");
      },
    }),
  );
  for (const rom of [detached(wallop.slice()), detached(wallop.slice()).buffer, broken, wrong(null)]) {
    for (const kind of [Game, GameWorker, Arcade]) expect(await codeOf(() => kind.create({ rom }))).toBe("bad-rom");
    expect(await codeOf(() => VectorEnv.create({ rom, numEnvs: 2 }))).toBe("bad-rom");
  }
});

/** A response with endless zeros, in parts of `bytes`; `cancelled` says whether it has been cancelled. */
function endless(headers: Record<string, string>, bytes: number): { rom: Response; cancelled: () => boolean } {
  let cancelled = false;
  const body = new ReadableStream({
    pull: (stream) => stream.enqueue(new Uint8Array(bytes)),
    cancel: () => {
      cancelled = true;
    },
  });
  return { rom: new Response(body, { headers }), cancelled: () => cancelled };
}

test("a ROM above a megabyte is refused before it is copied or read to its end", async () => {
  const huge = new Uint8Array(300_000_000);
  const unread = new Blob([new Uint8Array(1)]);
  Object.defineProperty(unread, "size", { value: 2 ** 40 });
  Object.defineProperty(unread, "arrayBuffer", { value: () => Promise.reject(new Error("it is read")) });
  const before = process.memoryUsage().arrayBuffers;
  for (const rom of [huge, huge.buffer, unread]) {
    for (const kind of [Game, GameWorker, Arcade])
      expect(await codeOf(() => kind.create({ rom }))).toBe("bad-rom-size");
    expect(await codeOf(() => VectorEnv.create({ rom, numEnvs: 2 }))).toBe("bad-rom-size");
  }
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100_000_000);
  for (const [headers, bytes] of [
    [{}, 1 << 16],
    [{ "content-length": "1000000000000" }, 1 << 16],
    [{}, 0],
  ] as const) {
    const { rom, cancelled } = endless(headers, bytes);
    expect(await codeOf(() => Game.create({ rom }))).toBe("bad-rom-size");
    expect(cancelled()).toBe(true);
  }
  const split = new Response(new Blob([wallop.slice(0, 100), wallop.slice(100)]));
  opened(await Game.create({ rom: split })).reset();
});

test("options of another type than object are bad options", async () => {
  for (const kind of [Game, GameWorker, Arcade, VectorEnv]) {
    for (const options of [undefined, null, 3])
      expect(await codeOf(() => kind.create(wrong(options)))).toBe("bad-option");
  }
  const game = opened(await Game.create({ rom: wallop }));
  expect(await codeOf(() => game.reset(wrong(null)))).toBe("bad-option");
  const worker = opened(await GameWorker.create({ rom: wallop }));
  expect(await codeOf(() => worker.reset(wrong(null)))).toBe("bad-option");
  expect(await codeOf(() => worker.step(0, wrong(null)))).toBe("bad-option");
  expect(await codeOf(() => init({ worker: wrong(3) }))).toBe("bad-option");
});

test("a constructor of what `create` makes is refused, and the error says so", async () => {
  for (const kind of [Game, GameWorker, Arcade, VectorEnv, Trainer, Policy]) {
    for (const options of [undefined, { rom: wallop }, wallop]) {
      expect(() => new (wrong(kind))(options)).toThrow(
        expect.objectContaining({
          name: "Gym2600Error",
          code: "bad-option",
          message: expect.stringMatching(/\bcreate\b/),
        }),
      );
    }
  }
});

test("unknown options of every call are bad options that name them", async () => {
  const game = opened(await Game.create({ rom: wallop }));
  const arcade = opened(await Arcade.create({ rom: wallop }));
  const worker = opened(await GameWorker.create({ rom: wallop }));
  const envs = opened(await VectorEnv.create({ rom: wallop, numEnvs: 1, workers: 0 }));
  const odd = wrong({ fps: 3 });
  const recorder = new Recorder(game);
  const calls: ReadonlyArray<() => unknown> = [
    () => init(odd),
    () => game.reset(odd),
    () => game.step(0, odd),
    () => arcade.act(0, odd),
    () => arcade.save(odd),
    () => worker.reset(odd),
    () => worker.step(0, odd),
    () => envs.reset(odd),
    () => envs.step([0], odd),
    () => envs.stepMany([[0]], odd),
    () => envs.recv(1, odd),
    () => new GifWriter(odd),
    () => new RamGame(game, odd),
    () => new Recorder(game, odd),
    () => recorder.reset(odd),
    () => recorder.step(0, odd),
    () => new EpisodeStatistics(wrong({ writer: new MemoryWriter(), fps: 3 })),
    () => checkEnv(game, odd),
    () => benchmark(game, odd),
  ];
  for (const call of calls) {
    const failure = await Promise.resolve()
      .then(call)
      .catch((error: unknown) => error);
    expect(failure, String(call)).toMatchObject({ code: "bad-option", message: expect.stringContaining("option fps") });
  }
});

test("incomplete games and results are refused with the argument", async () => {
  const game = opened(await Game.create({ rom: wallop, wrappers: [] }));
  const methods = { reset: () => ({}), step: () => ({}), close: () => {}, ram: () => {} };
  const { description } = game;
  const file = { format: "gym2600-replay", version: 1, md5: description.md5, options: {} };
  const replay = { ...file, runs: [{ seed: 1, actions: [], checksums: ["00000000"] }] };
  const { ram: _, ...ramless } = methods;
  const { close: __, ...closeless } = methods;
  const calls: ReadonlyArray<() => unknown> = [
    () => new RamGame(wrong({ ...methods, description: {} }), {}),
    () => new RamGame(wrong({ ...ramless, description }), {}),
    () => new Recorder(wrong({ ...methods, description: {} })),
    () => new Recorder(wrong({ ...methods, description })).reset({ seed: 1 }),
    () => verifyReplay(replay, () => wrong({ ...closeless, description })),
    () => verifyReplay(replay, () => wrong({ ...methods, description })),
    () => verifyReplay(replay, () => wrong(undefined)),
  ];
  for (const call of calls) {
    const failure = await Promise.resolve()
      .then(call)
      .catch((error: unknown) => error);
    expect(failure, String(call)).toMatchObject({ code: "bad-option", message: expect.stringMatching(/^game: /) });
  }
  const spaces = { observationSpace: game.observationSpace, actionSpace: game.actionSpace };
  const env = { ...methods, ...spaces, step: () => Promise.reject(new Error("no")) };
  expect(await codeOf(() => checkEnv(wrong({ ...env, numEnvs: "2" })))).toBe("bad-option");
  const lenient = { ...game.observationSpace, contains: () => true, sample: () => 0, seed: () => {}, toJSON: () => 0 };
  expect(await codeOf(() => checkEnv(wrong({ ...env, observationSpace: lenient })))).toBe("bad-env");
});

test("a mask has flags", async () => {
  const envs = opened(await VectorEnv.create({ rom: wallop, numEnvs: 2, workers: 0 }));
  for (const place of [2, "true", undefined, null, Number.NaN]) {
    expect(await codeOf(() => envs.reset({ mask: wrong([true, place]) }))).toBe("bad-option");
  }
  await envs.reset({ mask: [1, 1] });
});

test("a list of steps has a limit, which the error names", async () => {
  const envs = opened(await VectorEnv.create({ rom: wallop, numEnvs: 2, workers: 0 }));
  const many = Array.from({ length: 2_000_000 }, () => [0, 0]);
  const failure = await envs.stepMany(many, { observations: "last" }).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: "bad-option", message: expect.stringContaining("limit of 268435456") });
});

test("Node reads the module from data: addresses, in any case of letters", async () => {
  const bytes = readFileSync(new URL("../wasm/gym2600_wasm_bg.wasm", import.meta.url));
  await init({ wasm: `DATA:application/wasm;base64,${bytes.toString("base64")}` });
  opened(await Game.create({ rom: wallop }));
});

test("huge numbers of environments or workers are bad options", async () => {
  for (const many of [{ numEnvs: 1e9 }, { numEnvs: 1e9, workers: 0 }, { numEnvs: 2, workers: 1e9 }]) {
    expect(await codeOf(() => VectorEnv.create({ rom: wallop, ...many }))).toBe("bad-option");
  }
});

test("sparse and mistyped seeds are bad options", async () => {
  const sparse = [0, 1];
  delete sparse[0];
  for (const seed of [sparse, "01", null, [0, -1]]) {
    expect(await codeOf(() => VectorEnv.create({ rom: wallop, numEnvs: 2, seed: wrong(seed) }))).toBe("bad-option");
  }
});

test("only arrays of results can be recycled", async () => {
  const worker = opened(await GameWorker.create({ rom: wallop, preset: "labml" }));
  const envs = opened(await VectorEnv.create({ rom: wallop, preset: "labml", numEnvs: 2, workers: 0 }));
  const shared = new Uint8Array(new SharedArrayBuffer(4 * 84 * 84));
  for (const array of [shared, null, undefined, {}, detached(new Uint8Array(4 * 84 * 84))]) {
    expect(await codeOf(() => worker.recycle(wrong(array)))).toBe("bad-buffer");
    expect(await codeOf(() => envs.recycle(wrong(array)))).toBe("bad-buffer");
  }
});

test("results cannot be written to detached arrays or to other values", async () => {
  const game = opened(await Game.create({ rom: wallop, preset: "labml" }));
  const envs = opened(await VectorEnv.create({ rom: wallop, preset: "labml", numEnvs: 2, workers: 0 }));
  await envs.reset();
  game.reset();
  const before = digest(game.ram());
  for (const into of [detached(new Uint8Array(4 * 84 * 84)), null, {}, "text"]) {
    expect(await codeOf(() => game.step(0, { into: wrong(into) }))).toBe("bad-buffer");
    expect(await codeOf(() => game.render(wrong(into)))).toBe("bad-buffer");
    expect(await codeOf(() => game.ram(wrong(into)))).toBe("bad-buffer");
    expect(await codeOf(() => envs.step([0, 0], { into: wrong(into) }))).toBe("bad-buffer");
    expect(await codeOf(() => envs.recv(1, { into: wrong(into) }))).toBe("bad-buffer");
  }
  const { observations, rewards } = await envs.step([0, 0]);
  expect(await codeOf(() => envs.step([0, 0], { into: wrong({ observations, rewards }) }))).toBe("bad-buffer");
  expect(digest(game.ram())).toBe(before);
});

test("results that cannot be filled are bad buffers, and no step is taken", async () => {
  const envs = opened(await VectorEnv.create({ rom: wallop, preset: "labml", numEnvs: 2, workers: 0 }));
  await envs.reset();
  const result = await envs.step([0, 0]);
  const before = await envs.save(0);
  for (const part of [
    { infos: Object.freeze([...result.infos]) },
    { infos: Object.freeze(new Array(2)) },
    { rewards: "01" },
    { terminated: [0, 0] },
  ]) {
    expect(await codeOf(() => envs.step([0, 0], { into: wrong({ ...result, ...part }) }))).toBe("bad-buffer");
  }
  expect(digest(await envs.save(0))).toBe(digest(before));
});

test("actions of another type than a list are bad actions", async () => {
  const envs = opened(await VectorEnv.create({ rom: wallop, numEnvs: 2, workers: 0 }));
  await envs.reset();
  for (const call of [
    () => envs.step(wrong(null)),
    () => envs.send(wrong(undefined)),
    () => envs.stepMany(wrong(null)),
    () => envs.stepMany([wrong(null)]),
  ]) {
    expect(await codeOf(call)).toBe("bad-action");
  }
});

test("detached, huge or mistyped states are bad saved states, and are not copied first", async () => {
  const game = opened(await Game.create({ rom: wallop }));
  const worker = opened(await GameWorker.create({ rom: wallop }));
  const envs = opened(await VectorEnv.create({ rom: wallop, numEnvs: 1, workers: 1 }));
  const arcade = opened(await Arcade.create({ rom: wallop }));
  game.reset();
  const states = [detached(game.save()), new Uint8Array(100_000_000), null, "state", [1, 2]];
  const [copies, inside] = [process.memoryUsage().arrayBuffers, moduleMemory()];
  expect(inside).toBeGreaterThan(0);
  for (const state of states) {
    expect(await codeOf(() => game.restore(wrong(state)))).toBe("bad-saved-state");
    expect(await codeOf(() => arcade.restore(wrong(state)))).toBe("bad-saved-state");
    expect(await codeOf(() => worker.restore(wrong(state)))).toBe("bad-saved-state");
    expect(await codeOf(() => envs.restore(0, wrong(state)))).toBe("bad-saved-state");
  }
  expect(process.memoryUsage().arrayBuffers - copies).toBeLessThan(50_000_000);
  expect(moduleMemory() - inside).toBeLessThan(50_000_000);
});

test("other values than an OffscreenCanvas are refused as a canvas", async () => {
  for (const canvas of [null, {}, 3]) {
    expect(await codeOf(() => GameWorker.create({ rom: wallop, canvas: wrong(canvas) }))).toBe("bad-option");
    const canvases = wrong([canvas]);
    expect(await codeOf(() => VectorEnv.create({ rom: wallop, numEnvs: 1, canvases }))).toBe("bad-option");
  }
  const envs = opened(await VectorEnv.create({ rom: wallop, numEnvs: 1, workers: 0 }));
  expect(await codeOf(() => envs.setCanvas(0, wrong({})))).toBe("bad-option");
});

test("everything with close can be disposed", async () => {
  const classes = [...Object.values(gym2600), Trainer, TensorBoardWriter].filter((one) => typeof one === "function");
  const closed = classes.filter((one) => typeof one.prototype?.close === "function");
  expect(closed.length).toBeGreaterThan(5);
  for (const { name, prototype } of closed) {
    expect(typeof (prototype[Symbol.dispose] ?? prototype[Symbol.asyncDispose]), name).toBe("function");
  }

  const [game, arcade] = [await Game.create({ rom: wallop }), await Arcade.create({ rom: wallop })];
  const [worker, envs] = [
    await GameWorker.create({ rom: wallop }),
    await VectorEnv.create({ rom: wallop, numEnvs: 1 }),
  ];
  game[Symbol.dispose]();
  arcade[Symbol.dispose]();
  await worker[Symbol.asyncDispose]();
  await envs[Symbol.asyncDispose]();
  for (const call of [() => game.save(), () => arcade.save(), () => worker.save(), () => envs.save(0)]) {
    expect(await codeOf(call)).toBe("closed");
  }
});

test("lists and definitions can be changed once create has been called", async () => {
  const wrappers = [{ type: "SkipFrames", n: 4 }] as const;
  const seed = [3, 4];
  const creating = VectorEnv.create({ rom: wallop, numEnvs: 2, workers: 0, wrappers, seed });
  (wrappers as unknown as unknown[]).push({ type: "ClipReward" });
  seed[0] = 9;
  const envs = opened(await creating);
  expect(envs.description.spec.wrappers.map(({ type }) => type)).not.toContain("ClipReward");
  const twin = opened(
    await VectorEnv.create({
      rom: wallop,
      numEnvs: 2,
      workers: 0,
      wrappers: [{ type: "SkipFrames", n: 4 }],
      seed: [3, 4],
    }),
  );
  expect(digest((await envs.reset()).observations)).toBe(digest((await twin.reset()).observations));
});

test("a long value is named by its beginning", async () => {
  for (const rom of ["\0".repeat(1e8), "x".repeat(1000), new Array(1e6).fill(200)]) {
    const error = await Game.create({ rom: wrong(rom) }).catch((reason: Gym2600Error) => reason);
    expect(error).toMatchObject({ code: "bad-rom" });
    expect((error as Gym2600Error).message.length).toBeLessThan(600);
  }
  expect(await codeOf(() => new gym2600.MultiDiscrete(new Array(4e9)))).toBe("bad-space");
});

test("descriptions and the number of environments cannot be changed", async () => {
  const arcade = opened(await Arcade.create({ rom: wallop }));
  const envs = opened(await VectorEnv.create({ rom: wallop, numEnvs: 2, workers: 0 }));
  for (const { description } of [arcade, envs, opened(await Game.create({ rom: wallop }))]) {
    expect(() => Object.assign(description.screen, { width: 1 })).toThrowError(TypeError);
  }
  expect(() => Object.assign(envs, { numEnvs: 1e9 })).toThrowError(TypeError);
});

test("a file of weights or a checkpoint has a limit, and none is copied before it is refused", async () => {
  const run = { rom: wallop, numEnvs: 4, workers: 0 as const, hyperParameters: { rollout: 8, minibatches: 1 } };
  const trainer = opened(await Trainer.create(run));
  const huge = new Uint8Array(2 ** 29 + 1);
  const refused = { code: "bad-weights", message: expect.stringContaining("the limit is 536870912") };
  await expect(Policy.load(huge)).rejects.toMatchObject(refused);
  await expect(Trainer.create({ ...run, resume: huge })).rejects.toMatchObject(refused);
  expect(trainer.weights().length).toBeGreaterThan(1000);
  // The names of some hundred thousand tensors.
  const header = new Uint8Array(2 ** 24).fill(32);
  new DataView(header.buffer).setBigUint64(0, BigInt(header.length - 8), true);
  const message = expect.stringContaining("its header has 16777208 bytes; the limit is 1048576");
  await expect(Policy.load(header)).rejects.toMatchObject({ code: "bad-weights", message });
});
