/** `gym2600 train` and `gym2600 evaluate`: the learner over its WebAssembly module. */

import { availableParallelism } from "node:os";
import { WasmEvaluation } from "../../wasm-learn/gym2600_learn.js";
import { Gym2600Error } from "../errors.js";
import { LearnerRom } from "../learn/game.js";
import { Trainer } from "../learn/trainer.js";
import type { Algorithm, Net, TrainerOptions } from "../learn/types.js";
import { instantiateModules, LearnerObject } from "../learn/wasm.js";
import { setLearnerPlatform } from "../learn-platform-node.js";
import { CHECKPOINT_STEPS, EVALUATION_EPISODES, TRAINING_STEPS } from "../schema/learn.js";
import { checkSeed } from "../spaces.js";
import type { GameDefinition } from "../toml.js";
import { check, Lock } from "./files.js";
import {
  InputError,
  integer,
  type Options,
  oneOf,
  parse,
  read,
  readOptions,
  readRom,
  UsageError,
  withGameFile,
} from "./input.js";
import { Output, object, real } from "./lines.js";
import { beginLog, type TrainingLog, takeLogPlace } from "./training-log.js";
import { checkDistinct, runTraining } from "./training-run.js";

/** All names of a generated type, which the compiler compares with it. */
const namesOf = <Name extends string>(names: Record<Name, true>) => Object.keys(names) as Name[];
const ALGORITHMS = namesOf<Algorithm>({ ppo: true, a2c: true });
const NETS = namesOf<Net>({ tiny: true, a3c: true, nature: true });

export const trainUsage: string = `gym2600 train [ROM] [--algorithm ${ALGORITHMS.join("|")}] [--net ${NETS.join("|")}] [--preset NAME|--options FILE|JSON] [--game FILE]
              [--seed N] [--steps N] [--envs N] [--threads N] [--set KEY=VALUE]... [--checkpoint FILE] [--resume FILE]
              [--weights FILE]... [--log FILE]... [--json]
  Learns to play a game from its pixels; WALLOP without a ROM. docs/learning.md explains the options.
  --threads N    number of workers, of which 1, 2 or 4 are used
  --checkpoint FILE saves the run at its start, every ${CHECKPOINT_STEPS} steps or 30 seconds, and at its end, also by SIGINT, SIGTERM and SIGHUP
  --resume FILE  goes on from a checkpoint with its settings: others are refused, but steps, threads and files may change
  --weights FILE writes the weights at the end, as the checkpoint: safetensors, or ONNX if the name ends in .onnx
  --log FILE     logs every update: JSON lines (.jsonl), CSV (.csv) or TensorBoard (a folder); with --resume after the checkpoint
  --json         prints a line of JSON for each update instead of the progress`;

export const evaluateUsage = `gym2600 evaluate [ROM] --weights FILE [--preset NAME|--options FILE|JSON] [--game FILE] [--episodes N] [--seed N]
                 [--greedy]
  Plays games with trained weights; prints the score of each, and of all. Preset, options and game are for weights that name none;
  those that differ from theirs are refused.`;

const TRAIN = [
  "algorithm",
  "net",
  "preset",
  "options",
  "game",
  "seed",
  "steps",
  "envs",
  "threads",
  "checkpoint",
  "resume",
];

export async function train(args: readonly string[]): Promise<void> {
  setLearnerPlatform();
  const lists = ["set", "weights", "log"];
  const { positionals, options, list, flag } = parse(args, { options: TRAIN, lists, flags: ["json", "fast"] }, 1);
  if (flag("fast")) {
    throw new UsageError("--fast is for the native program: WebAssembly has no fused multiply-add");
  }
  const steps = integer(options, "steps", 0, Number.MAX_SAFE_INTEGER) ?? TRAINING_STEPS;
  const [rom] = positionals;
  const { checkpoint, resume } = options;
  const checkpoints = checkpoint === undefined ? [] : [checkpoint];
  const [weights, logPaths] = [list("weights"), list("log")];
  const isJson = options.options?.trimStart().startsWith("{");
  const given = [
    ["the ROM", rom],
    ["--resume", resume],
    ["--options", isJson ? undefined : options.options],
    ["--game", options.game],
  ] as const;
  const named = (name: string, paths: readonly string[]) => paths.map((path) => [name, path] as const);
  checkDistinct(
    given.flatMap(([name, path]) => (path === undefined ? [] : named(name, [path]))),
    [...named("--checkpoint", checkpoints), ...named("--weights", weights), ...named("--log", logPaths)],
  );
  const trainer = await ofFile(resume, () =>
    withGameFile(options.game, (game) => Trainer.create(trainerOptions(rom, options, list("set"), game))),
  );
  const locks: Array<Lock | undefined> = [];
  const logs: TrainingLog[] = [];
  try {
    const results = [...checkpoints, ...weights];
    for (const path of results) check(path);
    for (const path of results) locks.push(Lock.take(path));
    const resumed = resume === undefined ? undefined : { updates: trainer.updates, steps: trainer.steps };
    // All are free before the first one changes.
    const places = logPaths.map(takeLogPlace);
    for (const place of places) logs.push(beginLog(place, resumed));
    await runTraining({ trainer, steps, logs, weights, checkpoint, resume, json: flag("json") });
  } finally {
    trainer.close();
    for (const log of logs) log.close();
    for (const lock of locks) lock?.release();
  }
}

/** The options of an environment, of which the WebAssembly module checks all values. */
function environmentOf({ preset, options }: Options, game: GameDefinition | undefined) {
  if (preset !== undefined && options !== undefined) {
    throw new UsageError("--preset and --options exclude each other");
  }
  const given: Record<string, unknown> = options === undefined ? { preset } : { ...readOptions(options) };
  return game === undefined ? given : { ...given, game };
}

function trainerOptions(
  rom: string | undefined,
  options: Options,
  settings: readonly string[],
  game: GameDefinition | undefined,
): TrainerOptions {
  const { seed: given, ...environment } = environmentOf(options, game);
  const seed = integer(options, "seed", 0, Number.MAX_SAFE_INTEGER) ?? given;
  const threads = integer(options, "threads", 1, Number.MAX_SAFE_INTEGER) ?? availableParallelism();
  const named = Object.values(environment).some((value) => value !== undefined);
  return {
    rom: readRom(rom),
    algorithm: oneOf(options, "algorithm", ALGORITHMS),
    net: oneOf(options, "net", NETS),
    numEnvs: integer(options, "envs", 0, Number.MAX_SAFE_INTEGER),
    seed: seed as TrainerOptions["seed"],
    // Three workers cannot share four shards evenly.
    workers: threads >= 4 ? 4 : threads >= 2 ? 2 : 1,
    options: named ? (environment as TrainerOptions["options"]) : undefined,
    hyperParameters:
      settings.length === 0
        ? undefined
        : (Object.fromEntries(settings.map(setting)) as TrainerOptions["hyperParameters"]),
    resume: options.resume === undefined ? undefined : readCheckpoint(options.resume),
  };
}

/** The trainer takes an array without bytes for one that was detached: an empty file is refused here. */
function readCheckpoint(path: string): Uint8Array {
  const bytes = read(path);
  if (bytes.length === 0) throw new InputError(`${path}: this is no file of safetensors: header too small`);
  return bytes;
}

function setting(text: string): [string, string] {
  const at = text.indexOf("=");
  if (at < 0) throw new UsageError(`--set ${text}: expected KEY=VALUE`);
  return [text.slice(0, at), text.slice(at + 1)];
}

export async function evaluate(args: readonly string[]): Promise<void> {
  setLearnerPlatform();
  const names = ["weights", "preset", "options", "game", "episodes", "seed"];
  const { positionals, options, flag } = parse(args, { options: names, flags: ["greedy"] }, 1);
  if (options.weights === undefined) throw new UsageError("--weights is needed");
  const episodes = integer(options, "episodes", 0, Number.MAX_SAFE_INTEGER) ?? EVALUATION_EPISODES;
  const seed = integer(options, "seed", 0, Number.MAX_SAFE_INTEGER);
  const file = read(options.weights);
  const bytes = readRom(positionals[0]);
  await instantiateModules();
  const evaluation = await ofFile(options.weights, () =>
    withGameFile(options.game, async (game) => {
      const { seed: given = 0, ...environment } = environmentOf(options, game);
      const first = seed ?? (given as number);
      checkSeed(first);
      const greedy = flag("greedy");
      return new LearnerObject(() => new WasmEvaluation(file, new LearnerRom(bytes), environment, first, greedy));
    }),
  );
  const output = new Output();
  const rewards: number[] = [];
  for (let episode = 1; episode <= episodes; episode++) {
    const [reward = 0, length = 0] = evaluation.run((games) => games.episode());
    rewards.push(reward);
    output.line(
      object([
        ["episode", String(episode)],
        ["reward", real(reward)],
        ["length", String(length)],
      ]),
    );
  }
  if (episodes > 0) output.line(total(rewards));
  output.flush();
}

/** Calls `call`. A refusal of weights or of a checkpoint names their file. */
async function ofFile<T>(path: string | undefined, call: () => T | Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (path === undefined || !(error instanceof Gym2600Error) || error.code !== "bad-weights") throw error;
    const advice = path.endsWith(".onnx") ? " (safetensors are read, and ONNX is only written)" : "";
    throw new InputError(`${path}: ${error.message}${advice}`);
  }
}

/** The last line: the scores of all games. */
function total(rewards: readonly number[]): string {
  const mean = rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length;
  const squares = rewards.reduce((sum, reward) => sum + (reward - mean) * (reward - mean), 0);
  return object([
    ["episodes", String(rewards.length)],
    ["mean", real(mean)],
    ["deviation", real(Math.sqrt(squares / rewards.length))],
    ["min", real(Math.min(...rewards))],
    ["max", real(Math.max(...rewards))],
  ]);
}
