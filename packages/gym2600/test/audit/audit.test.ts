/**
 * Every public function refuses what it cannot use with a `Gym2600Error`. The snapshot has its code and the values that are taken.
 *
 * No other exception leaves the package, no instance is lost by a trap, and no call hangs.
 */

import { rmSync } from "node:fs";
import { Game, GameWorker, Gym2600Error, VectorEnv } from "gym2600";
import { TensorBoardWriter } from "gym2600/tensorboard";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { BAD_NAMES, bad } from "./bad-values.js";
import { BATCH, CREATIONS, DESCRIPTIONS, SINGLE } from "./environments.js";
import { INIT, RECORDS, SPACES, TOOLS } from "./tools.js";
import { type Bad, openWorld, type World } from "./world.js";

let world: World;

beforeAll(async () => {
  world = await openWorld();
  vi.stubGlobal("requestAnimationFrame", (next: (now: number) => void) => setTimeout(() => next(performance.now())));
});

afterAll(async () => {
  const { game, bare, arcade, worker, envs, trainer, writer, folder } = world;
  for (const one of [game, bare, arcade, worker, envs, trainer, writer]) await one.close();
  rmSync(folder, { recursive: true });
});

/** What comes of a call. */
async function outcome(call: () => unknown): Promise<string> {
  try {
    await call();
    return "taken";
  } catch (error) {
    if (error instanceof Gym2600Error) return error.code;
    throw error;
  }
}

/** The most frequent outcome, and the values of the others. */
function summary(outcomes: ReadonlyMap<string, readonly string[]>): string {
  const [[most] = [], ...others] = [...outcomes].sort(([, a], [, b]) => b.length - a.length);
  return [most, ...others.map(([found, names]) => `${found}: ${names.join(", ")}`)].join("\n");
}

const CALLS = { ...CREATIONS, ...DESCRIPTIONS, ...SINGLE, ...BATCH, ...SPACES, ...TOOLS, ...RECORDS, ...INIT };

test.for(Object.entries(CALLS))("%s", async ([where, call]) => {
  const outcomes = new Map<string, string[]>();
  for (const name of BAD_NAMES) {
    const found = await outcome(() => call(world, bad(name))).catch((error: unknown) => {
      throw new Error(`${where} with ${name} throws ${error}`, { cause: error });
    });
    // Only init loads a module; elsewhere this code is that of a trap.
    if (!where.startsWith("init")) expect(found, name).not.toBe("wasm-failed");
    outcomes.set(found, [...(outcomes.get(found) ?? []), name]);
  }
  expect(summary(outcomes)).toMatchSnapshot();
});

test("after all refusals everything still works", async () => {
  const { game, bare, arcade, worker, envs, policy, rom } = world;
  for (const call of [
    () => game.step(0),
    () => bare.step(0),
    () => arcade.act(0),
    () => worker.step(0),
    () => envs.step([0, 0]),
    () => policy.act(new Uint8Array(4 * 84 * 84), { shape: [4, 84, 84] }),
    async () => (await GameWorker.create({ rom })).close(),
  ]) {
    expect(await outcome(call)).toBe("taken");
  }
});

test("everything that is closed says so", async () => {
  const { rom, state, arcade, trainer } = world;
  const game: Bad = await Game.create({ rom });
  const memory = game.cloneState();
  const worker: Bad = await GameWorker.create({ rom });
  const envs: Bad = await VectorEnv.create({ rom, numEnvs: 1, workers: 1 });
  const console_: Bad = arcade.clone();
  const writer: Bad = new TensorBoardWriter(world.writer.path.replace(/[^/]*$/, ""));
  const closed = [game, worker, envs, console_, writer, trainer] as const;
  for (const one of closed) await one.close();
  const views: Record<string, Bad[]> = {
    ram: [],
    setRam: [0, 0],
    screen: [],
    screenGrey: [],
    screenRgb: [],
    audio: [],
    variables: [],
  };
  const frames = { keepFrames: [], frames: [], palette: [] };
  const methods: Record<string, Bad[]>[] = [
    {
      ...views,
      ...frames,
      ...{
        reset: [],
        step: [0],
        render: [],
        save: [],
        restore: [state],
        clone: [],
        cloneState: [],
        restoreState: [memory],
      },
    },
    { ...views, ...frames, reset: [], step: [0], render: [], save: [], restore: [state], paint: [], lastAction: [] },
    {
      ...{ reset: [], step: [[0]], stepMany: [[[0]]], send: [[0]], sendReset: [], recv: [], save: [0] },
      ...{ restore: [0, state], copyLane: [0, 0], revive: [0], render: [0], paint: [0], ram: [0], setRam: [0, 0, 0] },
      ...{ screen: [0], screenGrey: [0], screenRgb: [0], audio: [0], lastAction: [0], variables: [0] },
      ...{ keepFrames: [0], frames: [0], palette: [0] },
    },
    {
      ...views,
      clone: [],
      resetGame: [],
      act: [0],
      setMode: [0],
      setDifficulty: [0],
      render: [],
      save: [],
      restore: [state],
    },
    { scalar: ["name", 1, 1] },
    { update: [], weights: [], onnx: [], checkpoint: [], games: [] },
  ];
  for (const [index, one] of closed.entries()) {
    for (const [name, values] of Object.entries(methods[index] ?? {})) {
      expect(await outcome(() => (one as Bad)[name](...values)), name).toBe("closed");
    }
    expect(await outcome(() => one.close())).toBe("taken");
  }
});
