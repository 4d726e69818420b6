/** The package's tools refuse what throws when it is read, and take arrays for what they are. */

import { Arcade, Box, benchmark, checkEnv, Discrete, Game, init, RamGame, VectorEnv, wallop } from "gym2600";
import { init as initLearner } from "gym2600/learn";
import { GifWriter, npy, parseReplay, Recorder, verifyReplay } from "gym2600/record";
import { locateError } from "gym2600/toml";
import { expect, test } from "vitest";
import { codeOf, wrong } from "./code-of.js";
import { digest } from "./digest.js";
import { opened } from "./opened.js";

const { proxy: revoked, revoke } = Proxy.revocable([], {});
revoke();

/** An array of two bytes that says it has as many as these. */
function lying(length: number): Uint8Array {
  return Object.defineProperty(new Uint8Array(2), "length", { value: length });
}

test("pictures and arrays of files are taken for what they are", async () => {
  const gif = new GifWriter();
  for (const data of [revoked, new Proxy(new Uint8Array(4), {}), Object.create(Uint8Array.prototype), lying(4)]) {
    expect(await codeOf(() => gif.add(wrong({ width: 1, height: 1, data })))).toBe("bad-buffer");
    expect(await codeOf(() => npy(wrong({ shape: [4], data })))).toBe("bad-option");
  }
  expect(await codeOf(() => gif.finish())).toBe("bad-state");
  expect(await codeOf(() => npy(wrong({ shape: revoked, data: new Uint8Array(2) })))).toBe("bad-option");
  expect(digest(npy({ shape: [2], data: lying(9) }))).toBe(digest(npy({ shape: [2], data: new Uint8Array(2) })));
});

test("a step that fails is not in the recording", async () => {
  const game = opened(await Game.create({ rom: wallop }));
  let fails = false;
  const broken = {
    description: game.description,
    reset: game.reset.bind(game),
    step: (action: number) => (fails ? wrong(null) : game.step(action)),
  };
  const recorder = new Recorder(broken, { arrays: true });
  recorder.reset({ seed: 1 });
  recorder.step(0);
  fails = true;
  expect(await codeOf(() => recorder.step(0))).toBe("bad-option");
  const replay = parseReplay(recorder.replay());
  expect(replay.runs[0]?.actions).toEqual([0]);
  expect(recorder.arrays().actions.shape).toEqual([1]);
});

test("a replay is read once, and a game may throw anything", async () => {
  const recorder = new Recorder(opened(await Game.create({ rom: wallop })));
  recorder.reset({ seed: 1 });
  recorder.step(0);
  const replay = recorder.replay();
  let reads = 0;
  const once = {
    ...replay,
    get runs() {
      if (reads++ > 0) throw new TypeError("from the getter");
      return replay.runs;
    },
  };
  expect(await verifyReplay(once, (options) => Game.create({ ...options, rom: wallop }))).toHaveLength(1);
  const game = await Game.create({ rom: wallop });
  const throwing = {
    description: game.description,
    reset() {
      throw null;
    },
    step: game.step.bind(game),
    close: () => game.close(),
  };
  expect(await codeOf(() => verifyReplay(replay, () => wrong(throwing)))).toBe(null);
});

test("a replay's list of nothing is refused at its first place", async () => {
  const recorder = new Recorder(opened(await Game.create({ rom: wallop })));
  recorder.reset({ seed: 1 });
  const replay = recorder.replay();
  for (const name of ["actions", "checksums", "paddleStrengths"]) {
    const runs = [{ ...replay.runs[0], [name]: new Array(2 ** 31) }];
    expect(() => parseReplay({ ...replay, runs })).toThrowError(`runs[0].${name}[0] has to be`);
  }
  expect(() => parseReplay({ ...replay, runs: new Array(2 ** 31) })).toThrowError("runs[0] has to be");
});

test("the numbers of an environment of one's own are checked before it is played", async () => {
  const flags = { terminated: [], truncated: [] };
  const env = {
    observationSpace: new Box([1], "uint8"),
    actionSpace: new Discrete(2),
    numEnvs: 0,
    reset: () => ({}),
    step: () => flags,
    close: () => undefined,
  };
  expect(await codeOf(() => benchmark(wrong(env), { steps: 3 }))).toBe("bad-option");
  expect(await codeOf(() => benchmark(wrong({ ...env, numEnvs: "2" }), { steps: 3 }))).toBe("bad-option");
  const single = { ...env, numEnvs: undefined, step: () => null };
  Reflect.deleteProperty(single, "numEnvs");
  expect(await codeOf(() => benchmark(wrong(single), { steps: 3 }))).toBe("bad-option");
  expect(await codeOf(() => benchmark(wrong({ ...single, description: {} }), { steps: 3 }))).toBe("bad-option");
  const odd = { reset: () => ({ observation: Object.assign(Object.create(null), { length: 1 }), info: {} }) };
  const refuses = () => Promise.reject(new Error("before the first reset"));
  expect(await codeOf(() => checkEnv(wrong({ ...single, ...odd, step: refuses })))).toBe("bad-env");
});

test("descriptions and the number of environments cannot be changed", async () => {
  const arcade = opened(await Arcade.create({ rom: wallop }));
  const envs = opened(await VectorEnv.create({ rom: wallop, numEnvs: 2, workers: 0 }));
  for (const { description } of [arcade, envs, opened(await Game.create({ rom: wallop }))]) {
    expect(() => Object.assign(description.screen, { width: 1 })).toThrowError(TypeError);
  }
  expect(() => Object.assign(envs, { numEnvs: 1e9 })).toThrowError(TypeError);
});

test("a method without its object harms no other game", async () => {
  const game = opened(await Game.create({ rom: wallop }));
  const arcade = opened(await Arcade.create({ rom: wallop }));
  const { clone } = arcade;
  expect(() => clone()).toThrowError(TypeError);
  game.reset();
  arcade.clone().close();
});

test("addresses and errors of any kind are refused or returned", async () => {
  for (const call of [init, initLearner]) {
    expect(await codeOf(() => call({ worker: wrong(revoked) }))).toBe("bad-option");
  }
  expect(locateError(revoked, "a = 1") === revoked).toBe(true);
  const game = opened(await Game.create({ rom: wallop }));
  expect(await codeOf(() => new RamGame(game, wrong(revoked)))).toBe("bad-option");
});
