/** What ends a run of training before its time, in both programs: signals, full disks, and files that another run writes. */

import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { HANG_MS } from "../limits.js";
import { nativeCommand, packagedCommand, type Run, run, SMALL, temporaryFolder } from "./support.js";

const ENDLESS = ["--steps", "100000000"];
/** An update takes minutes. */
const SLOW = ["--set", "epochs=1000"];

const SIGNALS = [
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const;

type Command = (args: readonly string[]) => [program: string, args: readonly string[]];

/** A program that runs, and what it has said. */
interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<{ status: number | null; signal: string | null }>;
  errors: string;
}

const started: ChildProcess[] = [];

afterEach(() => {
  for (const child of started) child.kill("SIGKILL");
  started.length = 0;
});

function start(command: Command, args: readonly string[]): Running {
  const child = spawn(...command(args), { stdio: ["ignore", "ignore", "pipe"] });
  started.push(child);
  const ended = new Promise<{ status: number | null; signal: string | null }>((resolve) =>
    child.on("close", (status, signal) => resolve({ status, signal })),
  );
  const running: Running = { child, ended, errors: "" };
  child.stderr?.on("data", (text) => {
    running.errors += text;
  });
  return running;
}

function until(condition: () => boolean): Promise<void> {
  return vi.waitUntil(condition, { timeout: HANG_MS, interval: 10 }).then(() => undefined);
}

function rows(path: string): string[] {
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : [];
}

/** Runs a command to its end. */
function outcome([program, args]: [string, readonly string[]]): Run {
  return run(program, args);
}

test("the native program goes on after a hangup under nohup", async () => {
  const log = join(temporaryFolder(), "log.csv");
  const ignoring: Command = (args) => {
    const [program, rest] = nativeCommand(args);
    return ["sh", ["-c", 'trap "" HUP; exec "$0" "$@"', program, ...rest]];
  };
  const running = start(ignoring, ["train", ...SMALL, ...ENDLESS, "--log", log]);
  await until(() => rows(log).length >= 1);
  running.child.kill("SIGHUP");
  const before = rows(log).length;
  await until(() => rows(log).length > before + 100);
  running.child.kill("SIGINT");
  expect(await running.ended, running.errors).toEqual({ status: 130, signal: null });
});

describe.each([
  ["the native program", nativeCommand],
  ["the package's program", packagedCommand],
] as const)("%s", (_name, command: Command) => {
  const train = (...args: string[]) => outcome(command(["train", ...args]));

  test.each(SIGNALS)("%s ends a run with its results, and it goes on from there", async (signal, code) => {
    const folder = temporaryFolder();
    const path = (name: string) => join(folder, name);
    const files = ["--checkpoint", path("run"), "--weights", path("w.safetensors"), "--log", path("log.jsonl")];
    const running = start(command, ["train", ...SMALL, ...ENDLESS, "--seed", "7", ...files]);
    await until(() => rows(path("log.jsonl")).length >= 3);
    // npm and `timeout` send a signal to a program that has it from its terminal or its group too.
    running.child.kill(signal);
    running.child.kill(signal);
    expect(await running.ended, running.errors).toEqual({ status: code, signal: null });
    const [last = ""] = rows(path("log.jsonl")).slice(-1);
    const { steps } = JSON.parse(last) as { steps: number };
    expect(running.errors).toContain(
      `gym2600: ${signal} ended the run after ${steps} steps: the same command with --resume ${path("run")} goes on\n`,
    );
    expect(readdirSync(folder).sort()).toEqual(["log.jsonl", "run", "w.safetensors"]);
    if (signal !== "SIGINT") return;
    const more = String(steps + 256);
    const rest = train(...SMALL, "--seed", "7", "--steps", more, "--json", "--resume", path("run"), ...files);
    const whole = train(...SMALL, "--seed", "7", "--steps", more, "--json");
    const weights = (text: string) => [...text.matchAll(/"weights":"([\da-f]{8})"/g)].map(([, sum]) => sum);
    expect(weights(rest.output)).toEqual(weights(whole.output).slice(-2));
  });

  test("an update that takes too long is dropped, and the run before it is written", async () => {
    const folder = temporaryFolder();
    const [checkpoint, weights] = [join(folder, "run"), join(folder, "w.safetensors")];
    const other = join(folder, "other.safetensors");
    writeFileSync(other, "before");
    const files = ["--checkpoint", checkpoint, "--weights", weights, "--weights", other, "--force"];
    const running = start(command, ["train", ...SLOW, ...files]);
    await until(() => existsSync(checkpoint));
    const first = readFileSync(checkpoint);
    running.child.kill("SIGINT");
    expect(await running.ended, running.errors).toEqual({ status: 130, signal: null });
    expect(running.errors).toContain("SIGINT ended the run after 0 steps");
    expect(readFileSync(checkpoint).equals(first)).toBe(true);
    expect(readdirSync(folder).sort()).toEqual(["other.safetensors", "run", "w.safetensors"]);
    // Weights that have learned nothing take the place of no others.
    expect(readFileSync(other, "utf8")).toBe("before");
    expect(train("--resume", checkpoint, "--steps", "0")).toMatchObject({ status: 0 });
    expect(outcome(command(["evaluate", "--weights", weights, "--episodes", "0"]))).toMatchObject({ status: 0 });
  });

  test("a second signal ends a run at once", async () => {
    const folder = temporaryFolder();
    const [pipe, log] = [join(folder, "pipe"), join(folder, "log.csv")];
    run("mkfifo", [pipe]);
    // The pipe has no reader, so the weights are never written.
    const running = start(command, ["train", ...SMALL, ...ENDLESS, "--weights", pipe, "--log", log]);
    await until(() => rows(log).length >= 3);
    running.child.kill("SIGTERM");
    const again = setInterval(() => running.child.kill("SIGTERM"), 100);
    const { status, signal } = await running.ended;
    clearInterval(again);
    expect({ status, signal }).toEqual({ status: null, signal: "SIGTERM" });
    expect(running.errors).toContain("SIGTERM: the run ends after this update; once more ends it at once");
  });

  test("a run without a checkpoint says at a signal that it cannot go on", async () => {
    const log = join(temporaryFolder(), "log.csv");
    const running = start(command, ["train", ...SMALL, ...ENDLESS, "--log", log]);
    // The names of the columns are there before the run takes signals.
    await until(() => rows(log).length >= 2);
    running.child.kill("SIGINT");
    expect(await running.ended).toEqual({ status: 130, signal: null });
    expect(running.errors).toMatch(
      /\ngym2600: SIGINT ended the run after \d+ steps: without --checkpoint FILE it cannot go on\n$/,
    );
  });

  test("a closed output or a full log ends a run with its results", () => {
    const folder = temporaryFolder();
    const path = (name: string) => join(folder, name);
    const closed = command([
      "train",
      ...SMALL,
      ...ENDLESS,
      "--json",
      "--checkpoint",
      path("a"),
      "--weights",
      path("b"),
      "--log",
      path("a.jsonl"),
    ]);
    const headed = run("sh", ["-c", '"$0" "$@" | head -n 2', closed[0], ...closed[1]]);
    expect(headed.errors).toBe("");
    expect(headed.output.split("\n").length).toBe(3);
    const updates = rows(path("a.jsonl")).length - 1;
    expect(train("--no-save", "--resume", path("a"), "--steps", "0").errors).toContain(`${updates} updates, `);
    const { status, output } = train("--resume", path("a"), "--steps", "100000000", "--set", "epochs=3");
    expect({ status, output }).toEqual({ status: 1, output: "" });
    expect(outcome(command(["evaluate", "--weights", path("b"), "--episodes", "0"]))).toMatchObject({ status: 0 });

    symlinkSync("/dev/full", path("log.jsonl"));
    const full = train(
      ...SMALL,
      ...ENDLESS,
      "--checkpoint",
      path("c"),
      "--weights",
      path("d"),
      "--log",
      path("log.jsonl"),
      "--log",
      path("other.jsonl"),
    );
    expect(full.status).toBe(1);
    expect(rows(path("other.jsonl"))[1]).toMatch(/^\{"update":1,/);
    expect(full.errors).toContain(`cannot write ${path("log.jsonl")}: `);
    expect(full.errors).toContain(
      `an error ended the run after 128 steps: the same command with --resume ${path("c")} goes on`,
    );
    expect(train("--resume", path("c"), "--steps", "128")).toMatchObject({ status: 0 });
    expect(existsSync(path("d"))).toBe(true);
  });

  test("a full disk leaves the files before it and nothing else", () => {
    const folder = temporaryFolder();
    const disk = join(folder, "disk");
    mkdirSync(disk);
    const kept = join(folder, "kept");
    expect(train(...SMALL, "--steps", "0", "--checkpoint", kept)).toMatchObject({ status: 0 });
    const half = Math.ceil(statSync(kept).size / 1024 / 2);
    const [program, args] = command([
      "train",
      ...SMALL,
      "--force",
      "--steps",
      "128",
      "--checkpoint",
      join(disk, "run"),
    ]);
    // A small disk, where this user may mount one. Elsewhere files may not become that long, which fails in the middle of a file too.
    const script = `
      if unshare --map-root-user --mount true 2>/dev/null; then
        exec unshare --map-root-user --mount sh -c '
          mount -t tmpfs -o size=${3 * half}k none "$DISK" && . "$PLAY"' "$0" "$@"
      fi
      trap "" XFSZ
      export LIMIT=${2 * half}
      . "$PLAY"`;
    const play = `
      cp "$KEPT" "$DISK/run" && chmod 600 "$DISK/run"
      if [ -n "$LIMIT" ]; then ulimit -f "$LIMIT"; fi
      "$0" "$@"
      echo "status $?"
      cmp "$KEPT" "$DISK/run" && ls -A "$DISK"`;
    writeFileSync(join(folder, "play"), play);
    const environment = [
      "-i",
      `PATH=${process.env.PATH}`,
      `DISK=${disk}`,
      `KEPT=${kept}`,
      `PLAY=${join(folder, "play")}`,
    ];
    const { output, errors } = run("env", [...environment, "sh", "-c", script, program, ...args]);
    expect(output).toBe("status 1\nrun\n");
    expect(errors).toContain(`cannot write ${join(disk, "run")}: `);
  });

  test("new files are not written through links that stand where they are made, and keep the mode of the old ones", () => {
    const folder = temporaryFolder();
    const path = (name: string) => join(folder, name);
    writeFileSync(path("victim"), "before");
    symlinkSync(path("victim"), path("run.part"));
    writeFileSync(path("run"), "before");
    chmodSync(path("run"), 0o600);
    const files = ["--force", "--checkpoint", path("run"), "--weights", path("w")];
    expect(train(...SMALL, "--steps", "128", ...files)).toMatchObject({ status: 0 });
    expect(readFileSync(path("victim"), "utf8")).toBe("before");
    expect(statSync(path("run")).mode & 0o777).toBe(0o600);
    expect(statSync(path("w")).mode & 0o777).toBe(0o666 & ~process.umask());
    expect(readdirSync(folder).sort()).toEqual(["run", "run.part", "victim", "w"]);
  });

  test("a file that is no run's is kept beside a log or a checkpoint", () => {
    const folder = temporaryFolder();
    const path = (name: string) => join(folder, name);
    writeFileSync(path("victim"), "before");
    symlinkSync(path("victim"), path("log.csv.settings.json"));
    writeFileSync(path("run.lock"), "before");
    const log = train(...SMALL, "--no-save", "--steps", "128", "--log", path("log.csv"));
    expect(log).toMatchObject({ status: 1, output: "" });
    expect(log.errors).toContain(
      `the settings of --log: ${path("log.csv.settings.json")} is there already; --force replaces it`,
    );
    const run = train(...SMALL, "--steps", "128", "--checkpoint", path("run"));
    expect(run).toMatchObject({ status: 1, output: "" });
    expect(run.errors).toContain(`${path("run.lock")} is no lock`);
    for (const name of ["victim", "run.lock"]) expect(readFileSync(path(name), "utf8")).toBe("before");
  });

  test("a file that is given twice is refused before anything runs", () => {
    const folder = temporaryFolder();
    const path = (name: string) => join(folder, name);
    const rom = path("rom");
    copyFileSync(new URL("../../crates/arcade/games/wallop.bin", import.meta.url), rom);
    train(...SMALL, "--steps", "0", "--checkpoint", path("run"));
    symlinkSync(path("x"), path("link"));
    const before = readFileSync(path("run"));
    for (const [first, second, args] of [
      ["--checkpoint", "--weights", ["--weights", path("x"), "--checkpoint", path("x")]],
      ["--weights", "--weights", ["--weights", path("x"), "--weights", path("link")]],
      ["--log", "--log", ["--log", path("x.jsonl"), "--log", `${folder}/./x.jsonl`]],
      ["--log", "the settings of --log", ["--log", path("x.csv"), "--log", path("x.csv.settings.json")]],
      ["--log", "--log", ["--log", path("board"), "--log", `${path("board")}/`]],
      ["--weights", "--log", ["--weights", path("x"), "--log", path("x")]],
      ["--resume", "--weights", ["--resume", path("run"), "--weights", path("run")]],
      ["--resume", "--log", ["--resume", path("run"), "--log", path("x"), "--log", path("run")]],
      ["the ROM", "--weights", [rom, "--weights", rom]],
    ] as const) {
      const { status, output, errors } = train(...SMALL, "--steps", "128", ...args);
      expect({ args, status, output }).toEqual({ args, status: 1, output: "" });
      expect(errors).toMatch(
        new RegExp(`^gym2600: ${first} and ${second} are the same file, .*: one would be lost\n$`),
      );
    }
    expect(readdirSync(folder).sort()).toEqual(["link", "rom", "run"]);
    expect(readFileSync(path("run")).equals(before)).toBe(true);
    expect(train("--resume", path("run"), "--checkpoint", path("run"), "--steps", "128")).toMatchObject({ status: 0 });
    expect(train(...SMALL, "--steps", "128", "--weights", "/dev/null", "--weights", "/dev/null")).toMatchObject({
      status: 0,
    });
  });

  test("a checkpoint that another run has is not read", async () => {
    const checkpoint = join(temporaryFolder(), "run");
    const running = start(command, ["train", ...SLOW, "--checkpoint", checkpoint]);
    await until(() => existsSync(checkpoint));
    writeFileSync(checkpoint, "being written");
    for (const more of [[], ["--checkpoint", checkpoint]]) {
      const { status, errors } = train("--resume", checkpoint, ...more);
      expect({ status, errors }).toEqual({ status: 1, errors: `gym2600: ${checkpoint} is in use by another run\n` });
    }
    running.child.kill("SIGKILL");
    await running.ended;
    expect(train("--resume", checkpoint).errors).toContain(`${checkpoint}: `);
  });

  test("a second run on the files of another is refused, by either program, until that has ended", async () => {
    const folder = temporaryFolder();
    const path = (name: string) => join(folder, name);
    const files = [
      ["--checkpoint", path("run")],
      ["--weights", path("w")],
      ["--log", path("log.jsonl")],
      ["--log", path("log.csv")],
      ["--log", path("board")],
    ] as const;
    const running = start(command, ["train", ...SMALL, ...ENDLESS, ...files.flat()]);
    await until(() => rows(path("log.jsonl")).length >= 1);
    for (const other of [nativeCommand, packagedCommand]) {
      for (const [option, file] of [files[0], files[2], files[4]]) {
        const { status, output, errors } = outcome(
          other(["train", ...SMALL, "--force", "--steps", "128", option, file]),
        );
        const expected = { status: 1, output: "", errors: `gym2600: ${file} is in use by another run\n` };
        expect({ file, status, output, errors }).toEqual({ file, ...expected });
      }
    }
    // A log before the refused one keeps its rows.
    writeFileSync(path("other.csv"), "update\n1\n");
    for (const other of [nativeCommand, packagedCommand]) {
      const logs = ["--log", path("other.csv"), "--log", path("log.csv")];
      expect(outcome(other(["train", ...SMALL, "--force", "--steps", "128", ...logs]))).toMatchObject({ status: 1 });
      expect(rows(path("other.csv"))).toEqual(["update", "1"]);
    }
    running.child.kill("SIGKILL");
    await running.ended;
    for (const other of [nativeCommand, packagedCommand]) {
      expect(outcome(other(["train", ...SMALL, "--force", "--steps", "128", ...files.flat()]))).toMatchObject({
        status: 0,
      });
    }
    expect(readdirSync(folder).sort()).toEqual([
      "board",
      "log.csv",
      "log.csv.settings.json",
      "log.jsonl",
      "other.csv",
      "run",
      "w",
    ]);
  });
});
