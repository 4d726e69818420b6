/** Rewards and ends as functions of the RAM of WALLOP: 0x82 has the balls, 0x86 the bricks. */

import { checkEnv, Game, GameWorker, Gym2600Error, RamGame, type RamRules, wallop } from "gym2600";
import { expect, test } from "vitest";
import { digest } from "./digest.js";
import { opened } from "./opened.js";

const [BALLS, BRICKS] = [0x02, 0x06];

const RULES = {
  reward: (ram, before) => (before[BRICKS] ?? 0) - (ram[BRICKS] ?? 0),
  terminated: (ram) => (ram[BALLS] ?? 0) < 5,
} satisfies RamRules;

const wrappers = [{ type: "SkipFrames", n: 4 }] as const;

async function create(rules: RamRules): Promise<RamGame> {
  return new RamGame(await Game.create({ rom: wallop, wrappers, seed: 3 }), rules);
}

test("rewards and ends are those of the functions, and so is the episode", async () => {
  const game = opened(await create(RULES));
  const twin = opened(await Game.create({ rom: wallop, wrappers, seed: 3 }));
  game.reset();
  twin.reset();
  const ram = twin.ram();
  let bricks = ram[BRICKS] ?? 0;
  const start = bricks;
  for (let step = 1; ; step++) {
    const result = game.step(step % 4);
    const same = twin.step(step % 4);
    twin.ram(ram);
    expect(digest(result.observation)).toBe(digest(same.observation));
    expect(result.rawReward).toBe(same.rawReward);
    expect(result.reward).toBe(bricks - (ram[BRICKS] ?? 0));
    bricks = ram[BRICKS] ?? 0;
    expect(result.terminated).toBe((ram[BALLS] ?? 0) < 5);
    if (!result.terminated) {
      expect(result.info).toEqual(same.info);
      continue;
    }
    const episode = { reward: start - bricks, length: step, frames: same.info.episodeFrameNumber };
    // The game itself goes on.
    expect(same.terminated).toBe(false);
    expect(result.info).toEqual({ ...same.info, realDone: false, episode });
    break;
  }
  expect(bricks).toBeLessThan(start);
  expect(() => game.step(0)).toThrowError(expect.objectContaining({ code: "bad-state" }));
  game.reset();
  expect(game.step(0).info).not.toHaveProperty("episode");
});

test("without functions it is the game", async () => {
  const game = opened(await create({}));
  const twin = opened(await Game.create({ rom: wallop, wrappers, seed: 3 }));
  expect(digest(game.reset())).toEqual(digest(twin.reset()));
  for (;;) {
    const [result, same] = [game.step(1), twin.step(1)];
    expect(digest(result)).toEqual(digest(same));
    if (same.terminated) break;
  }
});

test("rules may be an object of a class", async () => {
  class Steps {
    #count = 0;
    reward() {
      this.#count++;
      return this.#count;
    }
  }
  const game = await create(new Steps());
  game.reset();
  expect([game.step(0).reward, game.step(0).reward]).toEqual([1, 2]);
  game.close();
});

test("it keeps the rules of environments", async () => {
  await checkEnv(await create(RULES));
});

test("what is no function, gives no number or no boolean, or cannot notice an end, is refused", async () => {
  const game = await Game.create({ rom: wallop, wrappers });
  const refused = (rules: unknown, of: Game = game) => {
    try {
      const made = new RamGame(of, rules as RamRules);
      made.reset();
      made.step(0);
    } catch (error) {
      return error instanceof Gym2600Error ? `${error.code} ${error.message}` : error;
    }
    return undefined;
  };
  expect(refused({ reward: 3 })).toBe("bad-option reward: a function is needed, not 3");
  expect(refused({ terminated: null })).toBe("bad-option terminated: a function is needed, not null");
  expect(refused({ reward: () => Number.NaN })).toBe("bad-state reward gave NaN, no finite number");
  expect(refused({ terminated: () => 1 })).toBe("bad-state terminated gave 1, no boolean");
  for (const wrapper of ["AutoReset", "EpisodicLife"] as const) {
    const other = opened(await Game.create({ rom: wallop, wrappers: [wrapper] }));
    expect(refused(RULES, other)).toBe(`bad-option wrappers: ${wrapper} does not notice an end by a function`);
  }
  const thrown = new Error("mine");
  expect(
    refused({
      reward() {
        throw thrown;
      },
    }),
  ).toBe(thrown);
  game.close();
});

test("a game in a worker is refused, whose methods give promises", async () => {
  const worker = await GameWorker.create({ rom: wallop, wrappers });
  expect(() => new RamGame(worker as unknown as Game, RULES)).toThrowError(
    expect.objectContaining({ code: "bad-option", message: expect.stringMatching(/^game: a Game is needed/) }),
  );
  await worker.close();
});

test("a step whose function throws counts in the length of the episode", async () => {
  let throws = true;
  const game = opened(
    await create({
      terminated() {
        if (throws) throw new Error("mine");
        return true;
      },
    }),
  );
  game.reset();
  expect(() => game.step(0)).toThrow("mine");
  throws = false;
  expect(game.step(0).info.episode?.length).toBe(2);
});
