/** The functions besides those of environments. */

import {
  actionOf,
  Box,
  benchmark,
  checkEnv,
  commonSpace,
  Discrete,
  defineGame,
  EpisodeStatistics,
  Game,
  Gym2600Error,
  init,
  MemoryWriter,
  MultiDiscrete,
  play,
  RamGame,
} from "gym2600";
import { Policy } from "gym2600/learn";
import { GifWriter, npy, npz, parseReplay, Recorder, verifyReplay } from "gym2600/record";
import { TensorBoardWriter } from "gym2600/tensorboard";
import { locateError, parseDefinition, writeDefinition } from "gym2600/toml";
import type { Bad, Calls, World } from "./world.js";

/** An error in a definition. */
const WRONG_ROM = new Gym2600Error("bad-game", "game.rom: no text", {
  details: { option: "game", path: "game.rom", reason: "no text" },
});

export const SPACES: Calls = {
  "new Discrete(?)": (_, value) => new Discrete(value),
  "discrete.contains(?)": ({ discrete }, value) => discrete.contains(value),
  "discrete.seed(?)": ({ discrete }, value) => discrete.seed(value),
  "new Box(?, dtype)": (_, value) => new Box(value, "uint8"),
  "new Box([?], dtype).sample()": (_, value) => new Box([value], "uint8").sample(),
  "new Box([2, 2^40], dtype).sample()": () => new Box([2, 2 ** 40], "uint8").sample(),
  "new Box([2], ?)": (_, value) => new Box([2], value),
  "new Box([2], dtype, ?)": (_, value) => new Box([2], "uint8", value),
  "new Box([2], dtype, 0, ?)": (_, value) => new Box([2], "float32", 0, value),
  "box.contains(?)": ({ box }, value) => box.contains(value),
  "box.seed(?)": ({ box }, value) => box.seed(value),
  "new MultiDiscrete(?)": (_, value) => new MultiDiscrete(value),
  "new MultiDiscrete([?])": (_, value) => new MultiDiscrete([value]),
  "multi.contains(?)": ({ multi }, value) => multi.contains(value),
  "multi.seed(?)": ({ multi }, value) => multi.seed(value),
  "commonSpace(?)": (_, value) => commonSpace(value),
  "commonSpace([?, space])": ({ discrete }, value) => commonSpace([value, discrete]),
};

const CANVAS = { getContext: () => undefined } as Bad;

/** `value` in a place of a result of `statistics.record`. */
const recorded = ({ statistics }: World, result: object): void =>
  statistics.record({ rewards: [0], terminated: [0], truncated: [0], infos: [{}], ...result } as Bad);

/** A new game, which the call closes. */
async function withGame<T>({ rom }: World, use: (game: Game) => T | Promise<T>): Promise<void> {
  const game = await Game.create({ rom, wrappers: [] });
  try {
    await use(game);
  } finally {
    game.close();
  }
}

/** A game that ends a benchmark at once, whatever its options. */
function closed(actionSpace: Discrete): Bad {
  const refuse = () => {
    throw new Gym2600Error("closed", "the game is closed");
  };
  return { actionSpace, reset: refuse, step: refuse };
}

const stepped = (game: RamGame): void => {
  game.reset();
  game.step(0);
};

export const TOOLS: Calls = {
  "benchmark(?)": (_, value) => benchmark(value),
  "benchmark(closed game, ?)": ({ discrete }, value) => benchmark(closed(discrete), value),
  "benchmark(game, { steps: ? })": ({ game }, value) => benchmark(game, { steps: value, seconds: 0.01 }),
  "benchmark(game, { seconds: ? })": ({ game }, value) => benchmark(game, { seconds: value, steps: 1 }),
  "benchmark(game, { seed: ? })": ({ game }, value) => benchmark(game, { seed: value, steps: 1 }),
  "checkEnv(?)": (_, value) => checkEnv(value),
  "checkEnv(game, ?)": (world, value) => withGame(world, (game) => checkEnv(game, value)),
  "checkEnv(game, { steps: ? })": (world, value) =>
    withGame(world, (game) => checkEnv(game, { steps: value === undefined ? 1 : value })),
  "checkEnv(game, { seed: ? })": (world, value) => withGame(world, (game) => checkEnv(game, { seed: value, steps: 1 })),
  "play(?, options)": (_, value) => play(value, { canvas: CANVAS }),
  "play(game, ?)": ({ game }, value) => play(game, value),
  "play(game, { canvas: ? })": ({ game }, value) => play(game, { canvas: value }),
  "play(game, { keyboard: ? })": ({ game }, value) => play(game, { canvas: CANVAS, keyboard: value }),
  "play(game, { keys: ? })": (world, value) => played(world, { keys: value }),
  "play(game, { framesPerSecond: ? })": (world, value) => played(world, { framesPerSecond: value }),
  "play(game, { onStep: ? })": (world, value) => played(world, { onStep: value }),
  // The iterator of a detached array throws.
  "actionOf(?, actions)": (_, value) => (ArrayBuffer.isView(value) ? undefined : actionOf(value, ["NOOP"])),
  "actionOf(pressed, ?)": (_, value) => (ArrayBuffer.isView(value) ? undefined : actionOf([], value)),
  "actionOf([?], [?])": (_, value) => actionOf([value], [value]),
  "new RamGame(?, rules)": (_, value) => new RamGame(value, {}),
  "new RamGame(game, ?)": ({ bare }, value) => new RamGame(bare, value),
  "new RamGame(game, { reward: ? })": ({ bare }, value) => new RamGame(bare, { reward: value }),
  "a reward that gives ?": (world, value) =>
    withGame(world, (game) => stepped(new RamGame(game, { reward: () => value }))),
  "an end that gives ?": (world, value) =>
    withGame(world, (game) => stepped(new RamGame(game, { terminated: () => value }))),
  "ramGame.reset(?)": ({ ramGame }, value) => ramGame.reset(value),
  "ramGame.step(?)": ({ ramGame }, value) => ramGame.step(value),
  "ramGame.step(0, ?)": ({ ramGame }, value) => ramGame.step(0, value),
  "ramGame.ram(?)": ({ ramGame }, value) => ramGame.ram(value),
  "search.mark(?)": ({ search }, value) => search.mark(value),
  "search.look(?, { number: 1 })": ({ search }, value) => search.look(value, { number: 1 }),
  "search.look(ram, ?)": ({ search, bare }, value) => search.look(bare.ram(), value),
  "search.look(ram, { number: ? })": ({ search, bare }, value) => search.look(bare.ram(), { number: value }),
  "search.look(ram, { state: ? })": ({ search, bare }, value) => search.look(bare.ram(), { state: value }),
  "search.candidates(?)": ({ search }, value) => search.candidates(value),
  "search.candidates({ limit: ? })": ({ search }, value) => search.candidates({ limit: value }),
  "search.candidates({ ram: ? })": ({ search }, value) => search.candidates({ ram: value }),
  "defineGame(?)": (_, value) => defineGame(value),
  "defineGame({ rom: ? })": (_, value) => defineGame({ rom: value, name: "mine" }),
  "defineGame({ name: ? })": ({ rom }, value) =>
    typeof value === "string" ? undefined : defineGame({ rom, name: value }),
  "defineGame({ score: ? })": ({ rom }, value) =>
    value === undefined || value === null ? undefined : defineGame({ rom, name: "mine", score: value }),
  "new EpisodeStatistics(?)": (_, value) => new EpisodeStatistics(value),
  "new EpisodeStatistics({ writer: ? })": (_, value) => new EpisodeStatistics({ writer: value }),
  "new EpisodeStatistics({ numEnvs: ? })": ({ writer }, value) => new EpisodeStatistics({ writer, numEnvs: value }),
  "new EpisodeStatistics({ numEnvs: 2^40 })": ({ writer }) => new EpisodeStatistics({ writer, numEnvs: 2 ** 40 }),
  "new EpisodeStatistics({ window: ? })": ({ writer }, value) => new EpisodeStatistics({ writer, window: value }),
  "new EpisodeStatistics({ prefix: ? })": ({ writer }, value) => new EpisodeStatistics({ writer, prefix: value }),
  "statistics.record(?)": ({ statistics }, value) => statistics.record(value),
  "statistics.record({ rewards: ? })": (world, value) => recorded(world, { rewards: value }),
  "statistics.record({ rewards: [?] })": (world, value) => recorded(world, { rewards: [value] }),
  "statistics.record({ infos: [?] })": (world, value) => recorded(world, { infos: [value] }),
  "memory.scalar(?, ?, ?)": (_, value) => new MemoryWriter().scalar(value, value, value),
  // A text is a folder.
  "new TensorBoardWriter(?)": (_, value) => (typeof value === "string" ? undefined : new TensorBoardWriter(value)),
  "writer.scalar(?, 1, 1)": ({ writer }, value) => writer.scalar(value, 1, 1),
  "writer.scalar(name, ?, 1)": ({ writer }, value) => writer.scalar("name", value, 1),
  "writer.scalar(name, 1, ?)": ({ writer }, value) => writer.scalar("name", 1, value),
  "writer.hyperParameters(?)": ({ writer }, value) => writer.hyperParameters(value),
  "writer.hyperParameters({ name: ? })": ({ writer }, value) => writer.hyperParameters({ name: value }),
  "parseDefinition(?)": (_, value) => parseDefinition(value),
  "parseDefinition(text, ?)": (_, value) => parseDefinition("=", value),
  "writeDefinition(?)": (_, value) => writeDefinition(value),
  "writeDefinition({ rom: ? })": (_, value) => writeDefinition({ rom: value }),
  // It gives the error, which may be a promise.
  "locateError(?, text)": (_, value) => void locateError(value, ""),
  "locateError(error, ?)": (_, value) => locateError(WRONG_ROM, value),
  "locateError(error, text, ?)": (_, value) => locateError(WRONG_ROM, "", value),
  "policy.act(?)": ({ policy }, value) => policy.act(value, { shape: [4, 84, 84] }),
  "policy.act(observation, ?)": ({ policy }, value) => policy.act(new Uint8Array(4 * 84 * 84), value),
  "policy.act(observation, { seed: ? })": ({ policy }, value) =>
    policy.act(new Uint8Array(4 * 84 * 84), { shape: [4, 84, 84], seed: value }),
  "Policy.load(?)": (_, value) => Policy.load(value),
};

function played({ game }: World, options: object): Promise<void> {
  const playing = play(game, { canvas: CANVAS, keyboard: new EventTarget(), ...options });
  playing.stop();
  return playing.stopped;
}

export const RECORDS: Calls = {
  "new GifWriter(?)": (_, value) => new GifWriter(value),
  "new GifWriter({ framesPerSecond: ? })": (_, value) => new GifWriter({ framesPerSecond: value }),
  "gif.add(?)": ({ gif }, value) => gif.add(value),
  "gif.add({ width: ? })": ({ gif }, value) => gif.add({ width: value, height: 1, data: new Uint8Array(4) }),
  "gif.add({ data: ? })": ({ gif }, value) => gif.add({ width: 1, height: 1, data: value }),
  "npy(?)": (_, value) => npy(value),
  "npy({ shape: ? })": (_, value) => npy({ shape: value, data: new Uint8Array(4) }),
  "npy({ shape: [?] })": (_, value) => npy({ shape: [value], data: new Uint8Array(4) }),
  "npy({ data: ? })": (_, value) => npy({ shape: [100], data: value }),
  "npz(?)": (_, value) => npz(value),
  "npz({ name: ? })": (_, value) => npz({ name: value }),
  "npz({ [a name of 70,000 characters]: array })": () =>
    npz({ ["x".repeat(70_000)]: { shape: [1], data: new Uint8Array(1) } }),
  "new Recorder(?)": (_, value) => new Recorder(value),
  "new Recorder(game, ?)": ({ game }, value) => new Recorder(game, value),
  "recorder.reset(?)": ({ recorder }, value) => recorder.reset(value),
  "recorder.reset({ seed: ? })": ({ recorder }, value) => recorder.reset({ seed: value }),
  "recorder.step(?)": ({ recorder }, value) => recorder.step(value),
  "recorder.step(0, ?)": ({ recorder }, value) => recorder.step(0, value),
  "recorder.setSwitches(?)": ({ recorder }, value) => recorder.setSwitches(value),
  "recorder.arrays(?)": ({ recorder }, value) => recorder.arrays(value),
  "parseReplay(?)": (_, value) => parseReplay(value),
  "parseReplay({ format: ? })": ({ replay }, value) => parseReplay({ ...replay, format: value }),
  "parseReplay({ version: ? })": ({ replay }, value) => parseReplay({ ...replay, version: value }),
  "parseReplay({ md5: ? })": ({ replay }, value) => parseReplay({ ...replay, md5: value }),
  "parseReplay({ options: ? })": ({ replay }, value) => parseReplay({ ...replay, options: value }),
  "parseReplay({ runs: ? })": ({ replay }, value) => parseReplay({ ...replay, runs: value }),
  "parseReplay({ runs: [{ seed: ? }] })": (world, value) => parseRun(world, { seed: value }),
  "parseReplay({ runs: [{ actions: ? }] })": (world, value) => parseRun(world, { actions: value }),
  "parseReplay({ runs: [{ checksums: ? }] })": (world, value) => parseRun(world, { checksums: value }),
  "parseReplay({ runs: [{ paddleStrengths: ? }] })": (world, value) => parseRun(world, { paddleStrengths: value }),
  "verifyReplay(?, create)": ({ game }, value) => verifyReplay(value, () => game),
  "verifyReplay(replay, ?)": ({ replay }, value) => verifyReplay(replay, value),
  // It waits for the game, which may be a promise.
  "verifyReplay(replay, () => ?)": ({ replay }, value) => verifyReplay(replay, () => [value] as Bad),
};

function parseRun({ replay }: World, run: object): unknown {
  return parseReplay({ ...replay, runs: [{ ...replay.runs[0], ...run }] });
}

/** They change where the package looks for its files, if they are not refused, so they come last. */
export const INIT: Calls = {
  "init(?)": (_, value) => init(value),
  "init({ wasm: ? })": (_, value) => init({ wasm: value }),
  "init({ wasm: ?, worker })": (_, value) =>
    value === undefined ? undefined : init({ wasm: value, worker: "/no worker.js" }),
  "init({ worker: ? })": (_, value) => (typeof value === "string" ? undefined : init({ worker: value })),
};
