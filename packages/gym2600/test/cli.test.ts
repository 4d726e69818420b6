/** The program of the package, and where the native one has to agree with it. Both are those that have been built. */

import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zipSync } from "fflate";
import { wallop } from "gym2600";
import { expect, test } from "vitest";
import { native, PACKAGE, packaged, ROOT, run, tallGame, temporaryFolder } from "../../../tests/package/support.js";

const folder = temporaryFolder();

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const text = file("text", "0\n1\n");
const SMALL = [
  "--no-save",
  "--options",
  '{"wrappers":[{"type":"ImagePreprocessing","width":28,"height":28}]}',
  "--envs",
  "4",
];
const FEW = ["--set", "rollout=8", "--set", "minibatches=2", "--set", "epochs=1", "--steps", "32", "--json"];

test.for([native, packaged])("%o plays the one ROM of a zip file, and takes a mapper by its name", (program) => {
  const zipped = file("wallop.zip", zipSync({ "WALLOP/Wallop.A26": wallop, "read me.txt": wallop }));
  expect(program("describe", zipped)).toEqual(program("describe"));
  const two = file("two.zip", zipSync({ "a.bin": wallop, "b.bin": wallop }));
  expect(program("describe", two).errors).toContain('several ROMs, "a.bin" and "b.bin"');
  const rom = file(
    "banked.bin",
    Uint8Array.from({ length: 8192 }, (_, at) => at % 251),
  );
  const game = file("banked.toml", 'rom = "banked"\nmapper = "F8"\n');
  const known = ["describe", rom, "--game", game];
  expect(program(...known, "--mapper", "3E")).toMatchObject({ status: 0, output: program(...known).output });
  expect(program(...known, "--mapper", "E7").errors).toContain("8192 bytes does not fit mapper E7");
  expect(program(...known, "--mapper", "F9").errors).toMatch(/mapper.*F9/);
});

test("frame shows all lines that a game without a definition draws", () => {
  const png = join(folder, "tall.png");
  const { status, errors } = native("frame", file("tall.a26", tallGame()), "--frames", "2", "--png", png);
  expect(status, errors).toBe(0);
  expect(readFileSync(png).readUInt32BE(20)).toBe(230);
});

test.for([native, packaged])("%o refuses an output that cannot be written before the first line", (program) => {
  const kept = file("kept", "before");
  for (const path of [join(folder, "none", "out"), folder]) {
    for (const args of [
      ["train", ...SMALL, ...FEW, "--force", "--weights", kept, "--weights", path],
      ["train", ...SMALL, ...FEW, "--checkpoint", path],
    ]) {
      const { status, output, errors } = program(...args);
      expect({ args, status, output }).toEqual({ args, status: 1, output: "" });
      expect(errors).toContain(`cannot write ${path}: `);
      expect(errors.trim().split("\n").length).toBe(1);
    }
  }
  expect(readFileSync(kept, "utf8")).toBe("before");
  expect(existsSync(`${kept}.part`)).toBe(false);
});

test.skipIf(process.platform === "win32")("a link stays, and the file that it leads to is written", () => {
  mkdirSync(join(folder, "elsewhere"));
  const [kept, unmade] = [join(folder, "elsewhere/kept"), join(folder, "elsewhere/unmade")];
  writeFileSync(kept, "before");
  for (const target of [kept, unmade]) {
    const link = `${target}-link`;
    symlinkSync(target, link);
    const { status, errors } = packaged("train", ...SMALL, ...FEW, "--force", "--weights", link);
    expect(status, errors).toBe(0);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(target).includes("actor")).toBe(true);
    expect(existsSync(`${target}.part`) || existsSync(`${link}.part`)).toBe(false);
  }
  const link = join(folder, "lost-link");
  symlinkSync(link, link);
  expect(packaged("train", ...SMALL, ...FEW, "--weights", link).errors).toContain(`cannot write ${link}: `);
});

test.skipIf(process.platform === "win32")("a pipe is written to and stays", () => {
  const [pipe, copy] = [join(folder, "pipe"), join(folder, "copy")];
  // The reader of a pipe that was replaced would wait for ever.
  const command =
    'mkfifo "$0"; cat "$0" > "$1" & shift; "$@"; status=$?; if [ -p "$0" ]; then wait; else kill $!; fi; exit $status';
  const program = [process.execPath, join(PACKAGE, "dist/cli.js"), "train", ...SMALL, ...FEW, "--weights", pipe];
  const { status, errors } = run("sh", ["-c", command, pipe, copy, ...program]);
  expect(status, errors).toBe(0);
  expect(lstatSync(pipe).isFIFO()).toBe(true);
  expect(readFileSync(copy).includes("actor")).toBe(true);
});

test("options that exclude each other, are given twice, or that an argument gives, are refused", () => {
  for (const program of [native, packaged]) {
    expect(program("train", "--preset", "labml", "--options", '{"mode":1}').status).toBe(2);
    const twice = program("train", "--preset", "labml", "--preset", "gym2600");
    expect(twice.status).toBe(2);
    expect(twice.errors).toContain("--preset");
    expect(program("train", "--options", '{"rom":1}').errors).toContain("rom");
  }
  const replay = { format: "gym2600-replay", version: 1, md5: "0".repeat(32), runs: [] as unknown[] };
  replay.runs.push({ seed: 1, actions: [], checksums: ["00000000"] });
  for (const name of ["rom", "seed"]) {
    const path = file(`${name}.json`, JSON.stringify({ ...replay, options: { [name]: 1 } }));
    expect(packaged("replay", path).errors).toContain(`options.${name}`);
  }
});

test("training names the setting that it refuses, and counts one update as one", () => {
  expect(packaged("train", "--envs", "6").errors).toBe("gym2600: --envs: 6 is no multiple of 4\n");
  const { errors } = packaged("train", ...SMALL, ...FEW.filter((option) => option !== "--json"));
  expect(errors).toMatch(/^1 update, 32 steps, weights [\da-f]{8}\n$/);
});

test("files may begin with a byte order mark", () => {
  const options = file("options.json", '\uFEFF{"preset":"labml"}');
  for (const program of [native, packaged]) {
    expect(program("train", "--no-save", "--options", options, "--steps", "0").status).toBe(0);
  }
  expect(packaged("replay", file("marked.json", "\uFEFF{}")).errors).toContain("format");
});

test.runIf(existsSync("/dev/zero"))("an input without an end is refused", () => {
  for (const program of [native, packaged]) {
    expect(program("train", "/dev/zero").errors).toBe("gym2600: /dev/zero has more than 1048576 bytes\n");
    const options = program("train", "--options", "/dev/zero");
    expect(options.errors).toBe("gym2600: /dev/zero has more than 67108864 bytes\n");
  }
});

test("every command has its usage", () => {
  for (const command of ["train", "evaluate", "games", "describe", "replay"]) {
    const { status, output, errors } = packaged(command, "--help");
    expect({ status, errors }).toEqual({ status: 0, errors: "" });
    expect(output).toMatch(new RegExp(`^gym2600 ${command} `));
  }
});

test.runIf(existsSync("/dev/full"))("a full device is an error without a stack", () => {
  const program = [process.execPath, join(PACKAGE, "dist/cli.js"), "train", ...SMALL, ...FEW];
  const { status, errors } = run("sh", ["-c", '"$0" "$@" > /dev/full', ...program]);
  expect(status).toBe(1);
  expect(errors).toMatch(/^gym2600: cannot write the standard output: .*\n$/);
});

test("both programs evaluate with the seed of the options, and name a file that has no weights", () => {
  const [weights, onnx] = [join(folder, "a.safetensors"), join(folder, "a.onnx")];
  const trained = packaged("train", ...SMALL, ...FEW, "--weights", weights, "--weights", onnx);
  expect(trained.status, trained.errors).toBe(0);
  for (const program of [native, packaged]) {
    const played = (...more: string[]) => program("evaluate", "--weights", weights, "--episodes", "1", ...more);
    const expected = played("--seed", "7");
    expect(expected.status, expected.errors).toBe(0);
    expect(played("--options", '{"seed":7}').output).toBe(expected.output);
    expect(program("evaluate", "--weights", onnx).errors).toMatch(/a\.onnx: .*safetensors are read/);
    expect(program("train", ...SMALL, ...FEW, "--resume", text).errors).toContain(`${text}: `);
  }
});

test("both programs take a definition on top of a checkpoint's options, and name what differs from its settings", () => {
  const checkpoint = join(folder, "own.checkpoint");
  const text = readFileSync(join(ROOT, "crates/arcade/games/wallop.toml"), "utf8");
  const game = file("own.toml", text);
  const changed = file("changed.toml", text.replace(/^title = .*$/m, 'title = "Other"'));
  const trained = packaged("train", ...SMALL, ...FEW, "--game", game, "--checkpoint", checkpoint);
  expect(trained.status, trained.errors).toBe(0);
  for (const program of [native, packaged]) {
    const resumed = (...more: string[]) =>
      program("train", "--no-save", "--resume", checkpoint, "--steps", "32", "--json", ...more);
    for (const same of [
      ["--game", game],
      [...SMALL, "--set", "gamma=0.98"],
    ]) {
      expect(resumed(...same)).toEqual({ status: 0, output: "", errors: "" });
    }
    const cases = [
      [["--game", changed], '--options game.title "WALLOP", but "Other" was asked for'],
      [["--envs", "8"], "--envs 4, but 8 was asked for"],
      [["--set", "gamma=0.5"], "--gamma 0.98, but 0.5 was asked for"],
      [["--options", '{"mode":2}'], "--options mode null, but 2 was asked for"],
      [["--preset", "labml"], '--options preset null, but "labml" was asked for'],
    ] as const;
    for (const [settings, conflict] of cases) {
      const refusal = `gym2600: the checkpoint has ${conflict}: a resumed run keeps its settings\n`;
      expect(resumed(...settings)).toEqual({ status: 1, output: "", errors: refusal });
    }
  }
});

test("both programs refuse an empty checkpoint as no file of weights", () => {
  const empty = file("empty.checkpoint", "");
  const refusals = [native, packaged].map((program) => program("train", "--resume", empty).errors);
  expect(refusals[1]).toContain(`${empty}: this is no file of`);
  expect(refusals[1]).toBe(refusals[0]);
});

test("a refusal that a definition may mend names the option, and one of a definition its line", () => {
  const unknown = file("unknown.bin", "NOP ".repeat(1024));
  const silent = file("silent.toml", 'rom = "silent"\n');
  const wrong = file("wrong.toml", 'rom = "wrong"\nrules = 3\n');
  for (const program of [native, packaged]) {
    expect(program("train", unknown).errors).toMatch(
      /definition of your own \(--game FILE; docs\/games\.md says what is in it\)\n$/,
    );
    expect(program("train", unknown, "--game", silent).errors).toMatch(
      /silent\.toml:1:1: silent has no rule for rewards.*games\.md says\n$/,
    );
    expect(program("train", unknown, "--game", wrong).errors).toContain(`${wrong}:2:`);
  }
});
