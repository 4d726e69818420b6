/** ALE's interface. tests/conformance compares it with ALE. */

import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { zipSync } from "fflate";
import {
  Arcade,
  type ArcadeOptions,
  actionNames,
  Game,
  GameWorker,
  Gym2600Error,
  games,
  type Picture,
  wallop,
} from "gym2600";
import { afterEach, expect, test } from "vitest";
import { rom, tallGame } from "../../../tests/package/support.js";
import { digest } from "./digest.js";

const open: Array<Arcade | Game> = [];

async function create(options: Partial<ArcadeOptions> = {}): Promise<Arcade> {
  const arcade = await Arcade.create({ rom: wallop, ...options });
  open.push(arcade);
  return arcade;
}

afterEach(() => {
  for (const console of open.splice(0)) console.close();
});

/** The values of all getters. */
function look(arcade: Arcade): unknown {
  const { lives, gameOver, gameTruncated, frameNumber, episodeFrameNumber, lastAction, mode, difficulty } = arcade;
  const numbers = { lives, gameOver, gameTruncated, frameNumber, episodeFrameNumber, lastAction, mode, difficulty };
  return digest({ ...numbers, ram: arcade.ram(), screen: arcade.screen(), audio: arcade.audio() });
}

function codeOf(call: () => unknown): string | undefined {
  try {
    call();
  } catch (error) {
    return error instanceof Gym2600Error ? error.code : String(error);
  }
  return undefined;
}

test("a description names actions, modes and difficulties, as plain data", async () => {
  const breakout = await create({ rom: rom("breakout") });
  expect(breakout.description).toEqual({
    rom: "breakout",
    md5: createHash("md5").update(rom("breakout")).digest("hex"),
    title: "Breakout",
    tv: "NTSC",
    screen: { width: 160, height: 210 },
    minimalActions: ["NOOP", "FIRE", "RIGHT", "LEFT"],
    legalActions: actionNames,
    modes: [0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44],
    difficulties: [0, 1],
    givesRewards: true,
    labels: ["reward", "score", "terminal", "lives", "started", "new"],
  });
  const klax = await create({ rom: rom("klax") });
  expect(klax.description).toMatchObject({ tv: "PAL", screen: { width: 160, height: 250 } });
});

test("a zip file stands for the ROM inside, for every class", async () => {
  const zipped = zipSync({ "read me.txt": wallop.subarray(0, 9), "WALLOP/Wallop.A26": wallop });
  const arcade = await create({ rom: zipped });
  expect(arcade.description.md5).toBe((await create()).description.md5);
  const worker = await GameWorker.create({ rom: new Blob([zipped]) });
  const game = await Game.create({ rom: wallop });
  open.push(game);
  expect((await worker.reset()).observation).toEqual(game.reset().observation);
  await worker.close();
});

test("the option mapper takes the place of the detection and of a definition", async () => {
  const bytes = Uint8Array.from({ length: 8192 }, (_, at) => at % 251);
  const game = { rom: "mine" };
  const [detected, named] = [await create({ rom: bytes, game }), await create({ rom: bytes, game, mapper: "3E" })];
  expect([detected, named].map((arcade) => arcade.save().length > 0)).toEqual([true, true]);
  // The RAM of 3E is a part of its states.
  expect(codeOf(() => detected.restore(named.save()))).toBe("bad-saved-state");
  const defined = await create({ rom: bytes, game: { ...game, mapper: "F8" }, mapper: "3E" });
  expect(look(defined)).toEqual(look(named));
});

test("a definition shows the whole picture of a game that draws above and below ALE's", async () => {
  const ale = await create({ rom: tallGame(), game: { rom: "tall" } });
  const whole = await create({ rom: tallGame(), game: { rom: "tall", picture: { whole: true } } });
  expect([ale, whole].map((arcade) => arcade.render().height)).toEqual([210, 230]);
  const picture = whole.screen();
  expect(new Set(picture)).toEqual(new Set([0x44]));
  const game = await Game.create({ rom: tallGame(), game: { rom: "tall", picture: { whole: true } } });
  open.push(game);
  game.reset();
  expect(game.render().height).toBe(230);
});

test("the catalogue has every game by its MD5", async () => {
  const catalogue = await games();
  const files = readdirSync(new URL("../../../crates/arcade/games", import.meta.url));
  expect(catalogue.map(({ rom }) => `${rom}.toml`)).toEqual(files.filter((file) => file.endsWith(".toml")).sort());
  expect(catalogue.find((entry) => entry.rom === "pong")).toEqual({
    rom: "pong",
    title: "Pong (Video Olympics)",
    envId: "ALE/Pong-v5",
    md5: "60e0ea3cbe0913d39803477945e9e5ec",
  });
  expect(catalogue.find((entry) => entry.rom === "combat")?.envId).toBeNull();
});

test("screen, screenGrey, screenRgb and render show the same picture", async () => {
  const arcade = await create({ rom: rom("seaquest") });
  for (let frame = 0; frame < 200; frame++) arcade.act(frame % 18);
  const { width, height } = arcade.description.screen;
  const [indices, grey, rgb, rgba] = [arcade.screen(), arcade.screenGrey(), arcade.screenRgb(), arcade.render().data];
  expect([indices.length, grey.length, rgb.length, rgba.length]).toEqual([1, 1, 3, 4].map((n) => n * width * height));
  const colours = new Map<number, string>();
  for (const [pixel, index] of indices.entries()) {
    const [red = 0, green = 0, blue = 0] = rgb.subarray(3 * pixel, 3 * pixel + 3);
    const colour = `${grey[pixel]} ${red} ${green} ${blue}`;
    if (!colours.has(index)) {
      colours.set(index, colour);
      expect([...rgba.subarray(4 * pixel, 4 * pixel + 4)]).toEqual([red, green, blue, 255]);
      // ALE's weights.
      expect(Math.abs((grey[pixel] ?? 0) - (0.2989 * red + 0.587 * green + 0.114 * blue))).toBeLessThan(1);
    } else if (colours.get(index) !== colour) expect.unreachable(`index ${index} has two colours`);
  }
  expect(colours.size).toBeGreaterThan(5);
});

test("an array passed as into is filled and returned", async () => {
  const arcade = await create({ rom: rom("pong") });
  for (let frame = 0; frame < 100; frame++) arcade.act("RIGHT");
  const bytes = 160 * 210;
  const ram = new Uint8Array(128);
  expect(arcade.ram(ram)).toBe(ram);
  expect(digest(ram)).toEqual(digest(arcade.ram()));
  for (const [way, size] of [
    ["screen", 1],
    ["screenGrey", 1],
    ["screenRgb", 3],
  ] as const) {
    const into = new Uint8Array(size * bytes);
    expect(arcade[way](into)).toBe(into);
    expect(digest(into)).toEqual(digest(arcade[way]()));
    expect(codeOf(() => arcade[way](new Uint8Array(size * bytes - 1)))).toBe("bad-buffer");
  }
  expect(codeOf(() => arcade.ram(new Uint8Array(127)))).toBe("bad-buffer");
  expect(codeOf(() => arcade.ram(new Float32Array(128) as unknown as Uint8Array<ArrayBuffer>))).toBe("bad-buffer");
  expect(codeOf(() => arcade.render(null as unknown as Picture))).toBe("bad-buffer");
});

test("lastAction is the executed action: played without sticky actions it gives the same game", async () => {
  const sticky = await create({ rom: rom("breakout"), seed: 5, repeatActionProbability: 0.5 });
  const plain = await create({ rom: rom("breakout"), seed: 6, repeatActionProbability: 0 });
  let stuck = 0;
  for (let frame = 0; frame < 600; frame++) {
    const wanted = actionNames[(frame * 7) % 18] ?? "NOOP";
    sticky.act(wanted);
    if (sticky.lastAction !== wanted) stuck += 1;
    plain.act(sticky.lastAction);
    expect(digest(plain.ram())).toEqual(digest(sticky.ram()));
  }
  expect(stuck).toBeGreaterThan(200);
  expect(stuck).toBeLessThan(400);
});

test("an action is a name or a number, and a paddle turns at any strength", async () => {
  const [named, numbered, still] = [await create(), await create(), await create()];
  for (let frame = 0; frame < 100; frame++) {
    const number = frame % 18;
    named.act(actionNames[number] ?? "NOOP");
    // As frameworks give actions.
    numbered.act([number, BigInt(number), Int32Array.of(number)][number % 3] ?? 0);
    still.act(number, { paddleStrength: 1 });
  }
  expect(look(named)).toEqual(look(numbered));
  expect(look(named)).toEqual(look(still));
  const paddle = async (paddleStrength: number) => {
    const arcade = await create({ rom: rom("breakout"), repeatActionProbability: 0 });
    for (let frame = 0; frame < 10; frame++) arcade.act("RIGHT", { paddleStrength });
    return arcade.ram()[72] ?? 0;
  };
  const [none, half, full] = [await paddle(0), await paddle(0.5), await paddle(1)];
  expect(none).toBeLessThan(half);
  expect(half).toBeLessThan(full);
});

test("setRam writes a byte of RAM, and the game uses it", async () => {
  const arcade = await create({ rom: rom("breakout"), repeatActionProbability: 0 });
  expect(arcade.lives).toBe(5);
  arcade.setRam(57, 2);
  expect(arcade.ram()[57]).toBe(2);
  arcade.act("NOOP");
  expect(arcade.lives).toBe(2);
});

test("the console's switches count in every act, and in no reset", async () => {
  const create1 = () => create({ repeatActionProbability: 0 });
  const [plain, difficult, switched] = [await create1(), await create1(), await create1()];
  const play = (arcade: Arcade) => {
    for (let frame = 0; frame < 60; frame++) arcade.act(frame % 3);
    return digest(arcade.ram());
  };
  // The left switch at A makes WALLOP's bat small, as its difficulty 1 does.
  difficult.setDifficulty(1);
  switched.setSwitches({ leftDifficulty: "A" });
  const expected = play(difficult);
  expect(play(switched)).toBe(expected);
  expect(play(plain)).not.toBe(expected);
  // A switch that is left out is not touched.
  const variant = (arcade: Arcade) => arcade.ram()[1];
  const before = variant(switched) ?? 0;
  switched.setSwitches({ select: true, leftDifficulty: undefined, rightDifficulty: null, blackAndWhite: true });
  for (let frame = 0; frame < 3; frame++) switched.act("NOOP");
  expect(variant(switched)).toBe(before + 1);
  const untouched = switched.clone();
  open.push(untouched);
  untouched.setSwitches({});
  for (const arcade of [untouched, switched]) arcade.resetGame();
  expect(digest(switched.ram())).toBe(digest(untouched.ram()));
  for (const wrong of [{ select: 1 }, { leftDifficulty: "C" }, { fire: true }, "RESET", null]) {
    expect(
      codeOf(() => switched.setSwitches(wrong as object)),
      JSON.stringify(wrong),
    ).toBe("bad-option");
  }
});

test("an episode is truncated by its length or a lost life", async () => {
  const limited = await create({ maxNumFramesPerEpisode: 20 });
  limited.resetGame();
  const start = limited.episodeFrameNumber;
  for (let frame = start; frame < 20; frame++) limited.act("NOOP");
  expect([limited.gameTruncated, limited.gameOver, limited.episodeFrameNumber]).toEqual([true, false, 20]);
  limited.act("FIRE");
  expect(limited.episodeFrameNumber).toBe(20);
  const mortal = await create({ rom: rom("breakout"), truncateOnLossOfLife: true, repeatActionProbability: 0 });
  mortal.resetGame();
  for (let frame = 0; frame < 3000 && !mortal.gameTruncated; frame++) mortal.act(frame % 20 === 0 ? "FIRE" : "NOOP");
  expect([mortal.gameTruncated, mortal.gameOver, mortal.lives]).toEqual([true, false, 4]);
});

test("there is sound only with soundObs", async () => {
  const loud = await create({ rom: rom("space_invaders"), soundObs: true });
  const heard = new Set<number>();
  for (let frame = 0; frame < 300; frame++) {
    loud.act("FIRE");
    for (const sample of loud.audio()) heard.add(sample);
  }
  expect(loud.audio().length).toBe(512);
  expect(heard.size).toBeGreaterThan(3);
  expect((await create()).audio().length).toBe(0);
});

test("modes and difficulties can be set, and others are refused", async () => {
  const arcade = await create({ rom: rom("space_invaders"), mode: 3, difficulty: 1 });
  expect([arcade.mode, arcade.difficulty]).toEqual([3, 1]);
  const before = look(arcade);
  for (const wrong of [16, -1, 1.5, "1" as unknown as number]) {
    expect(codeOf(() => arcade.setMode(wrong))).toBe("bad-option");
    expect(codeOf(() => arcade.setDifficulty(wrong))).toBe("bad-option");
  }
  expect(look(arcade)).toEqual(before);
  arcade.setMode(0);
  arcade.setDifficulty(0);
  expect([arcade.mode, arcade.difficulty]).toEqual([0, 0]);
});

test("play from a state equals uninterrupted play, with its sticky actions only if the state contains their generator", async () => {
  const arcade = await create({ rom: rom("breakout"), repeatActionProbability: 0.5, soundObs: true });
  const play = (console: Arcade) => {
    for (let frame = 0; frame < 200; frame++) console.act((frame * 5) % 18);
    return look(console);
  };
  play(arcade);
  const [complete, without] = [arcade.save(), arcade.save({ generators: false })];
  const clone = arcade.clone();
  open.push(clone);
  const expected = play(arcade);
  expect(play(clone)).toEqual(expected);
  const other = await create({ rom: rom("breakout"), seed: 9, repeatActionProbability: 0.5, soundObs: true });
  other.restore(complete);
  expect(play(other)).toEqual(expected);
  other.restore(without);
  expect(play(other)).not.toEqual(expected);
  const before = look(other);
  const game = await Game.create({ rom: rom("breakout") });
  open.push(game);
  const wrong = [
    complete.subarray(1),
    game.save(),
    (await create()).save(),
    new Uint8Array(),
    "x" as unknown as Uint8Array,
  ];
  for (const bytes of wrong) expect(codeOf(() => other.restore(bytes))).toBe("bad-saved-state");
  expect(look(other)).toEqual(before);
});

test("a wrong option is refused and named", async () => {
  const cases: Array<[object, string, RegExp]> = [
    [{ seed: -1 }, "bad-option", /option seed: .*-1/],
    [{ seed: 1.5 }, "bad-option", /option seed: .*1\.5/],
    [{ seed: 2 ** 32 }, "bad-option", /option seed: .*4294967296/],
    [{ repeatActionProbability: 1.5 }, "bad-option", /option repeatActionProbability: 1\.5/],
    [{ repeatActionProbability: Number.NaN }, "bad-option", /NaN/],
    [{ frameSkip: 0 }, "bad-option", /option frameSkip: 0 .*1 to 1000/],
    [{ rewardMin: 2, rewardMax: 1 }, "bad-option", /rewardMin: 2/],
    [{ soundObs: "yes" }, "bad-option", /option soundObs: .*"yes"/],
    [{ mode: 99 }, "bad-option", /mode 99 of wallop/],
    [{ difficulty: 99 }, "bad-option", /difficulty 99 of wallop/],
    [{ frameskip: 4 }, "bad-option", /frameskip/],
    [{ rom: new Uint8Array(3072) }, "bad-rom-size", /3072/],
    [{ rom: new Uint8Array(4096) }, "unknown-rom", /[0-9a-f]{32}/],
    [{ mapper: "F9" }, "bad-option", /option mapper: .*F9/],
    [{ game: { rom: "mine", mapper: "F9" } }, "bad-game", /F9/],
    [{ mapper: "E7" }, "bad-rom-size", /4096 bytes does not fit mapper E7/],
    [{ rom: new Uint8Array(8192), mapper: "F4" }, "bad-rom-size", /8192 bytes does not fit mapper F4/],
    [{ rom: zipSync({ "a.txt": wallop }) }, "bad-rom", /no ROM among its 1 files/],
    [{ rom: zipSync({ "a.bin": wallop, "b.a26": wallop }) }, "bad-rom", /several ROMs, "a.bin" and "b.a26"/],
    [{ rom: zipSync({ "a.bin": new Uint8Array(2 << 20) }) }, "bad-rom", /"a.bin" in the zip file has 2097152 bytes/],
    [{ rom: zipSync({ "a.bin": wallop }).subarray(0, 900) }, "bad-rom", /damaged/],
  ];
  for (const [options, code, message] of cases) {
    const failure = await create(options).catch((error: unknown) => error);
    expect(failure, String(message)).toMatchObject({ code, message: expect.stringMatching(message) });
  }
});

test("a refused call changes nothing", async () => {
  const arcade = await create({ soundObs: true });
  const before = look(arcade);
  for (const action of [-1, 18, 0.5, Number.NaN, "JUMP", undefined]) {
    expect(codeOf(() => arcade.act(action as number))).toBe("bad-action");
  }
  for (const paddleStrength of [-0.1, 1.1, Number.NaN, "1" as unknown as number]) {
    expect(codeOf(() => arcade.act(0, { paddleStrength }))).toBe("bad-action");
  }
  for (const [index, value] of [
    [128, 0],
    [-1, 0],
    [0.5, 0],
    [0, 256],
    [0, -1],
    [0, Number.NaN],
  ] as const) {
    expect(codeOf(() => arcade.setRam(index, value))).toBe("bad-option");
  }
  expect(look(arcade)).toEqual(before);
});

test("close may be called again, and all other calls are refused then", async () => {
  const arcade = await create();
  const state = arcade.save();
  arcade.close();
  arcade.close();
  const calls: Array<() => unknown> = [
    () => arcade.act(0),
    () => arcade.resetGame(),
    () => arcade.lives,
    () => arcade.lastAction,
    () => arcade.ram(),
    () => arcade.setRam(0, 0),
    () => arcade.setSwitches({}),
    () => arcade.screen(),
    () => arcade.render(),
    () => arcade.audio(),
    () => arcade.save(),
    () => arcade.restore(state),
    () => arcade.clone(),
    () => arcade.setMode(0),
  ];
  for (const call of calls) expect(codeOf(call), String(call)).toBe("closed");
});

test("the second player has actions too", async () => {
  // With exchanged ports, the second player has the joystick that WALLOP reads.
  const swapped = (swap_ports: boolean) =>
    create({ repeatActionProbability: 0, game: { rom: "mine", controllers: { swap_ports } } });
  const [first, second, idle] = [await swapped(false), await swapped(true), await swapped(true)];
  for (let frame = 0; frame < 300; frame++) {
    const action = actionNames[(frame >> 3) % 18] ?? "NOOP";
    first.act(action);
    second.act(0, { playerB: frame % 2 === 0 ? action : actionNames.indexOf(action) });
    idle.act(action);
    expect(second.ram()).toEqual(first.ram());
  }
  expect(idle.ram()).not.toEqual(first.ram());
  for (const playerB of [-1, 18, "JUMP", null]) {
    expect(codeOf(() => first.act(0, { playerB: playerB as number }))).toBe("bad-action");
  }
  expect(codeOf(() => first.act(0, { paddleStrengthB: 2 }))).toBe("bad-action");
});
