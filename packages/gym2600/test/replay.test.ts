/** Replay files: what a recorder writes is verified anywhere, and every change is found. */

import { Game, type GameOptions, GameWorker, Gym2600Error, type PresetName, RamGame, VectorEnv, wallop } from "gym2600";
import { MAX_REPLAY_TEXT, parseReplay, Recorder, type Replay, verifyReplay } from "gym2600/record";
import { expect, test } from "vitest";
import { rom, seedOfTheDay, someActions } from "../../../tests/package/support.js";
import { codeOf, wrong } from "./code-of.js";
import { opened } from "./opened.js";

const SEED = seedOfTheDay();

/** Records three runs, of which the second goes on with the generators of the first. */
async function record(options: GameOptions, strength?: number): Promise<Replay> {
  const game = opened(await Game.create(options));
  const recorder = new Recorder(game, { game: options.game });
  for (const seed of [SEED, undefined, SEED + 1]) {
    recorder.reset({ seed });
    for (const action of someActions(150, game.actionSpace.n, SEED)) {
      const { terminated, truncated } = recorder.step(action, { paddleStrength: strength });
      if ((terminated || truncated) && !game.description.resetsItself) break;
    }
  }
  return JSON.parse(JSON.stringify(recorder.replay()));
}

/** The text of the error of a replay; undefined if it is verified. */
async function refusal(source: unknown, of = wallop): Promise<string | undefined> {
  try {
    await verifyReplay(source, (options) => Game.create({ ...options, rom: of }));
  } catch (error) {
    if (!(error instanceof Gym2600Error)) throw error;
    return error.code === "bad-replay" ? error.message : `${error.code}: ${error.message}`;
  }
  return undefined;
}

const PRESETS: readonly PresetName[] = [
  "gym2600",
  "labml",
  "nature-dqn",
  "gymnasium",
  "ale-vector",
  "envpool",
  "baselines",
];

test.for(PRESETS)("a recording of %s is verified in this thread and in a worker", async (preset) => {
  const replay = await record({ rom: wallop, preset });
  expect(replay.runs.map(({ seed }) => seed)).toEqual([SEED, undefined, SEED + 1]);
  const expected = replay.runs.map(({ actions }) => expect.objectContaining({ steps: actions.length }));
  for (const kind of [Game, GameWorker]) {
    const create = (options: object): Promise<Game | GameWorker> => kind.create({ ...options, rom: wallop });
    expect(await verifyReplay(replay, create)).toEqual(expected);
    expect(await verifyReplay(JSON.stringify(replay), create)).toEqual(expected);
  }
});

test("options, modes, a definition and the strength of paddles are part of a recording", async () => {
  const pong = rom("pong");
  const options = { wrappers: ["SkipFrames"], repeatActionProbability: 0.3, mode: 1, difficulty: 3 } as const;
  const replay = await record({ rom: pong, ...options });
  expect(replay.options).toMatchObject({ mode: 1, difficulty: 3 });
  expect(await refusal(replay, pong)).toBeUndefined();
  const breakout = rom("breakout");
  const slow = await record({ rom: breakout, wrappers: [] }, 0.5);
  expect(await refusal(slow, breakout)).toBeUndefined();
  const { paddleStrengths, ...quick } = slow.runs[0] as Replay["runs"][0];
  expect(new Set(paddleStrengths)).toEqual(new Set([0.5]));
  expect(await refusal({ ...slow, runs: [quick] }, breakout)).toMatch(/^runs\[0\]: step \d+ has checksum/);
  const unknown = wallop.slice();
  unknown[5] = (unknown[5] ?? 0) ^ 0xff;
  const game = { rom: "mine", rules: { frame: "lives = ram[0x82]", lives: "lives" } };
  const own = await record({ rom: unknown, wrappers: [], game });
  expect(await refusal(own, unknown)).toBeUndefined();
  expect(await refusal({ ...own, options: { wrappers: [] } }, unknown)).toContain("unknown-rom");
});

test("the moves of the console's switches are part of a recording, of a game, a worker and a lane", async () => {
  const [game, worker, envs] = await Promise.all([
    Game.create({ rom: wallop, wrappers: [] }),
    GameWorker.create({ rom: wallop, wrappers: [] }),
    VectorEnv.create({ rom: wallop, wrappers: [], numEnvs: 2 }),
  ]);
  for (const env of [game, worker, envs]) opened(env);
  const replays: Replay[] = [];
  for (const env of [game, worker]) {
    const recorder = new Recorder(env as Game);
    recorder.setSwitches({ leftDifficulty: "A" });
    recorder.reset({ seed: SEED });
    let last: unknown;
    for (let step = 1; step <= 40; step++) {
      if (step === 10) recorder.setSwitches({ leftDifficulty: "A", reset: true });
      if (step === 20) recorder.setSwitches({});
      last = recorder.step(step % 3);
    }
    recorder.setSwitches({ blackAndWhite: true });
    recorder.reset();
    recorder.setSwitches({});
    last = recorder.step(1);
    await last;
    replays.push(JSON.parse(JSON.stringify(recorder.replay())));
  }
  const [replay, ofWorker] = replays as [Replay, Replay];
  expect(ofWorker).toEqual(replay);
  expect(replay.runs.map(({ switches }) => switches)).toEqual([
    [{ step: 0, leftDifficulty: "A" }, { step: 10, leftDifficulty: "A", reset: true }, { step: 20 }],
    [{ step: 0, blackAndWhite: true }, { step: 1 }],
  ]);
  expect(await refusal(replay)).toBeUndefined();
  const runs = replay.runs.map(({ switches: _, ...run }) => run);
  expect(await refusal({ ...replay, runs })).toMatch(/^runs\[0\]: step \d+ has checksum/);

  const recorder = new Recorder(envs, { lane: 1 });
  await recorder.reset({ seed: SEED });
  await recorder.setSwitches(0, { reset: true });
  await recorder.step([1, 1]);
  await recorder.setSwitches(1, { select: true });
  await recorder.step([1, 1]);
  expect(recorder.replay().runs[0]?.switches).toEqual([{ step: 2, select: true }]);
  expect(await refusal(recorder.replay())).toBeUndefined();
});

test("a recording has the definition that its game was created with", async () => {
  const game = { rom: "mine", rules: { frame: "lives = ram[0x82]", lives: "lives", reward: "1" } };
  const created = opened(await Game.create({ rom: wallop, wrappers: [], game }));
  const recorder = new Recorder(created);
  recorder.reset({ seed: SEED });
  expect(recorder.step(1).reward).toBe(1);
  expect(new RamGame(created, {}).definition).toEqual(game);
  expect(recorder.replay().options.game).toEqual(game);
  expect(await refusal(JSON.stringify(recorder.replay()))).toBeUndefined();
});

test("every change of a recording is found, with its run and step", async () => {
  const replay = await record({ rom: wallop, wrappers: ["StickyActions", { type: "SkipFrames", n: 2 }] });
  const [first, ...others] = replay.runs as [Replay["runs"][0], ...Replay["runs"]];
  const changed = (run: object) => refusal({ ...replay, runs: [{ ...first, ...run }, ...others] });
  const swap = <T>(list: readonly T[], at: number, value: T) =>
    list.map((entry, index) => (index === at ? value : entry));
  expect(await refusal(replay)).toBeUndefined();
  expect(await changed({ checksums: swap(first.checksums, 7, "00000000") })).toMatch(
    /^runs\[0\]: step 7 has checksum [0-9a-f]{8}, in the replay 00000000$/,
  );
  expect(await changed({ seed: SEED + 5 })).toMatch(/^runs\[0\]: step \d+ has checksum/);
  expect(await changed({ actions: first.actions.map((action) => 3 - action) })).toMatch(
    /^runs\[0\]: step \d+ has checksum/,
  );
  expect(await changed({ actions: swap(first.actions, 4, 18) })).toMatch(
    /^runs\[0\]: step 5: action 18 is out of range/,
  );
  expect(await refusal(replay, rom("pong"))).toBe(
    "md5: the replay is of ROM 0d1ae6f25e0bc0ff058688d563a2ee2e, and this one is 60e0ea3cbe0913d39803477945e9e5ec",
  );
  expect(await refusal({ ...replay, options: { ...replay.options, observation: "grey" } })).toContain(
    "step 0 has checksum",
  );
});

test("a file that is no replay is refused with the key and the value", async () => {
  const replay = await record({ rom: wallop, wrappers: [] });
  const [run] = replay.runs as [Replay["runs"][0]];
  const cases: ReadonlyArray<readonly [source: unknown, message: string]> = [
    ["{", "the text is no JSON: "],
    [" ".repeat(MAX_REPLAY_TEXT + 1), "the text has 16777217 characters, and 16777216 are the most"],
    [
      { ...replay, options: Object.fromEntries(Array.from({ length: 1001 }, (_, key) => [`key${key}`, 1])) },
      "options has 1001 keys, and 1000 are the most",
    ],
    [
      { ...replay, options: { wrappers: new Array(2 ** 20) } },
      "option wrappers: 1048576 entries: the limit is 10000 in all",
    ],
    ["null", "replay has to be an object, not null"],
    [[replay], "replay has to be an object, not a list"],
    [{ ...replay, format: "gif" }, 'format has to be "gym2600-replay", not "gif"'],
    [{ ...replay, version: 2 }, "version has to be 1, not 2"],
    [{ ...replay, md5: "0D" }, 'md5 has to be 32 hexadecimal digits, not "0D"'],
    [{ ...replay, options: 5 }, "options has to be an object, not 5"],
    [{ ...replay, runs: [] }, "runs has to be a list of at least one run, not a list"],
    [{ ...replay, runs: [7] }, "runs[0] has to be an object, not 7"],
    [
      { ...replay, runs: [{ ...run, seed: undefined }] },
      "runs[0].seed has to be a whole number of at least 0, not undefined",
    ],
    [{ ...replay, runs: [run, { ...run, seed: -1 }] }, "runs[1].seed has to be a whole number of at least 0, not -1"],
    [{ ...replay, runs: [{ ...run, actions: "0" }] }, 'runs[0].actions has to be a list, not "0"'],
    [
      { ...replay, runs: [{ ...run, actions: [0.5] }] },
      "runs[0].actions[0] has to be a whole number of at least 0, not 0.5",
    ],
    [{ ...replay, runs: [{ ...run, actions: [] }] }, "runs[0].checksums has 151 entries, and 1 are needed"],
    [
      { ...replay, runs: [{ ...run, checksums: [9] }] },
      "runs[0].checksums[0] has to be eight hexadecimal digits, not 9",
    ],
    [
      { ...replay, runs: [{ ...run, paddleStrengths: [2] }] },
      "runs[0].paddleStrengths[0] has to be a number from 0 to 1, not 2",
    ],
    ...[
      7,
      { step: 151 },
      { step: -1 },
      { step: 0, select: 1 },
      { step: 0, leftDifficulty: "C" },
      { step: 0, fire: true },
      { step: 0, toString: true },
    ].map(
      (move) =>
        [
          { ...replay, runs: [{ ...run, switches: [move] }] },
          "runs[0].switches[0] has to be switches and their positions with a step of the run, 150 at most and above",
        ] as const,
    ),
    [
      { ...replay, runs: [{ ...run, switches: [{ step: 1 }, { step: 1 }] }] },
      "runs[0].switches[1] has to be switches and their positions with a step of the run",
    ],
    [{ ...replay, runs: [{ ...run, switches: {} }] }, "runs[0].switches has to be a list, not an object"],
  ];
  for (const [source, message] of cases) expect(await refusal(source)).toContain(message);
});

test("a recording begins with a seeded reset, and what the game refuses is not recorded", async () => {
  const game = opened(await Game.create({ rom: wallop, wrappers: [] }));
  const recorder = new Recorder(game);
  const codeOf = (call: () => unknown) => {
    try {
      return call();
    } catch (error) {
      return error instanceof Gym2600Error ? error.code : error;
    }
  };
  expect(codeOf(() => new Recorder(game, { game: 'rom = "wallop"' as never }))).toBe("bad-game");
  expect(codeOf(() => new Recorder(game, { game: 3 as never }))).toBe("bad-option");
  expect(codeOf(() => recorder.replay())).toBe("bad-state");
  expect(codeOf(() => recorder.step(0))).toBe("bad-state");
  expect(codeOf(() => recorder.reset())).toBe("bad-option");
  recorder.reset({ seed: 1 });
  expect(codeOf(() => recorder.step(99))).toBe("bad-action");
  expect(codeOf(() => recorder.reset({ seed: -1 }))).toBe("bad-option");
  expect(codeOf(() => recorder.arrays())).toBe("bad-state");
  recorder.step(0);
  expect(recorder.replay().runs).toEqual([
    { seed: 1, actions: [0], checksums: [expect.any(String), expect.any(String)] },
  ]);
});

test("a game in a worker is recorded, also where steps overlap", async () => {
  const worker = opened(await GameWorker.create({ rom: wallop, preset: "baselines" }));
  const recorder = new Recorder(worker, { arrays: true });
  await expect(worker.step(0)).rejects.toMatchObject({ code: "bad-state" });
  const reset = recorder.reset({ seed: SEED });
  const steps = [1, 2, 3, 1].map((action) => recorder.step(action));
  await Promise.all([reset, ...steps]);
  const { observation } = await recorder.step(2n);
  await expect(recorder.step(99)).rejects.toMatchObject({ code: "bad-action" });
  const { observations, actions } = recorder.arrays();
  expect(observations.data.slice(-observation.length)).toEqual(observation);
  expect(Array.from(actions.data as Int32Array)).toEqual([1, 2, 3, 1, 2]);
  expect(await refusal(JSON.stringify(recorder.replay()))).toBeUndefined();
});

test.for([
  ["gymnasium", "next-step"],
  ["ale-vector", "same-step"],
  ["labml", "disabled"],
] as const)("a lane of %s with the autoreset %s is recorded", async ([preset, autoreset]) => {
  const envs = opened(await VectorEnv.create({ rom: wallop, preset, autoreset, numEnvs: 3, workers: 2 }));
  const recorders = [0, 2].map((lane) => new Recorder(envs, { lane }));
  const [first, other] = recorders as [Recorder<VectorEnv>, Recorder<VectorEnv>];
  await first.reset({ seed: SEED });
  expect(await codeOf(() => other.step([0, 0, 0]))).toBe("bad-state");
  for (const action of someActions(300, 4, SEED)) {
    const { terminated, truncated } = await first.step([action, 1, Int32Array.of(action)]);
    const ended = terminated.map((flag, lane) => flag | (truncated[lane] as number));
    if (autoreset === "disabled" && ended.includes(1)) await first.reset({ mask: ended });
  }
  const replay = first.replay();
  expect(replay.runs[0]?.seed).toBe(SEED);
  expect(replay.runs.reduce((sum, { actions }) => sum + actions.length, 0)).toBe(300);
  expect(await refusal(JSON.stringify(replay))).toBeUndefined();
});

test("a recorder of a batch needs a lane of it, and that of a game has none", async () => {
  const envs = opened(await VectorEnv.create({ rom: wallop, numEnvs: 2, workers: 0 }));
  for (const lane of [undefined, -1, 2, 0.5]) {
    expect(await codeOf(() => new Recorder(envs, { lane }))).toBe("bad-option");
  }
  const game = opened(await Game.create({ rom: wallop }));
  expect(await codeOf(() => new Recorder(game, { lane: 0 }))).toBe("bad-option");
  const recorder = new Recorder(envs, { lane: 1 });
  await recorder.reset({ seed: [8, 9] });
  expect(recorder.replay().runs[0]?.seed).toBe(9);
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
