/** `train` and `evaluate` of both programs: the same lines, files and refusals. */

import { existsSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { resealed } from "./resealed.js";
import { native, packaged, python, ROOT, type Run, romPath, SMALL, seedOfTheDay, temporaryFolder } from "./support.js";

const SEED = String(seedOfTheDay());

const PROGRAMS = { native, packaged } as const;

/** What a program printed, without the speed. */
function lines({ status, output, errors }: Run): string[] {
  expect(status, errors).toBe(0);
  return (output.match(/.+/g) ?? []).map((line) => line.replace(/"steps_per_second":[\d.]+/, ""));
}

test.for([
  ["PPO", []],
  ["A2C", ["--algorithm", "a2c"]],
  [
    "another net, and a learning rate that rises and falls",
    ["--net", "a3c", "--learning-rate", "3e-7", "--warmup-steps", "500", "--anneal-steps", "999", "--anneal-to", "0.1"],
  ],
] as const)("train prints the native program's lines: %s", ([, more]) => {
  const args = ["train", ...SMALL, "--seed", SEED, "--steps", "1024", "--json", ...more];
  const expected = lines(native(...args));
  expect(expected.length).toBe(8);
  expect(lines(packaged(...args, "--threads", "1"))).toEqual(expected);
});

test("train plays a game of a definition, and evaluate its weights", () => {
  const folder = temporaryFolder();
  const [changed, definition] = [join(folder, "mine.bin"), join(folder, "mine.toml")];
  const bytes = readFileSync(romPath("wallop"));
  // A change of the unused interrupt vector: another MD5, the same game.
  bytes[bytes.length - 6] = (bytes[bytes.length - 6] ?? 0) ^ 1;
  writeFileSync(changed, bytes);
  const text = readFileSync(join(ROOT, "crates/arcade/games/wallop.toml"), "utf8").replace(/^md5.*\n/m, "");
  writeFileSync(definition, text);
  const told = Object.entries(PROGRAMS).map(([name, program]) => {
    const weights = join(folder, `${name}.safetensors`);
    const common = [changed, "--game", definition, ...SMALL, "--seed", SEED, "--steps", "256", "--weights", weights];
    const trained = lines(program("train", ...common, "--json"));
    const evaluated = lines(program("evaluate", changed, "--weights", weights, "--episodes", "3", "--seed", SEED));
    return [trained, evaluated, readFileSync(weights)];
  });
  expect(told[1]).toEqual(told[0]);
  // Without rewards there is nothing to learn from.
  writeFileSync(definition, text.replace("reward = new - score", "").replace("reward = 0", ""));
  for (const program of Object.values(PROGRAMS)) {
    const refused = program("train", changed, "--game", definition);
    expect(refused.status).toBe(1);
    expect(refused.errors).toContain("wallop has no rule for rewards");
    expect(refused.errors).toContain("game definition");
  }
});

/** A run with all its files: its lines, and the names of the files. */
function files(name: keyof typeof PROGRAMS) {
  const folder = temporaryFolder();
  const path = (file: string) => join(folder, file);
  const logs = ["log.jsonl", "log.csv", "board"].flatMap((log) => ["--log", path(log)]);
  logs.push(...["games.jsonl", "games.csv"].flatMap((log) => ["--log-games", path(log)]));
  const weights = ["w.safetensors", "w.onnx"].flatMap((file) => ["--weights", path(file)]);
  const args = ["train", ...SMALL, "--seed", SEED, "--steps", "1024", "--json"];
  const printed = lines(PROGRAMS[name](...args, ...logs, ...weights, "--checkpoint", path("checkpoint")));
  return { args, path, printed };
}

const runs = { native: files("native"), packaged: files("packaged") };

test("weights and ONNX are the native program's bytes", () => {
  for (const file of ["w.safetensors", "w.onnx"]) {
    const [expected, found] = [readFileSync(runs.native.path(file)), readFileSync(runs.packaged.path(file))];
    expect(found.equals(expected), file).toBe(true);
    expect(existsSync(runs.packaged.path(`${file}.part`))).toBe(false);
  }
});

test.for(Object.entries(runs))(
  "the logs of the %s program have the same values in three formats",
  ([, { path, printed }]) => {
    const [, ...logged] = readFileSync(path("log.jsonl"), "utf8").trim().split("\n");
    const entries = logged.map((line) => JSON.parse(line) as Record<string, number | null>);
    expect(entries.length).toBe(printed.length);
    const names = Object.keys(entries[0] ?? {});
    expect(names).toEqual([
      ..."update steps episodes reward length entropy kl clip_fraction explained_variance policy_loss value_loss".split(
        " ",
      ),
      ..."gradient_norm learning_rate steps_per_second playing learning".split(" "),
    ]);
    for (const [index, line] of printed.entries()) {
      const shown = JSON.parse(line.replace(",,", ",")) as Record<string, unknown>;
      const { weights: _, ...numbers } = shown;
      expect(entries[index]).toMatchObject(numbers);
      const { playing, learning } = entries[index] ?? {};
      expect((playing ?? 0) + (learning ?? 0)).toBeCloseTo(1);
    }
    const [columns, ...rows] = readFileSync(path("log.csv"), "utf8").trim().split("\n");
    expect(columns).toBe(names.join(","));
    const cells = rows.map((row) => row.split(",").map((cell) => (cell === "" ? null : Number(cell))));
    expect(cells).toEqual(entries.map((entry) => names.map((name) => entry[name])));
    const { status, output, errors } = python(join(ROOT, "tests/package/read_events.py"), [path("board")]);
    expect(status, errors).toBe(0);
    const events = JSON.parse(output) as Record<string, Array<[step: number, value: number]>>;
    for (const name of names.slice(2)) {
      const expected = entries.flatMap((entry) =>
        entry[name] === null ? [] : [[entry.steps, Math.fround(entry[name] ?? 0)]],
      );
      expect(events[`train/${name}`], name).toEqual(expected);
    }
  },
);

test("the logs of both programs have the same digits", () => {
  const logged = Object.values(runs).map(({ path }) => {
    const json = readFileSync(path("log.jsonl"), "utf8").replace(/,"steps_per_second":.*/g, "");
    const csv = readFileSync(path("log.csv"), "utf8").replace(/(,[^,\n]*){3}$/gm, "");
    const games = ["games.jsonl", "games.csv", "games.csv.settings.json"].map((log) => readFileSync(path(log), "utf8"));
    // Games have ended.
    expect(games[1]?.split("\n").length).toBeGreaterThan(3);
    return { json, csv, games, settings: JSON.parse(readFileSync(path("log.csv.settings.json"), "utf8")) as unknown };
  });
  expect(logged[1]).toEqual(logged[0]);
});

test("each program goes on in the other's log", () => {
  const options = JSON.parse(SMALL[SMALL.indexOf("--options") + 1] ?? "") as object;
  // No double has this single's digits.
  const args = [...SMALL, "--options", JSON.stringify({ ...options, repeatActionProbability: 0.1 })];
  args.splice(SMALL.indexOf("--options"), 2);
  for (const [first, second] of [
    [native, packaged],
    [packaged, native],
  ] as const) {
    const folder = temporaryFolder();
    const files = [
      "--checkpoint",
      join(folder, "run"),
      "--log",
      join(folder, "l.jsonl"),
      "--log",
      join(folder, "l.csv"),
    ];
    lines(first("train", ...args, "--steps", "128", "--json", ...files));
    lines(second("train", "--resume", join(folder, "run"), "--steps", "256", "--json", ...files));
    expect(readFileSync(join(folder, "l.csv"), "utf8").trim().split("\n").length).toBe(3);
  }
});

test("each program goes on from the other's checkpoint as if the run had never stopped", () => {
  for (const [from, to] of [
    ["native", "packaged"],
    ["packaged", "native"],
  ] as const) {
    const { args, printed } = runs[from];
    const checkpoint = join(temporaryFolder(), "half");
    for (const [steps, updates] of [
      ["0", 0],
      ["512", 4],
    ] as const) {
      const some = args.map((arg) => (arg === "1024" ? steps : arg));
      expect(lines(PROGRAMS[from](...some, "--force", "--checkpoint", checkpoint))).toEqual(printed.slice(0, updates));
      const rest = lines(PROGRAMS[to]("train", "--no-save", "--resume", checkpoint, "--steps", "1024", "--json"));
      expect(rest).toEqual(printed.slice(updates));
    }
    const refused = PROGRAMS[to]("train", "--resume", checkpoint, "--net", "a3c");
    expect(refused.status).toBe(1);
    for (const name of ["tiny", "a3c"]) expect(refused.errors).toContain(name);
  }
});

test.for(Object.entries(PROGRAMS))(
  "a log of the %s program has each update once, however the run ended",
  ([, program]) => {
    const folder = temporaryFolder();
    const path = (file: string) => join(folder, file);
    const args = ["train", ...SMALL, "--seed", SEED, "--json"];
    const logs = ["log.jsonl", "log.csv", "board"].flatMap((log) => ["--log", path(log)]);
    lines(program(...args, "--steps", "512", "--checkpoint", path("checkpoint")));
    // As a run that was killed after its checkpoint, in the row of its sixth update.
    lines(program(...args, "--steps", "768", ...logs));
    for (const log of ["log.jsonl", "log.csv"]) truncateSync(path(log), statSync(path(log)).size - 5);
    // Names of event files count seconds.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1100);
    lines(program("train", "--no-save", "--resume", path("checkpoint"), "--steps", "640", "--json", ...logs));
    const firsts = (log: string, first: RegExp) =>
      readFileSync(path(log), "utf8")
        .trim()
        .split("\n")
        .map((row) => first.exec(row)?.[1]);
    expect(firsts("log.jsonl", /^\{"update":(\d+),/)).toEqual([undefined, "1", "2", "3", "4", "5"]);
    expect(firsts("log.csv", /^(\w+),/)).toEqual(["update", "1", "2", "3", "4", "5"]);
    const { status, output, errors } = python(join(ROOT, "tests/package/read_events.py"), [path("board")]);
    expect(status, errors).toBe(0);
    const events = JSON.parse(output) as Record<string, Array<[step: number, value: number]>>;
    expect(events["train/entropy"]?.map(([step]) => step)).toEqual([128, 256, 384, 512, 640]);
  },
);

test("a resumed run that has its steps says where it is", () => {
  const checkpoint = join(temporaryFolder(), "checkpoint");
  lines(native("train", ...SMALL, "--seed", SEED, "--steps", "256", "--checkpoint", checkpoint));
  const again = ["train", "--no-save", "--resume", checkpoint, "--steps", "256"];
  const told = Object.values(PROGRAMS).map((program) => program(...again));
  expect(told[0]).toMatchObject({
    status: 0,
    output: "",
    errors: expect.stringMatching(/^2 updates, 256 steps, weights [\da-f]{8}\n$/),
  });
  expect(told[1]).toEqual(told[0]);
});

test("a wrong command line has the exit code 2 in both programs, and wrong input 1", () => {
  const missing = join(temporaryFolder(), "missing");
  const weights = runs.native.path("w.safetensors");
  const cases: ReadonlyArray<readonly [status: number, args: string]> = [
    [2, "train --algorithm dqn"],
    [2, "train --net huge"],
    [2, "train --seed -1"],
    [2, "train --seed x"],
    [2, "train --steps 1e6"],
    [2, "train --envs -4"],
    [2, "train --threads 0"],
    [2, "train --set gamma"],
    [2, "train --preset labml --options {}"],
    [2, "train --log="],
    [2, "train --weights="],
    [2, "train --checkpoint="],
    [2, "train --resume="],
    [2, "train --no-such"],
    [2, "train one two"],
    [2, "evaluate"],
    [2, "evaluate --weights="],
    [2, `evaluate --weights ${weights} --episodes -1`],
    [2, `evaluate --weights ${weights} --preset labml --options {}`],
    [1, "train --set gamma=2"],
    [1, "train --envs 6"],
    [1, "train --preset nope"],
    [1, `train ${missing}`],
    [1, `train --resume ${missing}`],
    [1, `train --resume ${weights}`],
    [1, `evaluate --weights ${missing}`],
    [1, `train --seed ${2n ** 53n - 1n}`],
  ];
  const told = cases.flatMap(([, args]) =>
    Object.entries(PROGRAMS).map(([name, program]) => [program(...args.split(" ")).status, name, args]),
  );
  expect(told).toEqual(cases.flatMap(([status, args]) => Object.keys(PROGRAMS).map((name) => [status, name, args])));
});

test("evaluate prints the native program's lines, greedily and sampled, for weights with and without a preset", () => {
  const weights = runs.native.path("w.safetensors");
  for (const more of [["--greedy"], [], ["--episodes", "2"], ["--episodes", "0"]]) {
    const args = ["evaluate", "--weights", weights, "--seed", SEED, ...more];
    const expected = lines(native(...args));
    expect(expected.length).toBe(more.includes("0") ? 0 : more.includes("2") ? 3 : 11);
    expect(lines(packaged(...args))).toEqual(expected);
  }
});

test("wrong input is refused by both programs, with the value at fault", () => {
  const weights = runs.native.path("w.safetensors");
  const missing = join(temporaryFolder(), "missing/file");
  const cases: ReadonlyArray<readonly [message: RegExp, args: readonly string[]]> = [
    [/6 is no multiple of 4/, ["train", "--envs", "6"]],
    [/gama: there is no such hyper-parameter/, ["train", "--set", "gama=1"]],
    [/gamma: 2 is not from 0 to 1/, ["train", "--set", "gamma=2"]],
    [/minibatches: 7 do not divide/, ["train", "--set", "minibatches=7"]],
    [/expected KEY=VALUE/, ["train", "--set", "gamma"]],
    [/nope/, ["train", "--preset", "nope"]],
    [/--options/, ["train", "--options", "{"]],
    [/huge/, ["train", "--net", "huge"]],
    [/missing/, ["train", "--resume", missing]],
    [/w\.safetensors: .*it has weights alone, .*evaluate --weights/, ["train", "--resume", weights]],
    [/missing/, ["train", ...SMALL, "--log", `${missing}.csv`]],
    [/a weight is not a finite number in update 1/, ["train", ...SMALL, "--set", "learning_rate=1e38"]],
    [/safetensors|weights/, ["evaluate", "--weights", romPath("wallop")]],
    [/wallop .*breakout/, ["evaluate", romPath("breakout"), "--weights", weights]],
  ];
  for (const [message, args] of cases) {
    for (const [name, program] of Object.entries(PROGRAMS)) {
      const { status, output, errors } = program(...args);
      expect({ name, args, output, errors }).toMatchObject({ output: "", errors: expect.stringMatching(message) });
      expect(status).toBeGreaterThan(0);
    }
  }
  const fast = packaged("train", "--fast");
  expect(fast.status).toBe(2);
  expect(fast.errors).toContain("--fast is for the native program");
});

test("the package's program says that Node has no WebGPU", () => {
  const refused = packaged("train", "--no-save", "--device", "gpu");
  expect(refused).toMatchObject({ status: 1, output: "" });
  expect(refused.errors).toContain("device gpu: there is no WebGPU here");
  const auto = packaged("train", "--no-save", "--steps", "0", "--device", "auto");
  expect(auto).toMatchObject({ status: 0 });
  expect(auto.errors).toContain("computing on CPU: there is no WebGPU here");
});

test("a run that a loss ends keeps the weights of the update before, without a checkpoint too", () => {
  for (const program of Object.values(PROGRAMS)) {
    const weights = join(temporaryFolder(), "w.safetensors");
    // One step of this size leaves the weights finite, and the next forward pass is not.
    const steep = ["learning_rate=1e36", "epochs=1", "minibatches=1"].flatMap((setting) => ["--set", setting]);
    const small = SMALL.slice(0, SMALL.indexOf("--set"));
    const { status, errors } = program("train", ...small, ...steep, "--steps", "100000", "--weights", weights);
    expect(status, errors).toBe(1);
    expect(errors).toMatch(/not a finite number in update 2\b/);
    expect(errors).toContain(`gym2600: the weights of update 1 are in ${weights}\n`);
    expect(program("evaluate", "--weights", weights, "--episodes", "0")).toMatchObject({ status: 0 });
  }
});

test("a run that a loss ends names the update and the last good checkpoint", () => {
  const checkpoint = join(temporaryFolder(), "checkpoint");
  // The same run with a learning rate that no weights survive.
  const text = readFileSync(runs.native.path("checkpoint"), "latin1");
  expect(text).toContain('learning_rate\\":0.001,');
  const steep = text.replaceAll('learning_rate\\":0.001,', 'learning_rate\\":1e038,');
  writeFileSync(checkpoint, resealed(Buffer.from(steep, "latin1")));
  for (const program of Object.values(PROGRAMS)) {
    const { status, errors } = program("train", "--no-save", "--resume", checkpoint, "--steps", "2048");
    expect(status).toBe(1);
    expect(errors).toMatch(/not a finite number in update 9\b/);
    expect(errors).toContain(`the last good checkpoint is in ${checkpoint}`);

    const first = join(temporaryFolder(), "first");
    const steep = program("train", "--set", "learning_rate=1e38", "--checkpoint", first);
    expect(steep.errors).toMatch(/not a finite number in update 1\b/);
    expect(steep.errors).toContain(`the last good checkpoint is in ${first}`);
    expect(program("train", "--resume", first, "--steps", "0")).toMatchObject({ status: 0 });
  }
});
