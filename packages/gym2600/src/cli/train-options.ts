/** What the command line says of a run. */

import { availableParallelism } from "node:os";
import type { Algorithm, Device, Net, TrainerOptions } from "../learn/types.js";
import { CHECKPOINT_STEPS, TRAINING_STEPS } from "../schema/learn.js";
import type { GameDefinition } from "../toml.js";
import { HYPER_ALIASES, HYPER_OPTIONS, hyperParameterHelp, hyperParametersOf } from "./hyper-parameters.js";
import {
  checkEnding,
  checkFolderOr,
  InputError,
  integer,
  type Options,
  oneOf,
  parse,
  read,
  readOptions,
  UsageError,
} from "./input.js";

/** All names of a generated type, which the compiler compares with it. */
const namesOf = <Name extends string>(names: Record<Name, true>) => Object.keys(names) as Name[];
const ALGORITHMS = namesOf<Algorithm>({ ppo: true, a2c: true });
const NETS = namesOf<Net>({ tiny: true, a3c: true, nature: true });
const DEVICES = namesOf<Device>({ auto: true, cpu: true, gpu: true });

export const trainUsage: string = `gym2600 train [ROM] [OPTION]...
  Learns to play a game from its pixels; WALLOP without a ROM. docs/learning.md explains the options.
  --algorithm NAME  How the policy is improved: ${ALGORITHMS.join(" or ")} [default: ppo]
  --net NAME  The policy's net: ${NETS.join(", ")} [default: tiny]
  --preset NAME  The environment [default: the list of OpenAI baselines with raw rewards, which the learner clips]
  --options FILE|JSON  Options of the environment as JSON, or a file with them [default: those of the preset]
  --game FILE  Definition of the game (TOML) [default: that of the catalogue]
  --mapper NAME  How the cartridge is banked, such as F8 [default: as the definition says, or detected]
  --seed N  Seed of weights, actions and games [default: 0]
  --steps N  Steps of all games after which training ends [default: ${TRAINING_STEPS}] [alias: --total-timesteps]
  --envs N  Number of games, a multiple of four [default: 32] [alias: --num-envs]
  --threads N  Number of workers, of which 1, 2 or 4 are used (3 counts as 2); it changes no result [default: the processor's]
  --checkpoint FILE  Saves the run here at its start, every ${CHECKPOINT_STEPS} steps or 30 seconds, and at its end, also by SIGINT, SIGTERM
      and SIGHUP [default: GAME-ALGORITHM-SEED.checkpoint, or that of --resume, where there is no --weights]
  --resume FILE  Goes on from a checkpoint with its settings: others are refused, but steps, threads and files may change
  --weights FILE  Writes the weights at the end, as the checkpoint: safetensors, or ONNX if the name ends in .onnx [default: none]
  --log FILE  Logs every update: JSON lines (.jsonl), CSV (.csv) or TensorBoard (a folder). A resumed run goes on after its checkpoint
      [default: none]
  --log-games FILE  Logs every game that ends, likewise [default: none]
  --force  Replaces files of other runs [default: they are refused]
  --no-save  Writes no file but those that are named
  --device NAME  What computes the nets: ${DEVICES.join(", ")}. It needs WebGPU, which Node lacks: the native program takes cards [default: cpu]
  --json  Prints a line of JSON for each update [default: the progress, on the standard error]
  --set KEY=VALUE  Sets any of these hyper-parameters by its name, as learning_rate=0.001
  ${hyperParameterHelp().join("\n  ")}`;

const TRAIN = [
  "algorithm",
  "net",
  "preset",
  "options",
  "game",
  "mapper",
  "seed",
  "steps",
  "envs",
  "threads",
  "checkpoint",
  "resume",
  "device",
];

/** A parsed command line of `train`. */
export interface TrainArguments {
  readonly rom: string | undefined;
  readonly options: Options;
  readonly steps: number;
  readonly settings: readonly string[];
  readonly checkpoint: string | undefined;
  readonly resume: string | undefined;
  readonly weights: readonly string[];
  readonly logs: readonly string[];
  readonly gameLogs: readonly string[];
  readonly force: boolean;
  readonly noSave: boolean;
  readonly json: boolean;
}

export function parseTrain(args: readonly string[]): TrainArguments {
  const names = {
    options: [...TRAIN, ...HYPER_OPTIONS],
    lists: ["set", "weights", "log", "log-games"],
    flags: ["json", "fast", "force", "no-save"],
    aliases: { "total-timesteps": "steps", "num-envs": "envs", ...HYPER_ALIASES },
  };
  const { positionals, options, list, flag } = parse(args, names, 1);
  if (flag("fast")) {
    throw new UsageError("--fast is for the native program: WebAssembly has no fused multiply-add");
  }
  const parsed = {
    rom: positionals[0],
    options,
    steps: integer(options, "steps", 0, Number.MAX_SAFE_INTEGER) ?? TRAINING_STEPS,
    settings: list("set"),
    checkpoint: options.checkpoint,
    resume: options.resume,
    weights: list("weights"),
    logs: list("log"),
    gameLogs: list("log-games"),
    force: flag("force"),
    noSave: flag("no-save"),
    json: flag("json"),
  };
  if (parsed.checkpoint !== undefined) checkEnding("--checkpoint", parsed.checkpoint, [".checkpoint", ".safetensors"]);
  for (const path of parsed.weights) checkEnding("--weights", path, [".safetensors", ".onnx"]);
  const logEndings = [".jsonl", ".json", ".csv"];
  for (const path of parsed.logs) checkFolderOr("--log", path, logEndings, "for TensorBoard");
  for (const path of parsed.gameLogs) checkFolderOr("--log-games", path, logEndings, "for TensorBoard");
  return parsed;
}

/** The options of an environment, of which the WebAssembly module checks all values. */
export function environmentOf(
  { preset, options, mapper }: Options,
  game: GameDefinition | undefined,
): Record<string, unknown> & { seed?: unknown } {
  if (preset !== undefined && options !== undefined) {
    throw new UsageError("--preset and --options exclude each other");
  }
  return {
    ...(options === undefined ? { preset } : readOptions(options)),
    ...(game === undefined ? {} : { game }),
    ...(mapper === undefined ? {} : { mapper }),
  };
}

export function trainerOptions(
  { options, settings, resume }: TrainArguments,
  rom: Uint8Array<ArrayBuffer>,
  game: GameDefinition | undefined,
): TrainerOptions {
  const { seed: given, ...environment } = environmentOf(options, game);
  const seed = integer(options, "seed", 0, Number.MAX_SAFE_INTEGER) ?? given;
  const threads = integer(options, "threads", 1, Number.MAX_SAFE_INTEGER) ?? availableParallelism();
  const named = Object.values(environment).some((value) => value !== undefined);
  const hyperParameters = { ...Object.fromEntries(settings.map(setting)), ...hyperParametersOf(options) };
  return {
    rom,
    algorithm: oneOf(options, "algorithm", ALGORITHMS),
    net: oneOf(options, "net", NETS),
    numEnvs: integer(options, "envs", 0, Number.MAX_SAFE_INTEGER),
    seed: seed as TrainerOptions["seed"],
    device: oneOf(options, "device", DEVICES),
    // Three workers cannot share four shards evenly.
    workers: threads >= 4 ? 4 : threads >= 2 ? 2 : 1,
    options: named ? (environment as TrainerOptions["options"]) : undefined,
    hyperParameters:
      Object.keys(hyperParameters).length === 0
        ? undefined
        : (hyperParameters as unknown as TrainerOptions["hyperParameters"]),
    resume: resume === undefined ? undefined : readCheckpoint(resume),
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
