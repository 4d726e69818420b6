/** Opens the lanes of a `VectorEnv`. */

import { checkCount, copyOptions } from "../arguments.js";
import { BufferPool } from "../buffers/buffer-pool.js";
import { describeLane } from "../env/description.js";
import { romBytes } from "../rom.js";
import { MAX_ENVS } from "../schema/gym.js";
import { InlinePort } from "../worker/inline-port.js";
import { seedsOf } from "./batch.js";
import { checkCanvases } from "./checks.js";
import { type GroupSetup, LaneGroup } from "./lane-group.js";
import type { VectorEnvOptions } from "./vector-types.js";

/** Far above what a machine can use; see `MAX_ENVS`. */
const MAX_WORKERS = 256;

/** Lanes that have been opened. */
export interface Opened {
  /** The seed of the first lane, if any was given. */
  readonly seed: number | undefined;
  readonly groups: readonly LaneGroup[];
  readonly pool: BufferPool;
  /** The canvases of the lanes, which have not been given to them. */
  readonly canvases: ReadonlyArray<OffscreenCanvas | undefined>;
}

/** Loads the games. Refuses bad options before any worker is started; if a worker fails, the others are closed. */
export async function openGroups(options: VectorEnvOptions): Promise<Opened> {
  const { rom: source, numEnvs, seed, keepStates = 0, canvases: given = [], ...rest } = copyOptions(options);
  checkCount("numEnvs", numEnvs, 1, MAX_ENVS);
  const { workers = Math.min(numEnvs, MAX_WORKERS), ...game } = rest;
  checkCount("workers", workers, 0, MAX_WORKERS);
  checkCount("keepStates", keepStates, 0);
  const canvases = checkCanvases(given, numEnvs);
  const rom = await romBytes(source);
  const { spec, resetsItself } = await describeLane(rom, game);
  const autoreset = game.autoreset ?? (resetsItself ? undefined : "next-step");
  const seeds = seedsOf(seed === undefined ? 0 : seed, numEnvs, spec.seeding);
  const lanes = seeds.map((seed) => ({ ...game, autoreset, seed }));
  const count = Math.min(Math.max(workers, 1), numEnvs);
  const starts = Array.from({ length: count + 1 }, (_, group) => Math.floor((group * numEnvs) / count));
  const inline = workers === 0 ? () => new InlinePort() : undefined;
  // One buffer for each worker, one recycled by the caller, and one for the joined result.
  const pool = new BufferPool(count + 2);
  const setup: GroupSetup = { rom, inline, keepStates, pool };
  const opened = await Promise.allSettled(
    starts.slice(0, -1).map((start, group) => LaneGroup.open(setup, start, lanes.slice(start, starts[group + 1]))),
  );
  const groups = opened.filter((result) => result.status === "fulfilled").map(({ value }) => value);
  const failure = opened.find((result) => result.status === "rejected");
  if (failure === undefined) return { seed: seed === undefined ? undefined : seeds[0], groups, pool, canvases };
  await Promise.all(groups.map((group) => group.close()));
  throw failure.reason;
}
