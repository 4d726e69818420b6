/** The rules of both programs: what is saved and what is not replaced, what is refused and how, and what an evaluation and a log say. */

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  nativeCommand,
  PACKAGE,
  packaged,
  packagedCommand,
  python,
  ROOT,
  type Run,
  run,
  SMALL,
  temporaryFolder,
} from "./support.js";

/** Settings of a short run that saves by itself. */
const SAVED = [...SMALL.filter((option) => option !== "--no-save"), "--steps", "128"];

const COMMANDS = [
  ["the native program", nativeCommand],
  ["the package's program", packagedCommand],
] as const;

function jsonLines({ status, output, errors }: Run): Array<Record<string, unknown>> {
  expect(status, errors).toBe(0);
  return (output.match(/.+/g) ?? []).map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** What both programs print, which is the same. */
function both(folder: string, ...args: string[]): Run {
  const [ours, theirs] = COMMANDS.map(([, command]) => run(...command(args), folder));
  expect(theirs).toEqual(ours);
  return ours as Run;
}

function definition(folder: string, name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe.each(COMMANDS)("%s", (_name, command) => {
  const inFolder = (folder: string, ...args: string[]) => run(...command(args), folder);

  test("saves a run for which no file is named, says where, and refuses to replace it", () => {
    const folder = temporaryFolder();
    const [first, second, forced] = [[], [], ["--force"]].map((more) =>
      inFolder(folder, "train", ...SAVED, "--seed", "3", ...more),
    );
    const name = "wallop-ppo-3.checkpoint";
    expect(first).toMatchObject({ status: 0, errors: expect.stringContaining(`the run is saved in ${name}`) });
    expect(second?.status).toBe(1);
    expect(second?.errors).toContain(
      `--checkpoint: ${name} is there already; --force replaces it, and --resume ${name} goes on with its run\n`,
    );
    expect(forced?.status).toBe(0);
    expect(readdirSync(folder)).toEqual([name]);
    // A resumed run goes on in its own file.
    const rest = ["--resume", name, "--steps", "256"];
    expect(inFolder(folder, "train", ...rest)).toMatchObject({ status: 0 });
    expect(inFolder(folder, "evaluate", "--weights", name, "--episodes", "0")).toMatchObject({ status: 0 });
    expect(inFolder(folder, "train", ...SAVED, "--seed", "4", "--no-save").status).toBe(0);
    expect(readdirSync(folder)).toEqual([name]);
  });

  test("keeps the files of other runs, and goes on in those of its own", () => {
    const folder = temporaryFolder();
    const logs = ["l.jsonl", "l.csv", "board"].flatMap((log) => ["--log", log]);
    const weights = ["w.safetensors", "w.onnx"].flatMap((path) => ["--weights", path]);
    const files = ["--checkpoint", "run", ...weights, ...logs];
    expect(inFolder(folder, "train", ...SAVED, ...files).status).toBe(0);
    const before = readFileSync(join(folder, "run"));
    for (let at = 0; at < files.length; at += 2) {
      const [option = "", path = ""] = files.slice(at, at + 2);
      const refused = inFolder(folder, "train", ...SAVED, "--seed", "9", option, path);
      expect({ path, status: refused.status }).toEqual({ path, status: 1 });
      expect(refused.errors).toContain(`${option}: ${path} is there already; --force replaces it`);
    }
    expect(inFolder(folder, "train", "--resume", "run", "--steps", "256", ...files)).toMatchObject({ status: 0 });
    // The weights of a later state, and those of another run.
    writeFileSync(join(folder, "early"), before);
    for (const path of ["w.safetensors", "w.onnx"]) {
      const refused = inFolder(folder, "train", "--resume", "early", "--steps", "256", "--weights", path);
      expect(refused.errors).toContain(`--weights: ${path} is there already`);
    }
    expect(inFolder(folder, "train", ...SAVED, "--seed", "9", "--checkpoint", "other").status).toBe(0);
    for (const log of ["l.jsonl", "l.csv"]) {
      const refused = inFolder(folder, "train", "--resume", "other", "--steps", "256", "--log", log);
      expect(refused.errors).toContain(`--log: ${log} is there already`);
    }
  });

  test("goes on in logs of its own run and kind alone, and replaces others whole if it has to", () => {
    const folder = temporaryFolder();
    const text = (name: string) => readFileSync(join(folder, name), "utf8");
    const logs = ["--log", "l.jsonl", "--log", "l.csv", "--log-games", "g.jsonl"];
    expect(inFolder(folder, "train", ...SAVED, "--checkpoint", "run", ...logs)).toMatchObject({ status: 0 });
    const rows = "epoch,loss\n1,0.5\n2,0.25\n3";
    writeFileSync(join(folder, "results.csv"), rows);
    writeFileSync(join(folder, "latin.jsonl"), Buffer.from([0xff, 0x0a]));
    writeFileSync(join(folder, "alone.csv"), text("l.csv"));
    const resume = ["train", "--resume", "run", "--steps", "256"];
    for (const [option, path] of [
      ["--log", "results.csv"],
      ["--log", "latin.jsonl"],
      ["--log", "alone.csv"],
      ["--log", "g.jsonl"],
      ["--log-games", "l.jsonl"],
      ["--log-games", "l.csv"],
    ] as const) {
      const before = text(path);
      const { status, errors } = inFolder(folder, ...resume, option, path);
      expect({ path, status }).toEqual({ path, status: 1 });
      expect(errors).toContain(`${option}: ${path} is there already; --force replaces it\n`);
      expect(text(path)).toBe(before);
    }
    const forced = inFolder(folder, ...resume, "--force", "--log", "results.csv", "--log", "l.csv");
    expect(forced).toMatchObject({ status: 0 });
    const updates = (path: string) => [...text(path).matchAll(/^\d+/gm)].map(Number);
    expect(text("results.csv")).toMatch(/^update,steps,/);
    expect(updates("results.csv")).toEqual([2]);
    expect(updates("l.csv")).toEqual([1, 2]);
  });

  test("refuses a file whose ending is of no format, with the exit code of a wrong command line", () => {
    const folder = temporaryFolder();
    for (const [option, path] of [
      ["--log", "run.txt"],
      ["--log-games", "run.md"],
      ["--weights", "w.pt"],
      ["--checkpoint", "run.onnx"],
    ] as const) {
      const { status, errors } = inFolder(folder, "train", ...SAVED, option, path);
      expect({ path, status }).toEqual({ path, status: 2 });
      expect(errors).toContain(option);
      expect(errors).toMatch(/is none of \./);
    }
    const recorded = inFolder(folder, "evaluate", "--weights", "w", "--record", "game.mp4");
    expect(recorded).toMatchObject({ status: 2, errors: expect.stringContaining("is none of .gif, .json") });
    expect(readdirSync(folder)).toEqual([]);
    // A slash, or a folder that is there, tells a folder with a dot in its name.
    mkdirSync(join(folder, "v0.2"));
    const dotted = ["--log", "v0.1/", "--log", "v0.2"];
    expect(inFolder(folder, "train", ...SAVED, ...dotted, "--no-save")).toMatchObject({ status: 0 });
  });

  test("ends a usage error with its message and one line on help", () => {
    for (const args of [
      [],
      ["dance"],
      ["train", "--dance"],
      ["train", "--steps", "x"],
      ["train", "--seed", "-1"],
      ["evaluate"],
      ["evaluate", "--weights", "none", "--sticky", "2"],
      ["evaluate", "--weights", "a", "--weights", "b", "--record", "c.gif"],
    ]) {
      const { status, output, errors } = inFolder(ROOT, ...args);
      expect({ args, status, output }).toEqual({ args, status: 2, output: "" });
      const lines = errors.trimEnd().split("\n");
      expect(lines.at(-1)).toBe("gym2600 --help lists the commands, and gym2600 COMMAND --help its options");
      expect(lines.length).toBeLessThan(6);
      expect(lines.slice(0, -1).join()).not.toContain("--help");
      expect(lines[0]).toMatch(/^gym2600: /);
    }
  });

  test("names every default in its help, and CleanRL's names", () => {
    const shared = ["train", "evaluate", "describe", "games"];
    for (const name of command === nativeCommand ? [...shared, "trace", "rollout", "frame"] : shared) {
      const { output } = inFolder(ROOT, name, "--help");
      const options = output.split(/\n\s+(?=(?:-\w, )?--)/).slice(1);
      const silent = options.filter((text) => !text.replace(/\s+/g, " ").includes("[default: "));
      // Flags, and options that a command needs or that have no default.
      const words = silent.map((text) => /--[\w-]+/.exec(text)?.[0]);
      const others = [
        "--weights",
        "--resume",
        "--set",
        "--no-save",
        "--fast",
        "--greedy",
        "--json",
        "--help",
        "--sound",
        "--png",
      ];
      expect(words.filter((word) => !others.includes(word ?? ""))).toEqual([]);
    }
    const { output } = inFolder(ROOT, "train", "--help");
    for (const theirs of ["num-steps", "gae-lambda", "clip-coef", "ent-coef", "total-timesteps", "num-envs"]) {
      expect(output).toContain(`alias: --${theirs}]`);
    }
  });

  test("understands CleanRL's names", () => {
    const folder = temporaryFolder();
    const picture = SMALL.slice(SMALL.indexOf("--options"), SMALL.indexOf("--options") + 2);
    const ours = ["--envs", "8", "--steps", "128", "--set", "rollout=16", "--set", "lambda=0.9", "--minibatches", "4"];
    const theirs = ["--num-envs", "8", "--total-timesteps", "128", "--num-steps", "16", "--set", "gae_lambda=0.9"];
    const [first, second] = [ours, [...theirs, "--num-minibatches", "4"]].map((args) =>
      jsonLines(inFolder(folder, "train", "--no-save", "--json", ...picture, ...args)),
    );
    expect(second?.map(({ weights }) => weights)).toEqual(first?.map(({ weights }) => weights));
    const { errors } = inFolder(folder, "train", "--no-save", "--learning-rate", "-1");
    expect(errors).toContain("--learning-rate: -1 is not above 0");
    expect(inFolder(folder, "train", "--set", "anneal_lr=true").errors).toContain("set anneal_steps");
  });

  test("says of a definition that its game is over at once or gives no rewards", () => {
    const folder = temporaryFolder();
    const over = definition(folder, "over.toml", 'rom = "over"\n[rules]\nterminal = "true"\nreward = "1"\n');
    const poor = definition(
      folder,
      "poor.toml",
      'rom = "poor"\n[rules]\nframe = "points = ram[0x82] * 0"\nreward = "points"\n',
    );
    for (const [game, before, during, after] of [
      [
        over,
        "the game is over at its reset",
        "every step is an episode",
        "every one of 256 steps was an episode: the run learned nothing\n",
      ],
      [
        poor,
        "1000 steps of random play brought no reward",
        "no game with a reward yet",
        "no game with a reward has ended in 256 steps\n",
      ],
    ] as const) {
      const { status, errors } = inFolder(folder, "train", ...SMALL, "--epochs", "1", "--steps", "256", "--game", game);
      expect(status, errors).toBe(0);
      const said = errors.split("\n");
      expect(said[0]).toContain(`${game}: ${before}`);
      expect(said.find((line) => line.startsWith("128 steps, "))).toContain(during);
      expect(errors).toContain(`gym2600: ${after}`);
    }
  });

  test("names file and line of a definition whose mode is not reached", () => {
    const folder = temporaryFolder();
    const text =
      'rom = "mine"\n[modes]\navailable = [0, 1]\nselect = "until ram[0x81] == 300 { select }"\n[rules]\nreward = "1"\n';
    const game = definition(folder, "mine.toml", text);
    const { status, errors } = inFolder(folder, "train", ...SAVED, "--game", game);
    expect(status).toBe(1);
    expect(errors).toMatch(/^gym2600: .*mine\.toml:4:10: modes\.select: mode 0 was not reached/);
  });

  test("names file and line of a definition of another ROM", () => {
    const folder = temporaryFolder();
    const game = definition(folder, "other.toml", `rom = "mine"\nmd5 = "${"0".repeat(32)}"\n[rules]\nreward = "1"\n`);
    for (const args of [["train", "--no-save"], ["describe"]]) {
      const { status, errors } = inFolder(folder, ...args, "--game", game);
      expect(status).toBe(1);
      expect(errors).toMatch(/^gym2600: .*other\.toml:2:7: the definition of "mine" is for the ROM with MD5 0/);
    }
  });

  test("logs all settings before the first row, and a row a game on request", () => {
    const folder = temporaryFolder();
    const logs = [
      "--log",
      "l.jsonl",
      "--log",
      "l.csv",
      "--log",
      "board",
      "--log-games",
      "g.jsonl",
      "--log-games",
      "g.csv",
    ];
    const args = [...SMALL, "--seed", "5", "--steps", "1024", ...logs];
    expect(inFolder(folder, "train", ...args)).toMatchObject({ status: 0 });
    const text = (name: string) => readFileSync(join(folder, name), "utf8").trim().split("\n");
    const header = JSON.parse(text("l.jsonl")[0] ?? "") as Record<string, unknown>;
    expect(header).toMatchObject({
      version: (JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8")) as { version: string }).version,
      rows: "updates",
      game: "wallop",
      rom_md5: expect.stringMatching(/^[\da-f]{32}$/),
      settings: { algorithm: "ppo", net: "tiny", seed: 5, numEnvs: 8, hyperParameters: { rollout: 16, gamma: 0.98 } },
    });
    expect(JSON.parse(text("l.csv.settings.json")[0] ?? "")).toEqual(header);
    expect(JSON.parse(text("g.jsonl")[0] ?? "")).toEqual({ ...header, rows: "games" });
    const games = text("g.jsonl")
      .slice(1)
      .map((line) => JSON.parse(line) as Record<string, number>);
    const { episodes } = JSON.parse(text("l.jsonl").at(-1) ?? "") as { episodes: number };
    expect(games.map(({ episode }) => episode)).toEqual(Array.from({ length: episodes }, (_, game) => game + 1));
    expect(games.length).toBeGreaterThan(0);
    expect(Object.keys(games[0] ?? {})).toEqual(["update", "steps", "episode", "reward", "length", "frames"]);
    expect(text("g.csv")[0]).toBe("update,steps,episode,reward,length,frames");
    expect(text("g.csv").length).toBe(games.length + 1);
    const { status, output, errors } = python(join(ROOT, "tests/package/read_settings.py"), [join(folder, "board")]);
    expect(status, errors).toBe(0);
    expect(JSON.parse(output)).toMatchObject({
      rom_md5: header.rom_md5,
      "settings.seed": 5,
      "settings.hyperParameters.gamma": 0.98,
      "settings.hyperParameters.clip_value": false,
    });
  });
});

describe("both programs", () => {
  const folder = temporaryFolder();
  const weights = join(folder, "w.safetensors");
  jsonLines(packaged("train", ...SMALL, "--seed", "7", "--steps", "128", "--json", "--weights", weights));
  const evaluate = (...args: string[]) => both(folder, "evaluate", "--weights", weights, "--seed", "1", ...args);

  test("evaluate with other options than training's, and say so", () => {
    const plain = evaluate("--episodes", "3");
    expect(plain.errors).toBe("");
    expect(jsonLines(plain)[3]).not.toHaveProperty("differences");
    const sticky = evaluate("--episodes", "3", "--sticky", "0.1", "--mode", "1", "--max-frames", "400");
    expect(sticky.errors).toContain(`gym2600: ${weights}: repeatActionProbability is 0.1, in training its default\n`);
    const [, , , total] = jsonLines(sticky);
    expect(total?.differences).toEqual([
      { option: "maxFramesPerEpisode", theirs: null, ours: 400 },
      { option: "mode", theirs: null, ours: 1 },
      { option: "repeatActionProbability", theirs: null, ours: 0.1 },
    ]);
    expect(sticky.output).not.toBe(plain.output);
    const options = JSON.stringify({ repeatActionProbability: 0.1, mode: 1, maxFramesPerEpisode: 400 });
    expect(evaluate("--episodes", "3", "--options", options).output).toBe(sticky.output);
    expect(evaluate("--preset", "gymnasium").errors).toContain("the weights are of input [28, 28, 4]");
  });

  test("give the mean's standard error and interval", () => {
    const lines = jsonLines(evaluate("--episodes", "4"));
    const scores = lines.slice(0, 4).map(({ reward }) => reward as number);
    const mean = scores.reduce((sum, score) => sum + score, 0) / 4;
    const variance = scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / 3;
    const { standard_error: error, interval } = lines[4] as { standard_error: number; interval: [number, number] };
    expect(error).toBeCloseTo(Math.sqrt(variance / 4));
    expect(interval[0]).toBeCloseTo(mean - 3.182 * error);
    expect(interval[1]).toBeCloseTo(mean + 3.182 * error);
    expect(jsonLines(evaluate("--episodes", "1"))[1]).toMatchObject({ standard_error: null, interval: null });
  });

  test("play several games at once, and several files of weights", () => {
    const five = jsonLines(evaluate("--episodes", "5", "--envs", "3"));
    // The second game has the seed that follows.
    const [own] = jsonLines(both(folder, "evaluate", "--weights", weights, "--seed", "2", "--episodes", "1"));
    expect(five[1]).toMatchObject({ episode: 2, reward: own?.reward, length: own?.length });
    expect(five.length).toBe(6);
    writeFileSync(join(folder, "again.safetensors"), readFileSync(weights));
    const twice = jsonLines(evaluate("--weights", "again.safetensors", "--episodes", "2"));
    expect(twice.map((line) => line.weights)).toEqual([
      weights,
      weights,
      weights,
      ...Array(3).fill("again.safetensors"),
    ]);
    const results = twice.map(({ weights: _, ...rest }) => rest);
    expect(results.slice(3)).toEqual(results.slice(0, 3));
  });

  test("record a game as a GIF, a replay and pictures", () => {
    const recorded = COMMANDS.map(([name, command], number) => {
      const at = (file: string) => join(folder, `${number}-${file}`);
      const records = ["game.gif", "game.json", "pictures"].flatMap((file) => ["--record", at(file)]);
      const args = ["evaluate", "--weights", weights, "--seed", "1", "--episodes", "1", "--sticky", "0.25", ...records];
      const [{ length }] = jsonLines(run(...command(args), folder)) as unknown as [{ length: number }];
      expect(readFileSync(at("game.gif")).toString("latin1", 0, 6), name).toBe("GIF89a");
      const pictures = readdirSync(at("pictures"));
      expect(pictures.length).toBe(length);
      expect(pictures[0]).toBe("000000.png");
      expect(run(...command(args), folder)).toMatchObject({
        status: 1,
        errors: expect.stringContaining("is there already"),
      });
      // As from a longer game, and another file.
      for (const more of [length, length + 1]) {
        writeFileSync(join(at("pictures"), `${String(more).padStart(6, "0")}.png`), "");
      }
      writeFileSync(join(at("pictures"), "notes.txt"), "");
      expect(run(...command([...args, "--force"]), folder)).toMatchObject({ status: 0 });
      expect(readdirSync(at("pictures"))).toEqual([...pictures, "notes.txt"]);
      const verified = packaged("replay", at("game.json"));
      expect(verified.status, verified.errors).toBe(0);
      expect(JSON.parse(verified.output)).toMatchObject({ run: 0, steps: length });
      return JSON.parse(readFileSync(at("game.json"), "utf8")) as unknown;
    });
    expect(recorded[1]).toEqual(recorded[0]);
    expect(recorded[0]).toMatchObject({
      options: { wrappers: expect.arrayContaining([expect.objectContaining({ type: "StickyActions" })]) },
    });
  });

  test("read a pipe once", () => {
    for (const [name, command] of COMMANDS) {
      const [program, args] = command(["train", "/dev/stdin", ...SMALL, "--steps", "128", "--json"]);
      const script = 'cat "$ROM" | "$0" "$@"';
      const rom = `ROM=${join(ROOT, "crates/arcade/games/wallop.bin")}`;
      expect(jsonLines(run("env", [rom, "sh", "-c", script, program, ...args], folder)).length, name).toBe(1);
      writeFileSync(join(folder, "once.safetensors"), readFileSync(weights));
      const files = ["--weights", weights, "--weights", "once.safetensors"];
      const evaluated = command(["evaluate", ...files, "--episodes", "1", "--options", "-"]);
      expect(jsonLines(run(...evaluated, folder, '{"mode": 1}')).length, name).toBe(4);
    }
  });

  test("plan no games ahead of those that are wanted", () => {
    for (const [name, command] of COMMANDS) {
      const [program, args] = command(["evaluate", "--weights", weights, "--envs", "2", "--episodes", "5000000000"]);
      const headed = run("sh", ["-c", '"$0" "$@" | head -n 1', program, ...args], folder);
      expect(headed.errors, name).toBe("");
      expect(headed.output, name).toMatch(/^\{"episode":1,/);
    }
  });

  test("list the games, and describe one", () => {
    const table = both(folder, "games");
    expect(table.output).toMatch(/^breakout +Breakout +ALE\/Breakout-v5 +[\da-f]{32}$/m);
    both(folder, "games", "--json");
    const { output } = both(folder, "describe", "--preset", "labml");
    expect(output).toContain("actions         0 NOOP, 1 FIRE");
    expect(output).toMatch(/^preset +labml$/m);
    expect(output).toMatch(/^observation +uint8, 4 x 84 x 84$/m);
    expect(output).toMatch(/^modes +0/m);
    const described = COMMANDS.map(([, command]) => run(...command(["describe", "--json"]), folder).output);
    expect(JSON.parse(described[1] ?? "")).toEqual(JSON.parse(described[0] ?? ""));
  });

  test("speak of their options in errors", () => {
    expect(both(folder, "train", "--envs", "6").errors).toBe("gym2600: --envs: 6 is no multiple of 4\n");
    expect(both(folder, "train", "--gamma", "2").errors).toBe("gym2600: --gamma: 2 is not from 0 to 1\n");
    expect(existsSync(join(folder, "wallop-ppo-0.checkpoint"))).toBe(false);
  });
});
