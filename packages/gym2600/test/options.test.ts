/** Options are read once, within limits, and an error names the path of the value at fault. */

import { Arcade, Game, GameWorker, Gym2600Error, VectorEnv, wallop } from "gym2600";
import { expect, test } from "vitest";
import { HANG_MS } from "../../../tests/limits.js";

/** The code and the message of the error for options of a kind. */
async function refusal(
  kind: { create(options: never): Promise<unknown> },
  options: object,
): Promise<[unknown, string]> {
  const all = Object.defineProperties({ rom: wallop, numEnvs: 1 }, Object.getOwnPropertyDescriptors(options));
  if (kind !== VectorEnv) Reflect.deleteProperty(all, "numEnvs");
  const failure: unknown = await kind.create(all as never).catch((error: unknown) => error);
  expect(failure, JSON.stringify(Object.keys(options).slice(0, 3))).toBeInstanceOf(Gym2600Error);
  const { code, message } = failure as Gym2600Error;
  return [code, message];
}

const endless: { type: string; n?: unknown } = { type: "SkipFrames" };
endless.n = endless;

const shared = Array.from({ length: 100 }, () => ({ type: "ClipReward", to: "sign" }));

test("an error has its place and its reason as values, in this thread and from a worker", async () => {
  const cases: Array<[options: object, details: object]> = [
    [{ mode: 77 }, { option: "mode", path: "mode" }],
    [{ preset: "labmi" }, { option: "preset", path: "preset" }],
    [
      { wrappers: [{ type: "SkipFrames", n: "4" }] },
      { option: "wrappers", path: "wrappers[0].n", wrapper: "SkipFrames" },
    ],
    [{ wrappers: [{ type: "SkipFrames", n: 0 }] }, { option: "wrappers", path: "wrappers[0]", wrapper: "SkipFrames" }],
    [{ game: { rom: "a", picure: {} } }, { option: "game", path: "game.picure", unknownKey: true }],
    [
      { game: { rom: "a", rules: { frame: "a = 1\nb = x" } } },
      { option: "game", path: "game.rules.frame", line: 2, column: 5, reason: 'unknown variable "x"' },
    ],
  ];
  for (const [options, details] of cases) {
    for (const kind of [Game, GameWorker, VectorEnv]) {
      const ofBatch = kind === VectorEnv ? { numEnvs: 1, workers: 1 } : {};
      const made: Promise<unknown> = kind.create({ rom: wallop, ...options, ...ofBatch } as never);
      const failure = await made.catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(Gym2600Error);
      const error = failure as Gym2600Error;
      expect(error.details).toEqual({ ...details, reason: expect.any(String) });
      expect(error.message).toContain(error.details.reason);
    }
  }
});

test("a wrong option is named by its path", async () => {
  const cases: Array<[options: object, message: RegExp]> = [
    [{ sed: 1 }, /^option sed: unknown field `sed`, expected one of `preset`, /],
    [{ seed: -1 }, /^option seed: .*-1/],
    [{ seed: 1.5 }, /^option seed: .*1\.5/],
    [{ seed: "1" }, /^option seed: .*string "1"/],
    [{ mode: 2 ** 32 }, /^option mode: .*4294967296/],
    [{ soundObs: 1 }, /^option soundObs: .*expected a boolean/],
    [{ preset: 5 }, /^option preset: .*expected a string/],
    [{ preset: () => "labml" }, /^option preset: a function or a symbol is not plain data/],
    [{ preset: Symbol("labml") }, /^option preset: a function or a symbol is not plain data/],
    [{ seeding: "numpy" }, /^option seeding: unknown variant `numpy`/],
    [{ wrappers: 7 }, /^option wrappers: .*expected a sequence/],
    [{ wrappers: {} }, /^option wrappers: invalid type: map, expected a sequence/],
    [{ wrappers: [7] }, /^option wrappers\[0\]: .*expected a wrapper/],
    [{ wrappers: ["SkipFrame"] }, /^option wrappers\[0\]: unknown variant `SkipFrame`/],
    [{ wrappers: [{ n: 4 }] }, /^option wrappers\[0\]: missing field `type`/],
    [{ wrappers: [{ n: 4, type: "Skip" }] }, /^option wrappers\[0\]\.type: unknown variant `Skip`/],
    [{ wrappers: [{ type: 4 }] }, /^option wrappers\[0\]\.type: /],
    [{ wrappers: ["ClipReward", { type: "SkipFrames", frames: 4 }] }, /^option wrappers\[1\]\.frames: unknown field/],
    [{ wrappers: ["ClipReward", { n: "4", type: "SkipFrames" }] }, /^option wrappers\[1\]\.n: .*string "4"/],
    [{ wrappers: [{ type: "ImagePreprocessing", width: 84, height: {} }] }, /^option wrappers\[0\]\.height: .*map/],
    [{ wrappers: [{ type: "ScaledFloat", by: 4 }] }, /^option wrappers\[0\]\.by: unknown field/],
    [{ wrappers: [{ type: "QueueFrames", n: new Uint8Array(4) }] }, /^option wrappers\[0\]\.n: binary data/],
    [{ wrappers: [endless] }, /^option wrappers\[0\]\.n\.n\.[.n]*: nested in more than 8 levels/],
  ];
  for (const [options, message] of cases) {
    for (const kind of [Game, VectorEnv]) {
      // The vector reads its own seeds.
      if (kind === VectorEnv && "seed" in options) continue;
      const [code, text] = await refusal(kind, options);
      expect(text).toMatch(message);
      expect(code, text).toBe("bad-option");
    }
  }
  // What cannot be sent to a worker is named as well.
  expect(await refusal(GameWorker, { wrappers: [{ type: "SkipFrames", n: () => 4 }] })).toEqual([
    "bad-option",
    "option wrappers[0].n: a function or a symbol is not plain data",
  ]);
  expect(await refusal(Arcade, { frameskip: 4 })).toEqual([
    "bad-option",
    expect.stringMatching(/^option frameskip: unknown field/),
  ]);
});

test("huge options are refused within a second", async () => {
  const entries = Array.from({ length: 30_000 }, (_, index) => [`k${index}`, index]);
  const cases: Array<[options: object, message: RegExp]> = [
    [Object.fromEntries(entries), /^options: 3000\d entries: the limit is 10000 in all/],
    [{ wrappers: [Object.fromEntries([["type", "SkipFrames"], ...entries])] }, /^option wrappers\[0\]: 30001 entries/],
    [
      { wrappers: [Object.fromEntries([["type", "SkipFrames"], ...entries.slice(0, 9000)])] },
      /^option wrappers\[0\]\.k0: unknown/,
    ],
    [{ wrappers: new Array(20_000) }, /^option wrappers: 20000 entries/],
    [{ wrappers: Array.from({ length: 101 }, () => shared) }, /^option wrappers\[\d+\](\[\d+\])?: \d+ entries/],
    [{ preset: "a".repeat(1e7) }, /^option preset: a string of 10000000 characters: the limit is 262144 in all/],
    [
      { wrappers: Array.from({ length: 9 }, () => "a".repeat(30_000)) },
      /^option wrappers\[8\]: a string of 30000 characters/,
    ],
    [{ ["a".repeat(1e6)]: 1 }, /^options: a string of 1000000 characters/],
  ];
  const started = process.cpuUsage();
  for (const [options, message] of cases) {
    const [code, text] = await refusal(Game, options);
    expect(text.slice(0, 200)).toMatch(message);
    expect(code).toBe("bad-option");
  }
  // About 0.1 s; quadratic time in the keys would be minutes.
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(HANG_MS / 60);
});

test("a list that names one long text a thousand times costs no memory", async () => {
  const text = "a".repeat(1 << 22);
  const plain = { rom: "a", actions: { starting: Array.from({ length: 1000 }, () => text) } };
  const bare = Object.assign(Object.create(null), plain);
  class Definition {
    readonly rom = "a";
    readonly actions = plain.actions;
  }
  const before = process.memoryUsage.rss();
  for (const kind of [Game, Arcade, VectorEnv]) {
    const reason = "a string of 4194304 characters: the limit is 262144 in all";
    for (const game of [plain, bare, new Definition()]) {
      expect(await refusal(kind, { game })).toEqual(["bad-game", `game.actions.starting[0]: ${reason}`]);
      const path = "option wrappers[0].actions.starting[0]";
      expect(await refusal(kind, { wrappers: [game] })).toEqual(["bad-option", `${path}: ${reason}`]);
    }
  }
  expect((process.memoryUsage.rss() - before) / (1 << 20)).toBeLessThan(200);
});

test("what every object inherits is no option", async () => {
  Object.defineProperty(Object.prototype, "each", {
    value: () => undefined,
    enumerable: true,
    configurable: true,
    writable: true,
  });
  Object.defineProperty(Object.prototype, "into", {
    value: "inherited",
    enumerable: true,
    configurable: true,
    writable: true,
  });
  try {
    for (const kind of [Game, GameWorker]) {
      const env = await kind.create({ rom: wallop, wrappers: [{ type: "SkipFrames", n: 4 }] });
      await env.reset({ seed: 1 });
      expect(await env.step(0, { paddleStrength: 1 })).toMatchObject({ reward: 0 });
      await env.close();
    }
    const envs = await VectorEnv.create({ rom: wallop, numEnvs: 2, workers: 0 });
    await envs.reset();
    expect((await envs.step([0, 0])).rewards).toHaveLength(2);
    await envs.close();
  } finally {
    Reflect.deleteProperty(Object.prototype, "each");
    Reflect.deleteProperty(Object.prototype, "into");
  }
});

test("maps, sets and String objects are not plain data", async () => {
  const reason = "a Map, a Set or a String object, expected plain data";
  const text = new String("a".repeat(1e7));
  for (const kind of [Game, GameWorker, VectorEnv]) {
    expect(await refusal(kind, { game: new Map([["rom", "a"]]) })).toEqual(["bad-game", `game: ${reason}`]);
    expect(await refusal(kind, { game: { rom: text } })).toEqual(["bad-game", `game.rom: ${reason}`]);
    const wrappers = [new Set(["ClipReward"])];
    expect(await refusal(kind, { wrappers })).toEqual(["bad-option", `option wrappers[0]: ${reason}`]);
  }
});

test("options are an object, with a key __proto__ like any other", async () => {
  const bytes = new Uint8Array(1e8);
  for (const kind of [Game, Arcade, GameWorker, VectorEnv]) {
    for (const options of [bytes, Object.setPrototypeOf(bytes.slice(0, 1e7), null), new String("a".repeat(1e8)), []]) {
      await expect(kind.create(options as never)).rejects.toMatchObject({
        code: "bad-option",
        message: expect.stringContaining("an object with options is needed"),
      });
    }
    const options = JSON.parse('{"__proto__": {"nonsense": 1, "numEnvs": 3}}') as object;
    expect((await refusal(kind, options))[1]).toMatch(/^option __proto__: unknown field/);
  }
});

test("undefined is the same as left out", async () => {
  const wrappers = [{ type: "SkipFrames", n: undefined, shows: undefined } as const, "ClipReward" as const];
  const game = await Game.create({ rom: wallop, preset: undefined, seed: undefined, wrappers });
  const same = await Game.create({ rom: wallop, wrappers: ["SkipFrames", "ClipReward"] });
  expect(game.description).toEqual(same.description);
  game.close();
  same.close();
});
