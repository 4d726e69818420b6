import { Worker } from "node:worker_threads";
import { commonSpace, Discrete, Game, VectorEnv, type VectorEnvOptions, wallop } from "gym2600";
import { afterEach, expect, test, vi } from "vitest";
import { digest } from "./digest.js";

const OPTIONS = { rom: wallop, preset: "gym2600", numEnvs: 3, seed: 0, workers: 0 } satisfies VectorEnvOptions;
const open: VectorEnv[] = [];

async function create(options: Partial<VectorEnvOptions> = {}): Promise<VectorEnv> {
  const envs = await VectorEnv.create({ ...OPTIONS, ...options });
  open.push(envs);
  return envs;
}

function actionsAt(step: number, envs: VectorEnv): number[] {
  return Array.from({ length: envs.numEnvs }, (_, lane) => (step * 7 + lane * 3) % envs.singleActionSpace.n);
}

afterEach(async () => {
  for (const envs of open.splice(0)) await envs.close();
});

test("each lane plays as a game of its own with its seed", async () => {
  const envs = await create({ seed: [4, 9, 4] });
  const games = await Promise.all(
    [4, 9, 4].map((seed) => Game.create({ rom: wallop, preset: "gym2600", seed, autoreset: "next-step" })),
  );
  const size = envs.singleObservationSpace.size;
  const first = await envs.reset();
  expect(envs.observationSpace.contains(first.observations)).toBe(true);
  for (const [lane, game] of games.entries()) {
    const { observation, info } = game.reset();
    expect(digest(first.observations.slice(lane * size, (lane + 1) * size))).toEqual(digest(observation));
    expect(first.infos[lane]).toEqual(info);
  }
  for (let step = 0; step < 400; step++) {
    const actions = actionsAt(step, envs);
    const batch = await envs.step(actions);
    for (const [lane, game] of games.entries()) {
      const result = game.step(actions[lane] ?? 0);
      expect(digest(batch.observations.slice(lane * size, (lane + 1) * size))).toEqual(digest(result.observation));
      expect(batch.rewards[lane]).toBe(result.reward);
      expect(batch.terminated[lane]).toBe(Number(result.terminated));
      expect(batch.truncated[lane]).toBe(Number(result.truncated));
      expect(batch.infos[lane]).toEqual(result.info);
    }
  }
  for (const game of games) game.close();
});

test("one seed counts up over the lanes, and is every lane's with old Gym's seeding", async () => {
  for (const [preset, seeds] of [
    ["gymnasium", [5, 6, 7]],
    ["nature-dqn", [5, 5, 5]],
  ] as const) {
    const [one, list] = [await create({ preset, seed: 5 }), await create({ preset, seed: seeds })];
    await Promise.all([one.reset(), list.reset()]);
    for (let step = 0; step < 20; step++) {
      const actions = actionsAt(step, one);
      expect(digest(await one.step(actions))).toEqual(digest(await list.step(actions)));
    }
  }
});

test("lanes over any number of workers play as they do in this thread", async () => {
  const here = await create({ numEnvs: 5 });
  const spread = await Promise.all([1, 2, 5, 9, undefined].map((workers) => create({ numEnvs: 5, workers })));
  const reset = digest(await here.reset({ seed: 11 }));
  for (const envs of spread) expect(digest(await envs.reset({ seed: 11 }))).toEqual(reset);
  for (let step = 0; step < 60; step++) {
    const actions = actionsAt(step, here);
    const expected = digest(await here.step(actions));
    for (const envs of spread) expect(digest(await envs.step(actions))).toEqual(expected);
  }
  const picture = digest(await here.render(4));
  for (const envs of spread) expect(digest(await envs.render(4))).toEqual(picture);
});

test("the caller's array is filled, and others are left alone", async () => {
  const envs = await create({ workers: 2 });
  const { observations } = await envs.reset();
  const before = digest(observations);
  const into = new Uint8Array(envs.observationSpace.size);
  for (let step = 0; step < 10; step++) expect((await envs.step([1, 1, 1], { into })).observations).toBe(into);
  expect(digest(observations)).toEqual(before);
  await expect(envs.step([1, 1, 1], { into: new Uint8Array(5) })).rejects.toMatchObject({ code: "bad-buffer" });
});

test("the environments reset in the next step, in the same step, or when told to, with a mask", async () => {
  const [next, same, disabled] = [
    await create({ autoreset: "next-step", preset: "labml" }),
    await create({ autoreset: "same-step", preset: "labml" }),
    await create({ autoreset: "disabled", preset: "labml", workers: 2 }),
  ];
  for (const envs of [next, same, disabled]) await envs.reset();
  for (let step = 0; ; step++) {
    const actions = actionsAt(step, next);
    const results = [await next.step(actions), await same.step(actions), await disabled.step(actions)] as const;
    const ended = Array.from(results[0].terminated, Boolean);
    for (const result of results) expect(Array.from(result.terminated, Boolean)).toEqual(ended);
    if (!ended.includes(true)) continue;
    const lane = ended.indexOf(true);
    for (const { infos } of results) expect(infos[lane]?.episode?.length).toBe(step + 1);

    await expect(disabled.step(actions)).rejects.toMatchObject({ code: "bad-state", lane });
    const size = disabled.singleObservationSpace.size;
    const { observations } = await disabled.reset({ mask: ended });
    for (const [other, hasEnded] of ended.entries()) {
      const range = [other * size, (other + 1) * size] as const;
      if (!hasEnded)
        expect(digest(observations.slice(...range))).toEqual(digest(results[2].observations.slice(...range)));
    }
    await disabled.step(actions);
    const { rewards, infos } = await next.step(actions);
    expect(rewards[lane]).toBe(0);
    expect(infos[lane]?.episode).toBeUndefined();
    return;
  }
});

test("wrong numbers of things are refused with both numbers, and bad actions with their lane", async () => {
  const envs = await create();
  await expect(envs.step([0, 0, 0])).rejects.toMatchObject({ code: "bad-state", lane: 0 });
  await envs.reset();
  const refusals: Array<[Promise<unknown>, object]> = [
    [envs.step([0, 0]), { code: "bad-action", message: "2 actions were given for 3 environments" }],
    [envs.step([0, 0, 99]), { code: "bad-action", lane: 2, message: expect.stringMatching(/environment 2.* 99 /) }],
    [envs.reset({ mask: [true] }), { code: "bad-action", message: expect.stringMatching(/1 .*3/) }],
    [
      envs.reset({ seed: [1, 2] }),
      { code: "bad-option", message: "seed has length 2 but must have length equal to numEnvs which is 3" },
    ],
    [envs.render(3), { code: "bad-option", message: expect.stringContaining("3") }],
    [create({ numEnvs: 0 }), { code: "bad-option", message: expect.stringContaining("numEnvs") }],
    [create({ workers: -1 }), { code: "bad-option", message: expect.stringContaining("workers") }],
    [create({ rom: new Uint8Array(3072) }), { code: "bad-rom-size" }],
  ];
  for (const [refused, expected] of refusals) await expect(refused).rejects.toMatchObject(expected);
});

test("a refused batch moves no lane", async () => {
  const [envs, twin] = [await create({ workers: 3 }), await create()];
  await Promise.all([envs.reset(), twin.reset()]);
  await expect(envs.step([0, 0, -1])).rejects.toMatchObject({ code: "bad-action" });
  expect(digest(await envs.step([1, 1, 1]))).toEqual(digest(await twin.step([1, 1, 1])));
});

test("the death of one lane's worker rejects that step with the lane, and the others have taken it", async () => {
  const post = vi.spyOn(Worker.prototype, "postMessage");
  const envs = await create({ workers: 3 });
  const thread = post.mock.contexts[1] as Worker;
  post.mockRestore();
  const twin = await create();
  await Promise.all([envs.reset(), twin.reset()]);
  void thread.terminate();
  await expect(envs.step([1, 1, 1])).rejects.toMatchObject({ code: "worker-died", lane: 1 });
  await twin.step([1, 1, 1]);
  for (const lane of [0, 2]) expect(digest(await envs.render(lane))).toEqual(digest(await twin.render(lane)));
  await expect(envs.step([1, 1, 1])).rejects.toMatchObject({ code: "worker-died", lane: 1 });
});

test("close may be called again, and everything else is then refused", async () => {
  const envs = await create({ workers: 2 });
  await envs.reset();
  await Promise.all([envs.close(), envs.close()]);
  for (const refused of [envs.step([0, 0, 0]), envs.reset(), envs.render(0)]) {
    await expect(refused).rejects.toMatchObject({ code: "closed" });
  }
});

test("lanes whose spaces differ are no batch", () => {
  expect(commonSpace([new Discrete(4), new Discrete(4)]).n).toBe(4);
  expect(() => commonSpace([new Discrete(4), new Discrete(4), new Discrete(6)])).toThrowError(/"n":4.*"n":6.* in 2/);
});
