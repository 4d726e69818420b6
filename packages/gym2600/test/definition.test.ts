/** Games that users define, as objects and as text. The examples are those of docs/games.md. */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { Arcade, type ArcadeOptions, Game, type GameDefinition, GameWorker, VectorEnv, wallop } from "gym2600";
import { locateError, parseDefinition } from "gym2600/toml";
import { expect, test } from "vitest";
import { ROOT, rom, someActions } from "../../../tests/package/support.js";
import { digest } from "./digest.js";

const page = readFileSync(join(ROOT, "docs/games.md"), "utf8");

/** The example of docs/games.md in this language. */
function example(language: string): string {
  const text = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "s").exec(page)?.[1];
  if (text === undefined) throw new Error(`docs/games.md has no example in ${language}`);
  return text;
}

const text = example("toml");
const [, literal] = /^const mine = (\{.*?^\});$/ms.exec(example("js")) ?? [];
const object: GameDefinition = runInNewContext(`(${literal})`);

/** A play of an arcade with this definition. */
async function play(options: Partial<ArcadeOptions>): Promise<unknown[]> {
  const arcade = await Arcade.create({ rom: wallop, ...options });
  arcade.resetGame();
  const frames: unknown[] = [];
  for (const action of someActions(4000, 18, 3)) {
    const reward = arcade.act(action);
    frames.push([reward, arcade.lives, arcade.gameOver]);
    if (arcade.gameOver) arcade.resetGame();
  }
  frames.push(digest([arcade.ram(), arcade.screen()]), arcade.description.minimalActions, arcade.description.modes);
  arcade.close();
  return frames;
}

test.each([0, 2])("the page's examples play WALLOP as the catalogue does, in mode %i", async (mode) => {
  const expected = await play({ mode });
  expect(new Set(expected.map(String)).size).toBeGreaterThan(5);
  expect(await play({ mode, game: parseDefinition(text) })).toEqual(expected);
  expect(await play({ mode, game: object })).toEqual(expected);
});

test("games, workers and vectors take an object, too", async () => {
  const options = { rom: wallop, preset: "labml", seed: 3 } as const;
  const steps = someActions(50, 4, 1);
  const known = await Game.create(options);
  const [game, worker] = [
    await Game.create({ ...options, game: object }),
    await GameWorker.create({ ...options, game: object }),
  ];
  const envs = await VectorEnv.create({ ...options, numEnvs: 2, workers: 1, game: object });
  expect(game.description).toMatchObject({ rom: "mine", title: "mine", modes: [0, 1, 2] });
  const expected = digest(known.reset());
  expect(digest(game.reset())).toEqual(expected);
  expect(digest(await worker.reset())).toEqual(expected);
  await envs.reset({ seed: 3 });
  for (const action of steps) {
    const step = known.step(action);
    expect(digest(game.step(action))).toEqual(digest(step));
    expect(digest(await worker.step(action))).toEqual(digest(step));
    expect((await envs.step([action, action])).rewards[0]).toBe(step.reward);
  }
  game.close();
  known.close();
  await Promise.all([worker.close(), envs.close()]);
});

test("an object may say everything that a file may, and undefined is as if it were not there", async () => {
  const definition: GameDefinition = {
    rom: 'a "name" \\ with é and 🎮',
    title: "two\nlines",
    env_id: undefined,
    size: wallop.length,
    mapper: "4K",
    picture: { tv: "PAL", expected_tv: "PAL", first_line: 30, height: 220, hmove_blanks: false },
    controllers: { left: "paddles", right: "joystick", swap_ports: false, paddle_max: 500_000, left_difficulty: "A" },
    actions: {
      minimal: ["NOOP", "FIRE"],
      legal: ["NOOP", "FIRE", "LEFT"],
      starting: [
        { press: "RESET", frames: 2 },
        { press: "FIRE", frames: 1 },
      ],
    },
    modes: { available: [7, 0], default: 0, difficulties: [0, 3], default_difficulty: 3, select: "\nreset\n" },
    rules: { load: "a = 1", start: "b = 2", frame: "c = a + b", reward: "c", terminal: "false", lives: "a" },
  };
  const arcade = await Arcade.create({ rom: wallop, game: definition });
  expect(arcade.description).toEqual({
    rom: definition.rom,
    md5: createHash("md5").update(wallop).digest("hex"),
    title: definition.title,
    tv: "PAL",
    screen: { width: 160, height: 220 },
    minimalActions: ["NOOP", "FIRE"],
    legalActions: ["NOOP", "FIRE", "LEFT"],
    modes: [7, 0],
    difficulties: [0, 3],
    givesRewards: true,
    labels: ["a", "b", "c"],
  });
  expect([arcade.act(0), arcade.lives, arcade.gameOver, arcade.mode, arcade.difficulty]).toEqual([3, 1, false, 0, 3]);
  arcade.close();
});

test("text is refused with the name of the entry that reads it", async () => {
  for (const kind of [Arcade, Game, GameWorker]) {
    const failure = await kind.create({ rom: wallop, game: text as unknown as GameDefinition }).catch((error) => error);
    expect(failure).toMatchObject({ code: "bad-game", message: expect.stringContaining("gym2600/toml") });
  }
});

test("a mistake in a text is reported with file, line, column and reason", async () => {
  const wrong: Array<[string, string]> = [
    [text.replace("- score", "- scor"), 'mine.toml:23:16: unknown variable "scor"'],
    [text.replace("height = 210", "height = 21"), 'mine.toml:6:10: "height" takes 200 to 256, not 21'],
    [text.replace('"FIRE"', '"FIRRE"'), "mine.toml:9:20: unknown variant `FIRRE`"],
    [text.replace("[rules]", "[rule]"), "mine.toml:19:1: unknown field `rule`"],
    [text.replace("[modes]", "[modes]\nnone = 1"), "mine.toml:12:1: unknown field `none`"],
    [text.replace("[0, 1, 2]", "[0, 1, 1]"), 'mine.toml:12:20: 1 is twice in "available"'],
    ['rom = "a"\nmodes = 5', "mine.toml:2:9: invalid type: integer `5`, expected a table"],
    ['rom = "a"\nactions.starting = [{ frames = 1 }]', "mine.toml:2:21: missing field `press`"],
    ['rom = "a"\n[[actions.starting]]\npress = "FIRE"\nframes = 0', 'mine.toml:4:10: "frames" takes 1 to 10000, not 0'],
    ["title = 'a'", "mine.toml:1:1: missing field `rom`"],
    ["rom = '🎮'; size = 1", "mine.toml:1:10: "],
    ["rom = 'a'\nrules.lives = 'é + x'", "mine.toml:2:16: unexpected character 'é'"],
    ['rom = "a"\nrules.lives = "1 +\\t x"', 'mine.toml:2:15: unknown variable "x"'],
    ["rom = 'a'\nrules.frame = '''\r\na = 1\r\nb = c'''", 'mine.toml:4:5: unknown variable "c"'],
    ["rom = ", "mine.toml:1:7: "],
    ["\ufeffrom = ", "mine.toml:1:7: "],
    ["\ufeffrom = 3", "mine.toml:1:7: invalid type"],
    ["rom = \n", "mine.toml:1:7: "],
    ["rom = 'a'\nrom = 'b'", "mine.toml:2:1: "],
  ];
  for (const [wrongText, message] of wrong) {
    for (const kind of [Arcade, Game]) {
      const make = async (): Promise<unknown> =>
        kind.create({ rom: wallop, game: parseDefinition(wrongText, "mine.toml") });
      const failure = await make().catch((error) => locateError(error, wrongText, "mine.toml"));
      expect(failure, message).toMatchObject({ code: "bad-game", message: expect.stringContaining(message) });
    }
  }
});

test("functions that call each other twice, over and over, are refused at once", async () => {
  const functions = Array.from({ length: 60 }, (_, index) => `f${index + 1}(x) = f${index}(f${index}(x))`);
  const frame = ["f0(x) = x", ...functions, "a = f60(ram[0x80])"].join("\n");
  const failure = await Game.create({ rom: wallop, game: { rom: "a", rules: { frame } } }).catch((error) => error);
  expect(failure).toMatchObject({ code: "bad-game", message: expect.stringContaining("200000 is the limit") });
});

test("errors that are not about a key are not located", async () => {
  const failure = await Game.create({ rom: wallop, game: parseDefinition(text), preset: "none" as never }).catch(
    (error) => error,
  );
  expect(failure).toMatchObject({ details: { option: "preset" } });
  expect(locateError(failure, text)).toBe(failure);
  const other = new Error("game.rules: other");
  expect(locateError(other, text)).toBe(other);
});

test("hostile texts and objects are refused soon, and valid games are made afterwards", async () => {
  const many = (entry: (index: number) => string) =>
    Array.from({ length: 30_000 }, (_, index) => entry(index)).join("");
  const texts = [
    `rom = "a"\n[${"a.".repeat(100_000)}a]\n`,
    `${"a.".repeat(100_000)}a = 1`,
    `a = ${"[".repeat(100_000)}`,
    `a = ${"{a=".repeat(50_000)}`,
    many((index) => `k${index}=1\n`),
    many(() => "[[a]]\n"),
    `rom = "a"\nmodes.available = [${many((index) => `${index},`)}]`,
    `rom = "a"\nrules.frame = """${"x\n".repeat(120_000)}"""`,
    " ".repeat(300_000),
    `rom = "${"a".repeat(250_000)}"`,
    ...[81, 1000, 4000, 4500, 5000, 8000].flatMap((depth) => [
      `a = ${"{a=".repeat(depth)}1${"}".repeat(depth)}`,
      `a = ${"[".repeat(depth)}${"]".repeat(depth)}`,
    ]),
  ];
  let nested: object = {};
  for (let depth = 0; depth < 100_000; depth++) nested = { a: nested };
  const objects = [
    { rom: "a", picture: nested },
    { rom: "a", modes: { available: Array.from({ length: 1_000_000 }, (_, index) => index) } },
    { rom: "a", rules: { frame: "a = 1\n".repeat(1_000_000) } },
    { rom: "a".repeat(10_000_000) },
    Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, 1])),
  ];
  // Repeated: an error that leaves something on the module's stack would exhaust it.
  for (let round = 0; round < 3; round++) {
    for (const hostile of texts) {
      const make = async () => Game.create({ rom: wallop, game: parseDefinition(hostile) });
      const failure = await make().catch((error) => error);
      expect(failure, hostile.slice(0, 30)).toMatchObject({ code: "bad-game" });
    }
    for (const hostile of objects) {
      const failure = await Game.create({ rom: wallop, game: hostile as GameDefinition }).catch((error) => error);
      expect(failure, Object.keys(hostile).slice(0, 3).join()).toMatchObject({ code: "bad-game" });
    }
  }
  const game = await Game.create({ rom: wallop, game: object });
  expect(game.reset().info.lives).toBe(5);
  game.close();
});

test("a text beyond a limit is refused with its place", () => {
  const wrong: Array<[string, string]> = [
    [
      `rom = "a"\na = ${"[".repeat(81)}${"]".repeat(81)}`,
      "mine.toml:2:85: more than 80 lists and inline tables in each other",
    ],
    [`rom = "a"\n ${"a.".repeat(9)}a = 1`, "mine.toml:2:2: more than 8 dots in one key"],
    [`[${"a.".repeat(9)}a]`, "mine.toml:1:2: more than 8 dots in one key"],
    [Array.from({ length: 5001 }, (_, index) => `k${index}=1\n`).join(""), "more than 5000 keys, lists and tables"],
    [`rom = "a"\nb = [${"0,".repeat(10_000)}]`, "mine.toml:2:20005: more than 10000 entries of lists and tables"],
  ];
  for (const [text, message] of wrong) expect(() => parseDefinition(text, "mine.toml"), message).toThrow(message);
  parseDefinition(`a = ${"[".repeat(80)}${"]".repeat(80)}\n${"b.".repeat(8)}b = 1`);
  const signs = "[{=,".repeat(10_000);
  for (const within of [`"\\"${signs}"`, `'${signs}'`, `"""\\"""${signs}"""`, `'''\n'${signs}'''`, `1 # ${signs}`]) {
    parseDefinition(`a = ${within}\nb = 1`);
  }
});

test("no key of a text or an object changes other objects", async () => {
  const texts = [
    "[__proto__]\nx = 1",
    "__proto__.x = 1",
    '"__proto__".x = 1',
    "a = { __proto__.x = 1 }",
    "[a.__proto__]\nx = 1",
  ];
  texts.push(
    "[[__proto__]]\nx = 1",
    "a = { __proto__ = { x = 1 } }",
    '"\\u005f_proto__".x = 1',
    "a = [{ __proto__.x = 1 }]",
  );
  for (const hostile of texts) {
    expect(() => parseDefinition(`rom = "a"\n${hostile}`), hostile).toThrow("unknown field `__proto__`");
    expect(({} as { x?: number }).x, hostile).toBeUndefined();
  }
  parseDefinition('rom = "a"\nconstructor.prototype.x = 1');
  const game = JSON.parse('{ "rom": "a", "__proto__": { "x": 1 } }') as GameDefinition;
  await expect(Game.create({ rom: wallop, game })).rejects.toThrow("unknown field `__proto__`");
  expect(({} as { x?: number }).x).toBeUndefined();
});

test("a wrong object is refused with the path of the key and the reason", async () => {
  const deep: { rom: string; picture?: unknown } = { rom: "deep" };
  deep.picture = deep;
  const wrong: Array<[object, string]> = [
    [{}, "game: missing field `rom`"],
    [{ rom: 3 }, "game.rom: invalid type: integer `3`, expected a string"],
    [{ rom: null }, "game.rom: invalid type: unit value, expected a string"],
    [{ rom: "a", title: () => "b" }, "game.title: "],
    [{ rom: "a", picure: {} }, "game.picure: unknown field `picure`, expected one of `rom`, "],
    [{ rom: "a", "two words": 1 }, "game.two words: unknown field `two words`"],
    [{ rom: "a", md5: "00" }, 'game.md5: "00" is not an MD5'],
    [{ rom: "a", size: 1e30 }, "game.size: invalid type: floating point `"],
    [{ rom: "a", size: 1_048_577 }, 'game.size: "size" takes 1 to 1048576, not 1048577'],
    [{ rom: "a", picture: { height: 210.5 } }, "game.picture.height: invalid type: floating point `210.5`"],
    [{ rom: "a", picture: { height: Number.NaN } }, "game.picture.height: invalid type: floating point `NaN`"],
    [{ rom: "a", modes: [0] }, "game.modes: invalid type: sequence, expected a table"],
    [{ rom: "a", modes: { available: [] } }, 'game.modes.available: "available" must not be empty'],
    [{ rom: "a", modes: { available: [1, 1] } }, 'game.modes.available[1]: 1 is twice in "available"'],
    [{ rom: "a", actions: { minimal: ["NOOP", "🎮"] } }, "game.actions.minimal[1]: unknown variant `🎮`"],
    [{ rom: "🎮", actions: { starting: [{ press: "FIRE" }] } }, "game.actions.starting[0]: missing field `frames`"],
    [{ rom: "a", rules: { frame: "\nx = 1\n y = 🎮" } }, "game.rules.frame, line 3, column 6: unexpected character"],
    [{ rom: "a", rules: { lives: "1 \\ 2" } }, "game.rules.lives, line 1, column 3: unexpected character '\\\\'"],
    [{ rom: "a", rules: { lives: "'''" } }, "game.rules.lives"],
    [
      { ...object, rules: { ...object.rules, frame: object.rules?.frame?.replace("- score", "- scor") } },
      errorInPage(),
    ],
    [deep, "game.picture.picture.picture.picture.picture.picture.picture: nested in more than 8 levels"],
  ];
  for (const [game, message] of wrong) {
    for (const kind of [Arcade, Game]) {
      const failure = await kind.create({ rom: wallop, game: game as GameDefinition }).catch((error: unknown) => error);
      expect(failure, message).toMatchObject({ code: "bad-game", message: expect.stringContaining(message) });
    }
  }
  const worker = GameWorker.create({ rom: wallop, game: { rom: "a", rules: { lives: "x" } } });
  await expect(worker).rejects.toMatchObject({
    code: "bad-game",
    message: 'game.rules.lives, line 1, column 1: unknown variable "x"',
  });
});

/** The message that the page shows for an object. */
function errorInPage(): string {
  return /^game\.rules.*$/m.exec(page)?.[0] ?? "no message in docs/games.md";
}

test("a definition is for its ROM and its modes have to show", async () => {
  const refused = async (game: GameDefinition) =>
    expect(await Arcade.create({ rom: rom("pong"), game }).catch((error: unknown) => error));
  (await refused({ rom: "a", md5: "0".repeat(32) })).toMatchObject({ code: "bad-game", message: /0{32}.*60e0ea3c/ });
  (await refused({ rom: "a", modes: { select: "until false { select }" } })).toMatchObject({ code: "bad-game" });
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
