import { Arcade, describe, Game, type GameOptions, Gym2600Error, wallop } from "gym2600";
import { afterEach, expect, test } from "vitest";
import { rom } from "../../../tests/package/support.js";
import { digest } from "./digest.js";

const open: Game[] = [];

async function create(options: Partial<GameOptions> = {}): Promise<Game> {
  const game = await Game.create({ rom: wallop, preset: "labml", seed: 0, ...options });
  open.push(game);
  return game;
}

afterEach(() => {
  for (const game of open.splice(0)) game.close();
});

test("samples of the action space differ from game to game, and repeat with a seed of the game", async () => {
  const drawn = ({ actionSpace }: Game): string => Array.from({ length: 100 }, () => actionSpace.sample()).join();
  const made = async (seed?: number): Promise<Game> => create({ seed });
  expect(drawn(await made())).not.toBe(drawn(await made()));
  expect(drawn(await made(5))).toBe(drawn(await made(5)));
  const game = await made();
  game.reset({ seed: 5 });
  expect(drawn(game)).toBe(drawn(await made(5)));
  game.reset();
  expect(drawn(game)).not.toBe(drawn(await made(5)));
});

test("actions are taken as frameworks give them, and others are named by their type", async () => {
  const game = await create();
  const reset = (): unknown => digest(game.reset({ seed: 2 }).observation);
  reset();
  const expected = digest(game.step(1).observation);
  for (const action of [1n, Int32Array.of(1), Uint8Array.of(1), Float32Array.of(1), BigInt64Array.of(1n)]) {
    reset();
    expect(digest(game.step(action).observation)).toBe(expected);
  }
  const wrong: ReadonlyArray<readonly [unknown, RegExp]> = [
    ["1", /of at least 0, not the string 1/],
    [[1], /not a list of 1/],
    [Int32Array.of(1, 2), /not a Int32Array of 8 bytes/],
    [true, /not the boolean true/],
    [undefined, /not undefined/],
    [null, /not null/],
    [9n, /action 9 is out of range/],
    [-1n, /of at least 0, not -1/],
  ];
  for (const [action, message] of wrong) {
    const refused = expect.objectContaining({ code: "bad-action", message: expect.stringMatching(message) });
    expect(() => game.step(action as number)).toThrowError(refused);
  }
});

test("an observation beside a preset leaves out the wrappers of pictures, and the description says so", async () => {
  for (const [observation, frame] of [
    ["ram", [128]],
    ["grey", [210, 160]],
    ["rgb", [210, 160, 3]],
  ] as const) {
    const game = await create({ preset: "gymnasium", observation });
    expect(game.description.leftOut).toEqual(["ImagePreprocessing", "ImagePreprocessing"]);
    expect(game.observationSpace.shape).toEqual([4, ...frame]);
    const { observation: first } = game.reset();
    const bytes = first.length / 4;
    const shown = { ram: () => game.ram(), grey: () => game.screenGrey(), rgb: () => game.screenRgb() }[observation]();
    expect(digest(first.slice(3 * bytes))).toBe(digest(shown));
  }
  expect((await create()).description.leftOut).toEqual([]);
});

test("the description of a game is plain data", async () => {
  const game = await create();
  expect(structuredClone(game.description)).toEqual(game.description);
  expect(game.description).toMatchObject({
    rom: "wallop",
    observation: { shape: [4, 84, 84], dtype: "uint8" },
    screen: { width: 160 },
    spec: { preset: "labml", game: "wallop" },
  });
  expect(game.actionSpace.n).toBe(game.description.actions.length);
  expect(game.observationSpace.shape).toEqual([4, 84, 84]);
});

test("the same seed and actions give the same results, and the picture changes", async () => {
  const [first, second] = [await create({ seed: 5 }), await create({ seed: 5 })];
  expect(digest(first.reset())).toEqual(digest(second.reset()));
  const pictures = new Set<string>();
  for (let step = 0; step < 100; step++) {
    const action = step % first.actionSpace.n;
    const result = first.step(action);
    expect(digest(second.step(action))).toEqual(digest(result));
    expect(first.observationSpace.contains(result.observation)).toBe(true);
    pictures.add(String(digest(result.observation)));
  }
  expect(pictures.size).toBeGreaterThan(10);
});

test("a reset without a seed continues the generators, and one with a seed restarts them", async () => {
  for (const preset of ["gymnasium", "nature-dqn", "envpool", "ale-vector"] as const) {
    const game = await create({ preset, seed: 3 });
    const resets = (seed?: number) =>
      [game.reset({ seed }), ...Array.from({ length: 5 }, () => game.reset())].map(digest);
    const first = resets();
    expect(new Set(first.map((result) => JSON.stringify(result))).size).toBeGreaterThan(1);
    expect(resets()).not.toEqual(first);
    expect(resets(3)).toEqual(first);
    expect(resets(4)).not.toEqual(first);
  }
});

test.for(["gym2600", "gymnasium", "ale-vector", "envpool", "baselines", "nature-dqn", "labml"] as const)(
  "the end of a game has its whole score, as the console's memory has it, with the preset %s",
  async (preset) => {
    const game = await create({ preset, autoreset: "disabled" });
    game.reset({ seed: 7 });
    game.actionSpace.seed(1);
    for (let step = 1; step < 20_000; step++) {
      const { terminated, truncated, info } = game.step(game.actionSpace.sample());
      const ended = terminated || truncated;
      expect([info.realDone !== undefined, info.episode !== undefined]).toEqual([ended, info.realDone === true]);
      if (ended && !info.realDone) game.reset();
      if (info.episode === undefined) continue;
      // Two decimal digits in each byte.
      const [, , , high = 0, middle = 0, low = 0] = game.ram();
      const reward = Number(
        high.toString(16) + middle.toString(16).padStart(2, "0") + low.toString(16).padStart(2, "0"),
      );
      expect(info.episode).toEqual({ reward, length: step, frames: info.episodeFrameNumber });
      return;
    }
    expect.unreachable("no game ended");
  },
);

test("each step returns a new observation, or fills and returns the one passed as into", async () => {
  const game = await create();
  const { observation } = game.reset();
  const copy = observation.slice();
  const into = new Uint8Array(4 * 84 * 84);
  let result = game.step(0, { into });
  for (let step = 0; step < 20; step++) result = game.step(step % game.actionSpace.n, { into });
  expect(result.observation).toBe(into);
  expect(digest(observation)).toEqual(digest(copy));
  expect(digest(into)).not.toEqual(digest(copy));
});

test("the picture is opaque and has colours", async () => {
  const game = await create();
  game.reset();
  for (let step = 0; step < 10; step++) game.step(0);
  const picture = game.render();
  const { width, height } = game.description.screen;
  expect(picture).toMatchObject({ width, height, colorSpace: "srgb" });
  expect(picture.data.length).toBe(width * height * 4);
  expect(picture.data.every((value, index) => index % 4 !== 3 || value === 255)).toBe(true);
  expect(new Set(new Uint32Array(picture.data.buffer)).size).toBeGreaterThan(2);
  const into = { ...picture, data: new Uint8ClampedArray(picture.data.length) };
  expect(game.render(into)).toBe(into);
  expect(digest(into)).toEqual(digest(picture));
});

/** A game without wrappers and the console in it, in the same state. */
async function withArcade(name: string, seed = 0): Promise<[Game, Arcade]> {
  const game = await create({
    rom: rom(name),
    preset: undefined,
    wrappers: [],
    seed,
    seeding: "native",
    soundObs: true,
  });
  const arcade = await Arcade.create({ rom: rom(name), seed, repeatActionProbability: 0, soundObs: true });
  game.reset();
  arcade.resetGame();
  return [game, arcade];
}

test("RAM, screens, sound and frame numbers are those of the console", async () => {
  const [game, arcade] = await withArcade("space_invaders");
  for (let step = 0; step < 300; step++) {
    const action = step % game.actionSpace.n;
    const { info, reward } = game.step(action);
    const name = game.description.actions[action] ?? "NOOP";
    expect(reward).toBe(arcade.act(name));
    expect(info).toEqual({
      lives: arcade.lives,
      frameNumber: arcade.frameNumber,
      episodeFrameNumber: arcade.episodeFrameNumber,
    });
    expect(game.lastAction).toBe(name);
    expect(game.variables()).toEqual(arcade.variables());
    const [ours, theirs] = [game, arcade].map((console) =>
      digest([console.ram(), console.screen(), console.screenGrey(), console.screenRgb(), console.audio()]),
    );
    expect(ours).toEqual(theirs);
  }
  expect(arcade.episodeFrameNumber).toBe(300);
  expect(game.reset().info.episodeFrameNumber).toBe(0);
  const { description } = game;
  expect(description).toMatchObject(arcade.description);
  arcade.close();
});

test("the game uses written RAM until a reset with a seed", async () => {
  const game = await create({ rom: rom("breakout"), preset: undefined, wrappers: [], observation: "ram" });
  const twin = await create({ rom: rom("breakout"), preset: undefined, wrappers: [], observation: "ram" });
  // Also before the first reset, which starts from a new console.
  game.setRam(100, 77);
  expect(game.ram()[100]).toBe(77);
  expect(digest(game.reset())).toEqual(digest(twin.reset()));
  game.setRam(57, 2);
  const { observation, info } = game.step(0);
  expect([observation[57], info.lives]).toEqual([2, 2]);
  expect(digest(game.reset({ seed: 3 }))).toEqual(digest(twin.reset({ seed: 3 })));
  for (const [index, value] of [
    [128, 0],
    [0, 256],
    [0.5, 0],
    [-1, 0],
  ] as const) {
    expect(() => game.setRam(index, value)).toThrowError(expect.objectContaining({ code: "bad-option" }));
  }
});

test("switches that are not moved leave a game as it is, and its resets and states do not have them", async () => {
  const [game, twin] = [await create(), await create()];
  for (const one of [game, twin]) one.reset({ seed: 5 });
  game.setSwitches({ reset: true, leftDifficulty: "A" });
  expect(digest(game.save())).toEqual(digest(twin.save()));
  expect(digest(game.step(1))).not.toEqual(digest(twin.step(1)));
  // Where they were put they stay, in play alone.
  expect(digest(game.reset({ seed: 6 }))).toEqual(digest(twin.reset({ seed: 6 })));
  expect(digest(game.step(1))).not.toEqual(digest(twin.step(1)));
  game.setSwitches({});
  for (const one of [game, twin]) one.reset({ seed: 7 });
  for (let step = 0; step < 20; step++) expect(digest(game.step(step % 3))).toEqual(digest(twin.step(step % 3)));
});

test("the sound of a step covers all of its frames", async () => {
  const game = await create({ soundObs: true });
  game.reset();
  game.step(0);
  expect(game.audio().length).toBe(4 * 512);
  expect((await create()).audio().length).toBe(0);
});

test("truncateOnLossOfLife truncates an episode when a life is lost", async () => {
  const options = { rom: rom("breakout"), preset: undefined, wrappers: ["SkipFrames"] } as const;
  const game = await create({ ...options, truncateOnLossOfLife: true });
  expect(game.description.spec.truncateOnLossOfLife).toBe(true);
  game.reset();
  for (let step = 0; step < 1000; step++) {
    const { terminated, truncated, info } = game.step(step % 5 === 0 ? 1 : 0);
    expect(terminated).toBe(false);
    expect(truncated).toBe(info.lives === 4);
    if (truncated) return;
  }
  expect.unreachable("no life was lost");
});

test("a ROM may be bytes, a part of a buffer, a buffer, a blob or a response", async () => {
  const padded = new Uint8Array(wallop.length + 2);
  padded.set(wallop, 1);
  const sources = [
    padded.subarray(1, -1),
    wallop.slice().buffer,
    new Blob([wallop]),
    new Response(wallop.slice(), { status: 200 }),
  ];
  for (const rom of sources) expect((await create({ rom })).description.rom).toBe("wallop");
});

test("a refused ROM or option has a code and names the value", async () => {
  const unknown = wallop.slice();
  unknown[0] = (unknown[0] ?? 0) ^ 0xff;
  const endless: Record<string, unknown> = { type: "SkipFrames" };
  endless.n = endless;
  const cases: Array<[Partial<GameOptions>, string, RegExp]> = [
    [{ rom: new Uint8Array(0) }, "bad-rom-size", /empty|0 bytes/],
    [{ rom: new Uint8Array(3072) }, "bad-rom-size", /3072/],
    [{ rom: unknown }, "unknown-rom", /[0-9a-f]{32}/],
    [{ rom: "breakout.bin" as unknown as Uint8Array }, "bad-rom", /breakout\.bin/],
    [{ rom: undefined as unknown as Uint8Array }, "bad-rom", /undefined/],
    [{ rom: new Response("", { status: 404, statusText: "Not Found" }) }, "bad-rom", /404 Not Found/],
    [{ preset: "nope" as "labml" }, "bad-option", /nope/],
    [{ seed: -1 }, "bad-option", /-1/],
    [{ mode: 77 }, "bad-option", /77/],
    [{ repeatActionProbability: 2 }, "bad-option", /2/],
    [{ soundObs: 1 as unknown as boolean }, "bad-option", /option soundObs: .*1/],
    [{ sed: 1 } as unknown as Partial<GameOptions>, "bad-option", /sed/],
    [{ wrappers: [endless] } as unknown as Partial<GameOptions>, "bad-option", /wrappers/],
    [{ game: "title = " } as unknown as Partial<GameOptions>, "bad-game", /gym2600\/toml/],
  ];
  for (const [options, code, message] of cases) {
    const failure = await create(options).catch((error: unknown) => error);
    expect(failure, String(message)).toBeInstanceOf(Gym2600Error);
    expect(failure).toMatchObject({ code, message: expect.stringMatching(message) });
  }
});

test("a clipped reward comes with the raw one", async () => {
  const skip = { type: "SkipFrames", n: 60 } as const;
  const clipped = await create({ preset: undefined, wrappers: [skip, "ClipReward", "AutoReset"] });
  const raw = await create({ preset: undefined, wrappers: [skip, "AutoReset"] });
  clipped.reset();
  raw.reset();
  const points: number[] = [];
  for (let step = 0; step < 100 && points.length < 5; step++) {
    const [{ reward, rawReward }, same] = [clipped.step(step % 4), raw.step(step % 4)];
    expect([same.reward, same.rawReward]).toEqual([rawReward, rawReward]);
    expect(reward).toBe(Math.sign(rawReward));
    if (rawReward > 1) points.push(rawReward);
  }
  expect(points.length).toBeGreaterThan(0);
});

test("a paddle turns at any strength", async () => {
  const position = async (paddleStrength: number | undefined) => {
    const game = await create({ rom: rom("breakout"), preset: undefined, wrappers: [] });
    game.reset();
    for (let frame = 0; frame < 10; frame++) game.step(2, { paddleStrength });
    return game.ram()[72] ?? 0;
  };
  const [none, half, full] = [await position(0), await position(0.5), await position(1)];
  expect(none).toBeLessThan(half);
  expect(half).toBeLessThan(full);
  expect(await position(undefined)).toBe(full);
});

test("a refused step changes nothing", async () => {
  const [game, twin] = [await create(), await create()];
  expect(() => game.step(0)).toThrowError(expect.objectContaining({ code: "bad-state" }));
  game.reset();
  twin.reset();
  for (const action of [-1, game.actionSpace.n, 0.5, Number.NaN, "1" as unknown as number]) {
    expect(() => game.step(action)).toThrowError(expect.objectContaining({ code: "bad-action" }));
  }
  for (const paddleStrength of [-0.1, 1.1, Number.NaN, "1" as unknown as number]) {
    expect(() => game.step(0, { paddleStrength })).toThrowError(expect.objectContaining({ code: "bad-action" }));
  }
  expect(() => game.step(0, { into: new Uint8Array(3) })).toThrowError(expect.objectContaining({ code: "bad-buffer" }));
  expect(() => game.render({ ...game.render(), data: new Uint8ClampedArray(3) })).toThrowError(
    expect.objectContaining({ code: "bad-buffer" }),
  );
  expect(() => game.reset({ seed: 1.5 })).toThrowError(expect.objectContaining({ code: "bad-option" }));
  for (let step = 0; step < 5; step++) expect(digest(game.step(1))).toEqual(digest(twin.step(1)));
});

test("close may be called again, and all other calls are refused then", async () => {
  const game = await create();
  game.reset();
  game.close();
  game.close();
  const calls = [
    () => game.step(0),
    () => game.reset(),
    () => game.render(),
    () => game.ram(),
    () => game.setRam(0, 0),
    () => game.setSwitches({}),
    () => game.screen(),
    () => game.audio(),
    () => game.lastAction,
    () => game.save(),
  ];
  for (const call of calls) {
    expect(call).toThrowError(expect.objectContaining({ code: "closed" }));
  }
});

test("a description without a game is that of the game", async () => {
  for (const options of [
    { preset: "labml" },
    { preset: "gymnasium", seed: 3 },
    { wrappers: ["ClipReward"] },
    {},
  ] as const) {
    const game = await Game.create({ rom: wallop, ...options });
    expect(await describe({ rom: wallop, ...options })).toEqual(game.description);
    game.close();
  }
  await expect(describe({ rom: new Uint8Array(3072) })).rejects.toMatchObject({ code: "bad-rom-size" });
  await expect(describe({ rom: wallop, preset: "nope" as "labml" })).rejects.toMatchObject({ code: "bad-option" });
});
