/** `gym2600 evaluate`: games played with trained weights. */

import { availableParallelism } from "node:os";
import { scores } from "../../wasm-learn/gym2600_learn.js";
import { callLearner, instantiateModules } from "../learn/wasm.js";
import { setLearnerPlatform } from "../learn-platform-node.js";
import { EVALUATION_EPISODES } from "../schema/learn.js";
import { checkSeed } from "../spaces.js";
import type { GameDefinition } from "../toml.js";
import { type EvaluationRequest, type GameResult, HereEvaluation, WorkerEvaluation } from "./evaluation-worker.js";
import { InputError, integer, parse, read, readRom, real, UsageError, withGameFile } from "./input.js";
import { ofFile } from "./learn.js";
import { Output, object, real as realText } from "./lines.js";
import { checkRecording, checkRecordingPath, writeRecording } from "./recording.js";
import { environmentOf } from "./train-options.js";

export const evaluateUsage: string = `gym2600 evaluate [ROM] --weights FILE... [OPTION]...
  Plays games with trained weights; prints the score of each, and of all. WALLOP without a ROM.
  --weights FILE  The weights: a file of \`gym2600 train\`, or CleanRL's of the same net as safetensors. Several are evaluated one after the other
  --preset NAME  The environment [default: that of the weights' training]
  --options FILE|JSON  The environment's options as JSON, or a file with them. Those that are left out are training's [default: training's]
  --game FILE  Definition of the game (TOML) [default: training's, or that of the catalogue]
  --mapper NAME  How the cartridge is banked, such as F8 [default: training's, the definition's, or detected]
  --sticky P  Probability that a frame repeats the previous action, 0 to 1 [default: training's]
  --mode N  The game's mode [default: training's]
  --difficulty N  The game's difficulty [default: training's]
  --max-frames N  Frames after which a game is cut off; 0 for never [default: training's]
  --episodes N  Number of games [default: ${EVALUATION_EPISODES}]
  --envs N  Games at once. Their seeds count up from the seed, and they play the episodes in turn [default: 1] [alias: --num-envs]
  --seed N  Seed of the games and of sampled actions [default: that of the options, or 0]
  --greedy  Takes the most probable action instead of a sampled one
  --record FILE  Records the first game: a GIF (.gif), a replay (.json), or its pictures as PNG (a folder) [default: none]
  --force  Replaces recordings that are there [default: they are refused]`;

/** Games at once at most. */
const MOST_ENVS = 1024;
const MOST_32_BITS = 2 ** 32 - 1;

/** What {@link scores} gives. */
interface Scores {
  readonly episodes: number;
  readonly mean: number;
  readonly deviation: number;
  readonly standard_error: number | null;
  readonly interval: readonly [number, number] | null;
  readonly min: number;
  readonly max: number;
}

export async function evaluate(args: readonly string[]): Promise<void> {
  setLearnerPlatform();
  const names = {
    options: [
      "preset",
      "options",
      "game",
      "mapper",
      "sticky",
      "mode",
      "difficulty",
      "max-frames",
      "episodes",
      "envs",
      "seed",
    ],
    lists: ["weights", "record"],
    flags: ["greedy", "force"],
    aliases: { "num-envs": "envs" },
  };
  const { positionals, options, list, flag } = parse(args, names, 1);
  const [files, records] = [list("weights"), list("record")];
  if (files.length === 0) throw new UsageError("--weights is needed");
  for (const path of records) checkRecordingPath(path);
  if (records.length > 0 && files.length > 1) {
    throw new UsageError(`--record ${records[0]}: one game is recorded, and so one file of weights can be given`);
  }
  const episodes = integer(options, "episodes", 0, Number.MAX_SAFE_INTEGER) ?? EVALUATION_EPISODES;
  const envs = integer(options, "envs", 1, MOST_ENVS) ?? 1;
  const seed = integer(options, "seed", 0, Number.MAX_SAFE_INTEGER);
  const given = {
    repeatActionProbability: real(options, "sticky", 0, 1),
    mode: integer(options, "mode", 0, MOST_32_BITS),
    difficulty: integer(options, "difficulty", 0, MOST_32_BITS),
    maxFramesPerEpisode: integer(options, "max-frames", 0, MOST_32_BITS),
  };
  for (const path of records) checkRecording(path, flag("force"));
  const rom = readRom(positionals[0]);
  await instantiateModules();
  // All files are read before the first game, and each once: it may be a pipe.
  const makeAll = (game: GameDefinition | undefined) => {
    const { seed: inOptions = 0, ...environment } = environmentOf(options, game);
    const first = seed ?? (inOptions as number);
    checkSeed(first);
    const wanted = {
      ...environment,
      ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    };
    const make = (path: string) => {
      const request = { rom, weights: read(path), options: wanted, seed: first, greedy: flag("greedy") };
      return ofFile(path, () => ({ path, request, first: new HereEvaluation(request) }));
    };
    return Promise.all(files.map(make));
  };
  const players = await withGameFile(options.game, makeAll);
  const output = new Output();
  for (const player of players) await play(player, { envs, episodes, records, several: files.length > 1 }, output);
  output.flush();
}

/** A file of weights, and the first of its games. */
interface Player {
  readonly path: string;
  readonly request: EvaluationRequest;
  readonly first: HereEvaluation;
}

interface Plan {
  readonly envs: number;
  readonly episodes: number;
  readonly records: readonly string[];
  readonly several: boolean;
}

/** Plays the games of a file of weights, and prints them in their order. */
async function play({ path, request, first }: Player, plan: Plan, output: Output): Promise<void> {
  const { episodes, records, several } = plan;
  const name = several ? [["weights", JSON.stringify(path)] as const] : [];
  const { differences } = first;
  for (const { option, theirs, ours } of JSON.parse(differences) as Array<Record<string, unknown>>) {
    const [before, now] = [theirs, ours].map((value) =>
      value === null ? "its default" : shortened(JSON.stringify(value)),
    );
    process.stderr.write(`gym2600: ${path}: ${option} is ${now}, in training ${before}\n`);
  }
  const rewards: number[] = [];
  for await (const [episode, { reward, length }] of games(first, request, plan)) {
    if (episode === 1) for (const record of records) await writeRecording(record, request.rom, first);
    rewards.push(reward);
    output.line(
      object([...name, ["episode", String(episode)], ["reward", realText(reward)], ["length", String(length)]]),
    );
    output.flush();
  }
  if (episodes > 0) output.line(object([...name, ...total(rewards, differences)]));
  output.flush();
}

const LONGEST_SHOWN = 80;

function shortened(json: string): string {
  return json.length > LONGEST_SHOWN ? `${json.slice(0, LONGEST_SHOWN)}...` : json;
}

/** Plays episodes, in turn by several games, and gives them in their order, each with its number from 1. */
async function* games(
  first: HereEvaluation,
  request: EvaluationRequest,
  { envs, episodes }: Plan,
): AsyncGenerator<[episode: number, result: GameResult]> {
  const count = Math.min(envs, Math.max(episodes, 1));
  const workers = Math.min(count, availableParallelism());
  if (workers === 1) {
    const here = [first];
    for (let number = 1; number < count; number++)
      here.push(new HereEvaluation({ ...request, seed: request.seed + number }));
    for (let episode = 0; episode < episodes; episode++)
      yield [episode + 1, (here[episode % count] as HereEvaluation).episode()];
    return;
  }
  const group = new WorkerEvaluation(request, { count, workers, episodes });
  try {
    for (let episode = 0; episode < episodes; episode++) {
      const result = await group.episode(episode);
      if (episode === 0) first.played(result.actions);
      yield [episode + 1, result];
    }
  } finally {
    await group.close();
  }
}

/** The last line: the scores of all games. */
function total(rewards: readonly number[], differences: string): Array<readonly [name: string, json: string]> {
  const all = callLearner(() => scores(Float64Array.from(rewards)) as Scores | null);
  if (all === null) throw new InputError("no game was played");
  const { standard_error: error, interval } = all;
  return [
    ["episodes", String(all.episodes)],
    ["mean", realText(all.mean)],
    ["deviation", realText(all.deviation)],
    ["standard_error", error === null ? "null" : realText(error)],
    ["interval", interval === null ? "null" : `[${interval.map(realText).join(",")}]`],
    ["min", realText(all.min)],
    ["max", realText(all.max)],
    ...(differences === "[]" ? [] : [["differences", differences] as const]),
  ];
}
