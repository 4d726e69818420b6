/** `gym2600 train` and `gym2600 evaluate`: the learner over its WebAssembly module. */

import { type ParseArgsConfig, parseArgs } from "node:util";
import { WasmEvaluation } from "../../wasm-learn/gym2600_learn.js";
import { Trainer } from "../learn/trainer.js";
import type { Algorithm, Net, TrainerOptions, TrainingUpdate } from "../learn/types.js";
import { callLearner, instantiateLearner } from "../learn/wasm.js";
import { setLearnerPlatform } from "../learn-platform-node.js";
import { wallop } from "../wallop.js";
import { integer, type Options, read, readRom, readText, UsageError, write } from "./input.js";
import { Output } from "./lines.js";

export const trainUsage = `gym2600 train [ROM] [--algorithm ppo|a2c] [--net tiny|a3c|nature] [--preset NAME|--options FILE|JSON] [--seed N]
              [--steps N] [--envs N] [--threads 1|2|4] [--set KEY=VALUE]... [--checkpoint FILE] [--resume FILE]
              [--weights FILE] [--log FILE] [--json]
  Learns to play a game from its pixels; WALLOP without a ROM.
  --json         prints a line of JSON for each update
  --weights FILE writes the weights at the end: safetensors, or ONNX if the name ends in .onnx
  --log FILE     writes a line of JSON for each update`;

export const evaluateUsage = `gym2600 evaluate [ROM] --weights FILE [--preset NAME] [--episodes N] [--seed N] [--greedy]
  Plays games with trained weights; prints the score of each, and of all.`;

/** Steps between two checkpoints. */
const CHECKPOINT_STEPS = 50_000;

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
  "weights",
  "log",
];

interface Parsed {
  readonly rom: string | undefined;
  readonly options: Options;
  readonly settings: readonly string[];
  readonly flags: Readonly<Record<string, boolean>>;
}

function parse(args: readonly string[], names: readonly string[], flags: readonly string[]): Parsed {
  const options: NonNullable<ParseArgsConfig["options"]> = { set: { type: "string", multiple: true } };
  for (const name of names) options[name] = { type: "string" };
  for (const name of flags) options[name] = { type: "boolean" };
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
    if (positionals.length > 1) throw new UsageError(`one argument too many: ${JSON.stringify(positionals[1])}`);
    const { set = [], ...rest } = values as Record<string, unknown> & { readonly set?: readonly string[] };
    const given = Object.fromEntries(flags.map((flag) => [flag, rest[flag] === true]));
    return { rom: positionals[0], options: rest as Options, settings: set, flags: given };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

export async function train(args: readonly string[]): Promise<void> {
  setLearnerPlatform();
  const { rom, options, settings, flags } = parse(args, TRAIN, ["json"]);
  const steps = integer(options, "steps", 1, Number.MAX_SAFE_INTEGER) ?? 1_000_000;
  const trainer = await Trainer.create(trainerOptions(rom, options, settings));
  const output = new Output();
  let log = "";
  try {
    while (trainer.steps < steps) {
      const before = trainer.steps;
      const update = await trainer.update();
      const text = line(update);
      if (flags.json) output.line(text);
      else process.stderr.write(progress(update, steps));
      output.flush();
      if (options.log !== undefined) {
        log += `${text}\n`;
        write(options.log, Buffer.from(log, "utf8"));
      }
      const due = Math.floor(update.steps / CHECKPOINT_STEPS) !== Math.floor(before / CHECKPOINT_STEPS);
      if (options.checkpoint !== undefined && (due || update.steps >= steps)) {
        write(options.checkpoint, await trainer.checkpoint());
      }
    }
    const path = options.weights;
    if (path !== undefined) write(path, path.endsWith(".onnx") ? trainer.onnx() : trainer.weights());
  } finally {
    trainer.close();
  }
}

function trainerOptions(rom: string | undefined, options: Options, settings: readonly string[]): TrainerOptions {
  const { preset, options: given, game } = options;
  if (preset !== undefined && given !== undefined) throw new UsageError("--preset and --options exclude each other");
  const environment =
    given === undefined ? {} : JSON.parse(given.trimStart().startsWith("{") ? given : readText(given));
  const workers = integer(options, "threads", 1, 4) ?? 2;
  return {
    rom: rom === undefined ? wallop : readRom(rom),
    algorithm: options.algorithm as Algorithm | undefined,
    net: options.net as Net | undefined,
    numEnvs: integer(options, "envs", 4, 2 ** 16),
    seed: integer(options, "seed", 0, Number.MAX_SAFE_INTEGER),
    // Three workers cannot share four shards evenly.
    workers: workers === 3 ? 2 : (workers as 1 | 2 | 4),
    options:
      preset === undefined && given === undefined && game === undefined
        ? undefined
        : { ...environment, ...(preset && { preset }), ...(game && { game: readText(game) }) },
    hyperParameters: Object.fromEntries(settings.map(setting)),
    resume: options.resume === undefined ? undefined : new Uint8Array(read(options.resume)),
  };
}

function setting(text: string): [string, string] {
  const at = text.indexOf("=");
  if (at < 0) throw new UsageError(`--set ${text}: expected KEY=VALUE`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** The line of an update, with the keys of the native program. */
function line(update: TrainingUpdate): string {
  return JSON.stringify({
    update: update.update,
    steps: update.steps,
    episodes: update.episodes,
    reward: update.reward,
    entropy: update.entropy,
    kl: update.kl,
    clip_fraction: update.clipFraction,
    explained_variance: update.explainedVariance,
    policy_loss: update.policyLoss,
    value_loss: update.valueLoss,
    steps_per_second: Math.round(update.stepsPerSecond * 10) / 10,
    weights: update.weights,
  });
}

/** A line that replaces the one before on a terminal. */
function progress(update: TrainingUpdate, steps: number): string {
  const score = update.reward === null ? "no game ended yet" : `score ${update.reward.toFixed(1)}`;
  const text = `${update.steps}/${steps} steps, ${score}, ${update.stepsPerSecond.toFixed(0)}/s`;
  if (process.stderr.isTTY) return `\r\x1b[K${text}${update.steps >= steps ? "\n" : ""}`;
  return `${text}\n`;
}

export async function evaluate(args: readonly string[]): Promise<void> {
  setLearnerPlatform();
  const { rom, options, flags } = parse(args, ["weights", "preset", "episodes", "seed"], ["greedy"]);
  if (options.weights === undefined) throw new UsageError("--weights is needed");
  const episodes = integer(options, "episodes", 0, Number.MAX_SAFE_INTEGER) ?? 10;
  const seed = integer(options, "seed", 0, Number.MAX_SAFE_INTEGER) ?? 0;
  const file = new Uint8Array(read(options.weights));
  const bytes = rom === undefined ? wallop : readRom(rom);
  await instantiateLearner();
  const game = JSON.stringify(options.preset === undefined ? {} : { preset: options.preset });
  const evaluation = callLearner(() => new WasmEvaluation(file, bytes, game, seed, flags.greedy === true));
  const output = new Output();
  const rewards: number[] = [];
  for (let episode = 1; episode <= episodes; episode++) {
    const [reward = 0, length = 0] = callLearner(() => evaluation.episode());
    rewards.push(reward);
    output.line(JSON.stringify({ episode, reward, length }));
  }
  if (episodes > 0) {
    const mean = rewards.reduce((sum, reward) => sum + reward, 0) / episodes;
    const squares = rewards.reduce((sum, reward) => sum + (reward - mean) * (reward - mean), 0);
    const deviation = Math.sqrt(squares / episodes);
    output.line(JSON.stringify({ episodes, mean, deviation, min: Math.min(...rewards), max: Math.max(...rewards) }));
  }
  output.flush();
}
