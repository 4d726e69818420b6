/** Arguments that throw when they are read, or have no end, give a `Gym2600Error` before anything has changed. */

import {
  Box,
  EpisodeStatistics,
  Game,
  type GameDefinition,
  GameWorker,
  MemoryWriter,
  MultiDiscrete,
  play,
  VectorEnv,
  wallop,
} from "gym2600";
import { Policy, Trainer } from "gym2600/learn";
import { parseReplay } from "gym2600/record";
import { expect, test } from "vitest";
import { codeOf, wrong } from "./code-of.js";
import { digest } from "./digest.js";
import { opened } from "./opened.js";

test("arguments that throw when they are read are bad options, and nothing is played", async () => {
  const { proxy: revoked, revoke } = Proxy.revocable([], {});
  revoke();
  const throwing = {
    get into(): never {
      throw new RangeError("from the getter");
    },
  };
  // Reading the length of a proxy of an array of numbers throws.
  const lists = [wrong(revoked), new Proxy(new Uint8Array(2), {})];
  for (const workers of [0, 2]) {
    const envs = opened(await VectorEnv.create({ rom: wallop, preset: "labml", numEnvs: 2, workers }));
    await envs.reset();
    const before = digest(await envs.save(0));
    for (const list of lists) {
      for (const call of [
        () => envs.step(list),
        () => envs.stepMany([list]),
        () => envs.send(list),
        () => envs.send([0, 0], list),
        () => envs.sendReset(list),
        () => envs.reset({ mask: list }),
      ]) {
        expect(await codeOf(call)).toBe("bad-option");
      }
    }
    for (const options of [wrong(revoked), wrong(throwing)]) {
      for (const call of [
        () => envs.step([0, 0], options),
        () => envs.stepMany([[0, 0]], options),
        () => envs.reset(options),
        () => envs.recv(1, options),
        () => envs.reset({ seed: options === throwing ? revoked : 0, mask: wrong(revoked) }),
        () => envs.step([0, 0], { into: wrong(revoked) }),
      ]) {
        expect(await codeOf(call)).toBe("bad-option");
      }
    }
    expect(await codeOf(() => envs.stepMany(wrong(revoked)))).toBe("bad-option");
    const endless = Object.assign([[0, 9]], {
      *[Symbol.iterator]() {
        for (;;) yield [0, 0];
      },
    });
    expect(await codeOf(() => envs.stepMany(endless))).toBe("bad-action");
    expect(digest(await envs.save(0))).toBe(before);
  }
  const game = opened(await Game.create({ rom: wallop, preset: "labml" }));
  const worker = opened(await GameWorker.create({ rom: wallop, preset: "labml" }));
  for (const one of [game, worker]) {
    await one.reset();
    const before = digest(await one.save());
    expect(await codeOf(() => one.step(0, wrong(revoked)))).toBe("bad-option");
    expect(await codeOf(() => one.reset(wrong(revoked)))).toBe("bad-option");
    expect(digest(await one.save())).toBe(before);
  }
  expect(await codeOf(() => game.step(0, wrong(throwing)))).toBe("bad-option");
  expect(await codeOf(() => game.render(wrong(revoked)))).toBe("bad-option");
  expect(await codeOf(() => game.restore(wrong(revoked)))).toBe("bad-saved-state");
  expect(await codeOf(() => Policy.load(wrong(revoked)))).toBe("bad-weights");
  expect(await codeOf(() => parseReplay(wrong(revoked)))).toBe("bad-replay");
  const throwingCanvases = new Proxy([], {
    get() {
      throw new TypeError("from the trap");
    },
  });
  for (const canvases of [wrong(revoked), throwingCanvases]) {
    expect(await codeOf(() => VectorEnv.create({ rom: wallop, numEnvs: 1, canvases }))).toBe("bad-option");
  }
});

test("arrays that say of themselves what is not so are taken for what they are", async () => {
  const own = (array: Uint8Array<ArrayBuffer>, property: string, value: unknown) =>
    Object.defineProperty(array, property, { get: () => (typeof value === "function" ? value() : value) });
  const throws = () => {
    throw new TypeError("from the getter");
  };
  for (const workers of [0, 2]) {
    const envs = opened(await VectorEnv.create({ rom: wallop, preset: "labml", numEnvs: 2, workers }));
    await envs.reset();
    const size = 2 * envs.singleObservationSpace.size;
    const into = Object.assign(new Uint8Array(size), { subarray: throws, constructor: undefined });
    envs.send([0, 0]);
    const { observations } = await envs.recv(2, { into });
    expect(observations.buffer).toBe(into.buffer);
    const short = new Uint8Array(10);
    own(short, "byteLength", size);
    Object.defineProperty(short.buffer, "byteLength", { value: size });
    expect(await codeOf(() => envs.recycle(short))).toBe("bad-buffer");
    const whole = own(new Uint8Array(size), "byteLength", throws);
    envs.recycle(own(whole, "buffer", new ArrayBuffer(8)));
    for (let step = 0; step < 3; step++) expect(await codeOf(() => envs.step([0, 0]))).toBe("nothing");
  }
  const bytes = new Box([2], "uint8");
  expect(bytes.contains(Object.defineProperty(new Uint8Array(0), "length", { value: 2 }))).toBe(false);
  expect(bytes.contains(new Proxy(new Uint8Array(2), {}))).toBe(false);
  const game = opened(await Game.create({ rom: wallop, wrappers: [] }));
  let reads = 0;
  const { data, width, height } = game.render();
  const picture = {
    width,
    height,
    colorSpace: "srgb" as const,
    get data() {
      return reads++ === 0 ? data : throws();
    },
  };
  expect(await codeOf(() => game.render(wrong(picture)))).toBe("nothing");
  const huge = Object.defineProperty(new Uint8Array(2 ** 21), "byteLength", { value: 4096 });
  expect(await codeOf(() => Game.create({ rom: huge }))).toBe("bad-rom-size");
});

test("what the caller's functions throw may be anything", async () => {
  const { proxy: revoked, revoke } = Proxy.revocable({}, {});
  revoke();
  for (const thrown of [null, undefined, "text", Object.create(null), revoked, Symbol("s")]) {
    const options = {
      get preset(): never {
        throw thrown;
      },
    };
    expect(await codeOf(() => Game.create({ rom: wallop, ...wrong({}), game: wrong(options) }))).toBe("bad-game");
    expect(
      await codeOf(() =>
        Game.create(
          wrong(
            Object.defineProperty({ rom: wallop }, "preset", {
              enumerable: true,
              get: () => {
                throw thrown;
              },
            }),
          ),
        ),
      ),
    ).toBe("bad-option");
    const body = new ReadableStream({ pull: () => Promise.reject(thrown) });
    expect(await codeOf(() => Game.create({ rom: new Response(body) }))).toBe("bad-rom");
  }
});

test("spaces, statistics and players refuse what throws when it is read, and statistics stay as they were", async () => {
  const { proxy: revoked, revoke } = Proxy.revocable([], {});
  revoke();
  expect(await codeOf(() => new Box(wrong(revoked), "uint8"))).toBe("bad-space");
  expect(await codeOf(() => new MultiDiscrete(wrong(revoked)))).toBe("bad-space");
  expect(await codeOf(() => new MultiDiscrete([2]).contains(revoked))).toBe("bad-option");
  const writer = new MemoryWriter();
  const statistics = new EpisodeStatistics({ writer, numEnvs: 2 });
  const step = { rewards: [1, 1], terminated: [true, true], truncated: [false, false], infos: [{}, {}] };
  // The second environment's flag cannot be read, the first one's can.
  const broken = { ...step, terminated: [true, true] };
  Object.defineProperty(broken.terminated, 1, {
    get() {
      throw new TypeError("from the getter");
    },
  });
  for (const result of [wrong(revoked), { ...step, infos: revoked }, broken]) {
    expect(await codeOf(() => statistics.record(wrong(result)))).toBe("bad-option");
  }
  statistics.record(wrong(step));
  expect(writer.series.get("total_reward")).toEqual([{ step: 2, value: 1 }]);
  const game = opened(await Game.create({ rom: wallop, wrappers: [] }));
  expect(await codeOf(() => play(wrong(revoked), wrong({})))).toBe("bad-option");
  expect(await codeOf(() => play(game, wrong(revoked)))).toBe("bad-option");
  expect(await codeOf(() => play(game, wrong({ canvas: revoked })))).toBe("bad-option");
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

test("a definition may be a module, also where it crosses to a worker", async () => {
  const text = 'export const rom = "mine"; export const rules = { frame: "reward = 1" };';
  const game = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as GameDefinition;
  const vector = (options: { rom: typeof wallop; game: GameDefinition }) =>
    VectorEnv.create({ ...options, numEnvs: 2 });
  for (const create of [Game.create, GameWorker.create, vector]) {
    const env = await create({ rom: wallop, game });
    expect(env.description.rom).toBe("mine");
    await env.close();
  }
});
