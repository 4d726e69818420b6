/** What the audit calls: open environments and tools, and a type for values that break the types on purpose. */

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  Arcade,
  Box,
  Discrete,
  EpisodeStatistics,
  Game,
  GameWorker,
  MemoryWriter,
  MultiDiscrete,
  RamGame,
  RamSearch,
  VectorEnv,
  wallop,
} from "gym2600";
import { Policy, Trainer } from "gym2600/learn";
import { GifWriter, Recorder } from "gym2600/record";
import { TensorBoardWriter } from "gym2600/tensorboard";

// biome-ignore lint/suspicious/noExplicitAny: the tests break the types on purpose.
export type Bad = any;

/** Calls with a value of the caller's in the place of the question mark of their name. */
export type Calls = Readonly<Record<string, (world: World, value: Bad) => unknown>>;

/** Environments that have been reset, and tools. */
export type World = Awaited<ReturnType<typeof openWorld>>;

export async function openWorld() {
  const rom = wallop;
  const game = await Game.create({ rom, preset: "labml" });
  const bare = await Game.create({ rom, wrappers: [] });
  const arcade = await Arcade.create({ rom });
  const worker = await GameWorker.create({ rom, preset: "labml" });
  await worker.reset();
  const envs = await VectorEnv.create({ rom, preset: "labml", numEnvs: 2, workers: 0 });
  await envs.reset();
  const ramGame = new RamGame(bare, {});
  ramGame.reset();
  const recorder = new Recorder(game, { arrays: true });
  recorder.reset({ seed: 1 });
  recorder.step(0);
  const trainer = await Trainer.create({ rom, workers: 0 });
  const policy = await Policy.load(trainer.weights());
  const folder = mkdtempSync(join(tmpdir(), "gym2600-audit-"));
  return {
    rom,
    game,
    bare,
    arcade,
    worker,
    envs,
    ramGame,
    search: await RamSearch.create(),
    recorder,
    trainer,
    policy,
    folder,
    state: game.save(),
    replay: recorder.replay(),
    statistics: new EpisodeStatistics({ writer: new MemoryWriter() }),
    writer: new TensorBoardWriter(folder),
    gif: new GifWriter(),
    discrete: new Discrete(3),
    box: new Box([2], "float32"),
    multi: new MultiDiscrete([2, 3]),
  };
}
