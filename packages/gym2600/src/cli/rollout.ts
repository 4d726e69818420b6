/** `gym2600 rollout`: plays an environment and prints the result of each step. */

import { MAX_ENVS } from "../arguments.js";
import { bytesOf } from "../buffers/observation-buffers.js";
import { Game } from "../env/game.js";
import { Gym2600Error } from "../errors.js";
import type { PresetName } from "../schema/gym.js";
import { checkSeed } from "../spaces.js";
import type { ResetResult, StepResult } from "../types.js";
import {
  checkWritable,
  InputError,
  integer,
  parse,
  read,
  readActions,
  readOptions,
  readRom,
  romAndActions,
  UsageError,
  withGameFile,
  write,
} from "./input.js";
import { checksum, Output, object, real } from "./lines.js";

export const rolloutUsage = `gym2600 rollout [ROM] ACTIONS --preset NAME|--options FILE|JSON [--seed N] [--envs N] [--game FILE]
                [--restore FILE] [--save FILE]
  Plays a preset's actions step by step; prints reward, flags and the checksum of the observation.
  ACTIONS: indices into the preset's action set, one a line (- reads the standard input).
  --preset NAME  labml, nature-dqn, gymnasium, ale-vector, envpool, baselines or gym2600
  --options FILE|JSON  options of the environment as JSON: a list of wrappers instead of a preset, for one
  --seed N       seed of the environment (0, if the options say none); with --envs the others count up from it where the preset's package does so
  --envs N       number of environments: the actions are dealt to them in turn, and every value is an array
  --game FILE    definition of the game (TOML), for a ROM that the catalogue lacks
  --restore FILE goes on from the state in a file instead of a reset: one that this program, or the native one, saved
  --save FILE    saves the state after the last action`;

export async function rollout(arguments_: readonly string[]): Promise<void> {
  const names = ["preset", "options", "seed", "envs", "game", "restore", "save"];
  const { positionals, options } = parse(arguments_, { options: names }, 2);
  const { rom, actions: path } = romAndActions(positionals);
  const { preset } = options;
  if (preset !== undefined && options.options !== undefined) {
    throw new UsageError("--preset and --options exclude each other");
  }
  const given = options.options === undefined ? {} : readOptions(options.options);
  if (preset === undefined && options.options === undefined) throw new UsageError("--preset or --options is needed");
  const seed = integer(options, "seed", 0, Number.MAX_SAFE_INTEGER) ?? given.seed ?? 0;
  const envs = integer(options, "envs", 1, MAX_ENVS);
  for (const name of ["restore", "save"]) {
    if (envs !== undefined && options[name] !== undefined)
      throw new UsageError(`--${name} is for one environment, without --envs`);
  }
  const settings: Options = {
    ...given,
    rom: readRom(rom),
    // The WebAssembly module checks the name.
    preset: (preset as PresetName | undefined) ?? given.preset,
    seed,
  };
  const lanes = await withGameFile(options.game, (game = given.game) => openLanes(envs ?? 1, { ...settings, game }));
  const actions = readActions(path, lanes[0].game.actionSpace.n);
  if (actions.length % lanes.length !== 0) {
    const counts = `${actions.length} actions cannot be dealt to ${lanes.length} environments`;
    throw new InputError(`${path}: ${counts}: ${actions.length} is no multiple of ${lanes.length}`);
  }
  if (options.save !== undefined) checkWritable(options.save);
  if (options.restore !== undefined) lanes[0].restore(options.restore);
  play(lanes, actions, envs === undefined ? single : batch, options.restore === undefined);
  if (options.save !== undefined) lanes[0].save(options.save);
}

type Options = Parameters<typeof Game.create>[0] & { readonly seed: number };

async function openLanes(count: number, options: Options): Promise<[Lane, ...Lane[]]> {
  const first = await Game.create(options);
  // In the Python originals with the seeding "gym" all environments of a batch have the same seed.
  const stride = first.description.spec.seeding === "gym" ? 0 : 1;
  const lanes: [Lane, ...Lane[]] = [new Lane(first)];
  for (let number = 1; number < count; number++) {
    const seed = options.seed + number * stride;
    checkSeed(seed);
    lanes.push(new Lane(await Game.create({ ...options, seed })));
  }
  return lanes;
}

function play(
  lanes: readonly Lane[],
  actions: readonly number[],
  line: (entries: readonly Entry[]) => string,
  fromReset: boolean,
): void {
  const output = new Output();
  if (fromReset) output.line(line(lanes.map((lane) => lane.reset())));
  for (let start = 0; start < actions.length; start += lanes.length) {
    const step = start / lanes.length + 1;
    output.line(line(lanes.map((lane, index) => lane.step(step, actions[start + index] ?? 0))));
  }
  output.flush();
}

/** The values of a line by name, as JSON. */
type Entry = ReadonlyArray<readonly [name: string, json: string]>;

function single([entry]: readonly Entry[]): string {
  return object(entry ?? []);
}

/** Every value is an array with an entry for each environment. */
function batch(entries: readonly Entry[]): string {
  const [first = []] = entries;
  return object(first.map(([name], field) => [name, `[${entries.map((entry) => entry[field]?.[1]).join(",")}]`]));
}

/** An environment that is reset after an end if it does not reset itself. */
class Lane {
  readonly game: Game;
  #ended = false;

  constructor(game: Game) {
    this.game = game;
  }

  reset(): Entry {
    return describe(0, this.game.reset());
  }

  restore(path: string): void {
    const state = read(path);
    try {
      this.game.restore(state);
    } catch (error) {
      throw error instanceof Gym2600Error ? new InputError(`${path}: ${error.message}`) : error;
    }
  }

  /** Writes the state. An environment that needs a reset is reset first. */
  save(path: string): void {
    if (this.#ended) this.game.reset();
    write(path, this.game.save());
  }

  step(number: number, action: number): Entry {
    if (this.#ended) this.game.reset();
    const result = this.game.step(action);
    this.#ended = (result.terminated || result.truncated) && !this.game.description.resetsItself;
    return describe(number, result);
  }
}

const BEFORE_THE_FIRST_STEP = { reward: 0, terminated: false, truncated: false };

function describe(step: number, result: ResetResult | StepResult): Entry {
  const { reward, terminated, truncated } = "reward" in result ? result : BEFORE_THE_FIRST_STEP;
  const { lives, episode } = result.info;
  const summary: Entry | undefined = episode && [
    ["reward", real(episode.reward)],
    ["length", String(episode.length)],
  ];
  return [
    ["step", String(step)],
    ["reward", real(reward)],
    ["terminated", String(terminated)],
    ["truncated", String(truncated)],
    ["lives", String(lives)],
    ["obs", checksum(bytesOf(result.observation))],
    ["episode", summary === undefined ? "null" : object(summary)],
  ];
}
