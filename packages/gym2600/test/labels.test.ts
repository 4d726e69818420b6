/** Infos with labels: the variables of the game's rules by name. */

import { describe as describeGame, Game, GameWorker, VectorEnv, wallop } from "gym2600";
import { expect, test } from "vitest";

/** Every paddle and every ball is lost soon without a move. */
const OPTIONS = { rom: wallop, labels: true, autoreset: "same-step" } as const;

test("infos have the variables only with the option, in this thread, in a worker and in a copy", async () => {
  using plain = await Game.create({ rom: wallop });
  expect(plain.reset().info).not.toHaveProperty("labels");
  using game = await Game.create(OPTIONS);
  const worker = await GameWorker.create(OPTIONS);
  const { info } = game.reset({ seed: 1 });
  expect(info.labels).toMatchObject({ score: 0, lives: 5 });
  expect((await worker.reset({ seed: 1 })).info).toEqual(info);
  for (let step = 0; step < 40; step++) {
    const { labels } = game.step(1 + (step % 3)).info;
    expect(labels).toEqual(game.variables());
    expect((await worker.step(1 + (step % 3))).info.labels).toEqual(labels);
  }
  await worker.close();
  using copy = game.clone();
  expect(copy.step(1).info.labels).toEqual(game.step(1).info.labels);
  expect(copy.restore(game.save()).info.labels).toEqual(game.variables());
});

test("the info of an episode's end has the labels of the end, and that of the step those of the next episode", async () => {
  const envs = await VectorEnv.create({ ...OPTIONS, numEnvs: 3, workers: 2, seed: 0 });
  await envs.reset();
  let ended = 0;
  for (let step = 0; step < 2000 && ended < 3; step++) {
    const { infos, terminated } = await envs.step([1, 1, 1]);
    for (const [lane, { labels, finalInfo }] of infos.entries()) {
      if (terminated[lane] === 0) continue;
      ended += 1;
      expect(finalInfo?.labels).toMatchObject({ lives: 0, terminal: 1, score: finalInfo?.episode?.reward });
      expect(labels).toMatchObject({ lives: 5, terminal: 0, score: 0 });
    }
  }
  expect(ended).toBeGreaterThan(0);
  await envs.close();
});

test("what is neither true nor false is refused, also by a description", async () => {
  const wrong = { rom: wallop, labels: "yes" as never };
  const refused = { code: "bad-option", message: expect.stringMatching(/^labels: .*yes/) };
  await expect(Game.create(wrong)).rejects.toMatchObject(refused);
  await expect(VectorEnv.create({ ...wrong, numEnvs: 1 })).rejects.toMatchObject(refused);
  await expect(describeGame(wrong)).rejects.toMatchObject(refused);
  expect(await describeGame(OPTIONS)).toEqual(await describeGame({ rom: wallop, autoreset: "same-step" }));
});
