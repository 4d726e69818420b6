/** Paths, and the programs that tests compare. */

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { LONG } from "../limits.js";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
export const PACKAGE = join(ROOT, "packages/gym2600");

const TARGET = process.env.CARGO_TARGET_DIR ?? join(ROOT, "target");
const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "gym2600");
const ROMS = process.env.GYM2600_ROMS ?? join(CACHE, "roms");

/** A game's ROM file: WALLOP, or a copy by scripts/setup from ale-py's package. */
export function romPath(game: string): string {
  const path = game === "wallop" ? join(ROOT, "crates/arcade/games/wallop.bin") : join(ROMS, `${game}.bin`);
  if (!existsSync(path)) throw new Error(`${path} is missing: run scripts/setup reference`);
  return path;
}

/** A game's ROM. */
export function rom(game: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(romPath(game)));
}

/** The result of a program. */
export interface Run {
  readonly status: number;
  readonly output: string;
  readonly errors: string;
}

/** Runs the native program: the one that ships in the long form of the tests, or a quick build. The first call of a process builds it. */
export function native(...args: string[]): Run {
  return run(...nativeCommand(args));
}

/** The native program with its arguments. */
export function nativeCommand(args: readonly string[]): [program: string, args: readonly string[]] {
  program ??= build();
  return [program, args];
}

let program: string | undefined;

function build(): string {
  // The quick build is that of the Rust tests, with all that they build: alone the program has other features, and needs its dependencies again.
  const [profile, options] = LONG
    ? ["release", ["--release", "--package", "gym2600-cli"]]
    : ["debug", ["--workspace", "--lib", "--bin", "gym2600", "--example", "steps"]];
  // Else pyo3 is built again whenever PATH changes, as by npm.
  process.env.PYO3_NO_PYTHON = "1";
  const { status, errors } = run("cargo", ["build", "--quiet", ...options]);
  if (status !== 0) throw new Error(`the native program could not be built: ${errors}`);
  return join(TARGET, profile, "gym2600");
}

const SMALL_PICTURES = JSON.stringify({
  wrappers: [
    { type: "SkipFrames", n: 4 },
    { type: "ImagePreprocessing", width: 28, height: 28 },
    { type: "TimeLimit", steps: 40 },
    { type: "QueueFrames", n: 4 },
  ],
});

/** Arguments of a training with small pictures and updates of 128 steps, which take some milliseconds. Only files that are named are written. */
export const SMALL: readonly string[] = [
  "--no-save",
  ...["--options", SMALL_PICTURES, "--envs", "8"],
  ...["--set", "rollout=16", "--set", "minibatches=4", "--set", "epochs=2"],
];

/** Runs the package's program. */
export function packaged(...args: string[]): Run {
  return run(...packagedCommand(args));
}

/** The package's program with its arguments. */
export function packagedCommand(args: readonly string[]): [program: string, args: readonly string[]] {
  return [process.execPath, [join(PACKAGE, "dist/cli.js"), ...args]];
}

const PROGRAM = join(ROOT, "tests/conformance/program.mjs");

/** Runs `trace` or `rollout` through the package. */
export function throughPackage(...args: string[]): Run {
  return run(process.execPath, [PROGRAM, ...args]);
}

/** The same where compiling WebAssembly at run time is refused, as some pages' policies do. Each refusal prints a line to the standard error. */
export function throughPackageInterpreted(...args: string[]): Run {
  const refuse =
    "data:text/javascript,WebAssembly.Module = class { constructor() { throw console.error('refused'); } };";
  return run(process.execPath, ["--import", refuse, PROGRAM, ...args]);
}

/** Runs a Python program with the packages of tests/requirements.txt. */
export function python(program: string, args: readonly string[], input?: string): Run {
  const interpreter = join(CACHE, "venv/bin/python");
  if (!existsSync(interpreter)) throw new Error(`${interpreter} is missing: run scripts/setup reference`);
  return run(interpreter, ["-B", program, ...args], ROOT, input);
}

/** The date as a seed, so that the tests see other plays every day. GYM2600_SEED sets another. */
export function seedOfTheDay(): number {
  return Number(process.env.GYM2600_SEED || new Date().toISOString().slice(0, 10).replaceAll("-", ""));
}

/** Runs any program and waits for it. An end by a signal is an error. */
export function run(program: string, args: readonly string[], cwd: string = ROOT, input?: string): Run {
  const options = { cwd, input, encoding: "utf8", maxBuffer: 1 << 28 } as const;
  const { status, signal, stdout, stderr, error } = spawnSync(program, args, options);
  if (error !== undefined) throw error;
  if (status === null)
    throw new Error(`${program} ${args.join(" ")} in ${cwd} ended with ${signal}: ${stdout}${stderr}`);
  return { status, output: stdout, errors: stderr };
}

/** A folder among the temporary files of the machine. */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "gym2600-"));
}

/** Actions below `count` from a seed, each held for a few steps. */
export function someActions(length: number, count: number, seed: number): number[] {
  const actions: number[] = [];
  let state = (seed * 2654435761 + 1) >>> 0;
  while (actions.length < length) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const action = (state >>> 16) % count;
    const times = 1 + ((state >>> 8) % 6);
    for (let time = 0; time < times && actions.length < length; time++) actions.push(action);
  }
  return actions;
}

/** A file of actions in the format of the programs. */
export function actionsFile(actions: readonly number[]): string {
  const path = join(temporaryFolder(), "actions.txt");
  writeFileSync(path, `${actions.join("\n")}\n`);
  return path;
}

/** A game that colours the lines from 20 to 250 of its frames: ALE shows those from 34 to 244. */
export function tallGame(): Uint8Array<ArrayBuffer> {
  const wait = (lines: number) => [0xa2, lines, 0x85, 0x02, 0xca, 0xd0, 0xfb];
  const vsync = [0xa9, 0x02, 0x85, 0x00, 0x85, 0x02, 0x85, 0x02, 0x85, 0x02, 0xa9, 0x00, 0x85, 0x00];
  const [colour, black] = [
    [0xa9, 0x44, 0x85, 0x09],
    [0xa9, 0x00, 0x85, 0x09],
  ];
  const code = [vsync, wait(20), colour, wait(230), black, wait(9), [0x4c, 0x00, 0xf0]].flat();
  const rom = new Uint8Array(4096);
  rom.set(code);
  rom.set([0x00, 0xf0, 0x00, 0xf0], 4092);
  return rom;
}
