import {
  commonSpace,
  Discrete,
  Game,
  MultiDiscrete,
  type VectorBatch,
  type VectorEnv,
  type VectorStepResult,
  wallop,
} from "gym2600";
import { expect, test } from "vitest";
import { digest } from "./digest.js";
import { actionsAt, create } from "./lanes.js";

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
      expect(batch.rawRewards[lane]).toBe(result.rawReward);
      expect(batch.terminated[lane]).toBe(Number(result.terminated));
      expect(batch.truncated[lane]).toBe(Number(result.truncated));
      expect(batch.infos[lane]).toEqual(result.info);
    }
  }
  for (const game of games) game.close();
});

test("a seed counts up over the lanes, and with old Gym's seeding is that of every lane", async () => {
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

test.for([0, 1, 2])("over %i workers, the caller's array is filled, and others are left alone", async (workers) => {
  const [envs, twin] = [await create({ workers }), await create()];
  const { observations } = await envs.reset();
  const before = digest(observations);
  await twin.reset();
  const size = envs.observationSpace.size;
  // A whole buffer, and a part of one, whose rest stays unchanged.
  const [whole, room] = [new Uint8Array(size), new Uint8Array(size + 2)];
  const part = room.subarray(1, size + 1);
  for (let step = 0; step < 10; step++) {
    const actions = actionsAt(step, envs);
    for (const into of [whole, part]) {
      expect((await envs.step(actions, { into })).observations).toBe(into);
      expect(digest(into)).toEqual(digest((await twin.step(actions)).observations));
    }
  }
  expect([room[0], room[size + 1]]).toEqual([0, 0]);
  expect(digest(observations)).toEqual(before);
  await expect(envs.step([1, 1, 1], { into: new Uint8Array(5) })).rejects.toMatchObject({ code: "bad-buffer" });
});

test.for([0, 1, 2])(
  "over %i workers, a result without an array of the caller's is never filled again",
  async (workers) => {
    const envs = await create({ workers });
    const results: Array<{ readonly observations: unknown }> = [await envs.reset()];
    const told = [digest(results[0])];
    for (let step = 0; step < 6; step++) {
      const result = await envs.step(actionsAt(step, envs));
      results.push(result);
      told.push(digest(result));
      envs.send([1], [2]);
      await envs.recv();
    }
    expect(results.map(digest)).toEqual(told);
    expect(new Set(results.map(({ observations }) => digest(observations))).size).toBeGreaterThan(2);
  },
);

test.for([0, 1, 2])("over %i workers, recycled memory returns in a later result only", async (workers) => {
  const [envs, twin] = [await create({ workers }), await create()];
  const { observations } = await envs.reset();
  const { buffer } = observations;
  await twin.reset();
  envs.recycle(observations);
  // A second recycle has no effect.
  envs.recycle(observations);
  const pending = envs.step(actionsAt(0, envs));
  // A single worker gets the buffer and sends it back.
  expect(observations.length).toBe(workers === 1 ? 0 : envs.observationSpace.size);
  const first = await pending;
  const second = await envs.step(actionsAt(1, envs));
  if (workers !== 1) expect(first.observations.buffer).toBe(buffer);
  expect(second.observations.buffer).not.toBe(first.observations.buffer);
  const told = [first, second].map(digest);
  expect(told).toEqual([digest(await twin.step(actionsAt(0, twin))), digest(await twin.step(actionsAt(1, twin)))]);
  envs.recycle(second.observations);
  for (let step = 2; step < 6; step++) {
    const result = await envs.step(actionsAt(step, envs));
    expect(digest(result)).toEqual(digest(await twin.step(actionsAt(step, twin))));
    envs.recycle(result.observations);
  }
  expect(digest(first)).toEqual(told[0]);
});

test("results of some lanes and of several steps can be recycled, and arrays of other sizes cannot", async () => {
  const [envs, twin] = [await create({ workers: 2 }), await create()];
  const { observations } = await envs.reset();
  await twin.reset();
  const size = envs.singleObservationSpace.size;
  const rows = [actionsAt(0, envs), actionsAt(1, envs)];
  let before: VectorBatch | undefined;
  for (let turn = 0; turn < 3; turn++) {
    const many = await envs.stepMany(rows);
    expect(digest(many)).toEqual(digest(await twin.stepMany(rows)));
    envs.recycle(many.observations);
    envs.send([1], [2]);
    // The worker has the recycled buffer.
    if (before !== undefined) expect(before.observations.length).toBe(0);
    twin.send([1], [2]);
    const some = await envs.recv();
    expect(digest(some)).toEqual(digest(await twin.recv()));
    envs.recycle(some.observations);
    before = some;
  }
  for (const array of [new Uint8Array(size + 1), observations.subarray(size), new Uint8Array(0)]) {
    const refused = expect.objectContaining({
      code: "bad-buffer",
      message: expect.stringContaining(`${array.length} bytes`),
    });
    expect(() => envs.recycle(array)).toThrowError(refused);
  }
});

test("environments reset in the next step, in the same step, or by a call with a mask", async () => {
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

test("actions are taken as frameworks give them", async () => {
  const [envs, twin] = [await create(), await create()];
  await Promise.all([envs.reset(), twin.reset()]);
  for (const actions of [[1n, Int8Array.of(2), 3], BigInt64Array.of(1n, 2n, 3n), Float32Array.of(1, 2, 3)]) {
    const { observations } = await envs.step(actions);
    expect(digest(observations)).toBe(digest((await twin.step([1, 2, 3])).observations));
  }
  await expect(envs.step([0, "1" as never, 0])).rejects.toMatchObject({
    code: "bad-action",
    lane: 1,
    message: expect.stringContaining("not the string 1"),
  });
});

test("samples of the action space repeat with the seed of the environments", async () => {
  const drawn = (envs: VectorEnv): string => Array.from({ length: 50 }, () => envs.actionSpace.sample()).join();
  expect(drawn(await create({ seed: 3 }))).toBe(drawn(await create({ seed: 3 })));
  const [first, second] = [await create({ seed: undefined }), await create({ seed: undefined })];
  expect(drawn(first)).not.toBe(drawn(second));
  await Promise.all([first.reset({ seed: [3, 1, 2] }), second.reset({ seed: 3 })]);
  expect(drawn(first)).toBe(drawn(second));
});

test("wrong numbers of actions or seeds are refused with both numbers, and wrong actions with their lane", async () => {
  const envs = await create();
  await expect(envs.step([0, 0, 0])).rejects.toMatchObject({ code: "bad-state", lane: 0 });
  await envs.reset();
  const refusals: Array<[Promise<unknown>, object]> = [
    [envs.step([0, 0]), { code: "bad-action", message: "2 actions were given for 3 environments" }],
    [envs.step(1 as never), { code: "bad-action", message: "the actions are the number 1, which is no list of 3" }],
    [
      envs.step({ 0: 1 } as never),
      { code: "bad-action", message: "the actions are the object [object Object], which is no list of 3" },
    ],
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

test("close may be called again, and all other calls are refused then", async () => {
  const envs = await create({ workers: 2 });
  await envs.reset();
  await Promise.all([envs.close(), envs.close()]);
  for (const refused of [envs.step([0, 0, 0]), envs.reset(), envs.render(0)]) {
    await expect(refused).rejects.toMatchObject({ code: "closed" });
  }
});

test("an earlier result can be filled again, all of it", async () => {
  const [envs, twin] = [await create({ workers: 2 }), await create()];
  await Promise.all([envs.reset(), twin.reset()]);
  const result = await envs.step([1, 1, 1]);
  await twin.step([1, 1, 1]);
  const { observations, rewards, terminated, truncated, infos } = result;
  for (let step = 0; step < 200; step++) {
    const actions = Int32Array.from(actionsAt(step, envs));
    expect(await envs.step(actions, { into: result })).toBe(result);
    expect(digest(result)).toEqual(digest(await twin.step(actions)));
  }
  expect(result).toMatchObject({ observations, rewards, terminated, truncated, infos });
  const other = (await (await create({ numEnvs: 2 })).reset()) as VectorStepResult;
  await expect(envs.step([1, 1, 1], { into: other })).rejects.toMatchObject({ code: "bad-buffer" });
});

test("a reset in the same step gives the final observation and its info", async () => {
  for (const workers of [0, 2]) {
    const [same, disabled] = [
      await create({ autoreset: "same-step", preset: "labml", workers }),
      await create({ autoreset: "disabled", preset: "labml" }),
    ];
    await Promise.all([same.reset(), disabled.reset()]);
    const size = same.singleObservationSpace.size;
    let ended = 0;
    for (let step = 0; step < 400 && ended < 3; step++) {
      const actions = actionsAt(step, same);
      const [result, expected] = [await same.step(actions), await disabled.step(actions)];
      const mask = expected.terminated.map((flag, lane) => flag | (expected.truncated[lane] ?? 0));
      for (const [lane, info] of result.infos.entries()) {
        expect(info.finalObservation !== undefined).toBe(mask[lane] === 1);
        if (info.finalObservation === undefined) continue;
        const last = expected.observations.slice(lane * size, (lane + 1) * size);
        expect(digest(info.finalObservation)).toEqual(digest(last));
        expect(info.finalInfo).toEqual(expected.infos[lane]);
        ended++;
      }
      if (mask.includes(1)) {
        const { observations } = await disabled.reset({ mask });
        expect(digest(result.observations)).toEqual(digest(observations));
      }
    }
    expect(ended).toBeGreaterThanOrEqual(3);
  }
});

test("several steps in one message equal single steps, also at ends", async () => {
  for (const autoreset of ["next-step", "same-step"] as const) {
    const [envs, twin] = [await create({ workers: 2, autoreset }), await create({ autoreset })];
    await Promise.all([envs.reset(), twin.reset()]);
    let ended = false;
    for (let block = 0; block < 30 && !ended; block++) {
      const lists = Array.from({ length: 20 }, (_, step) => Uint8Array.from(actionsAt(block * 20 + step, envs)));
      const many = await envs.stepMany(lists);
      expect(many).toMatchObject({ steps: 20, taken: Int32Array.of(20, 20, 20) });
      const size = envs.observationSpace.size;
      for (const [step, list] of lists.entries()) {
        const one = await twin.step(list);
        const [from, to] = [step * 3, step * 3 + 3];
        expect(digest(many.observations.slice(step * size, (step + 1) * size))).toEqual(digest(one.observations));
        expect(many.rewards.slice(from, to)).toEqual(one.rewards);
        expect(many.terminated.slice(from, to)).toEqual(one.terminated);
        expect(many.truncated.slice(from, to)).toEqual(one.truncated);
        expect(digest(many.infos.slice(from, to))).toEqual(digest(one.infos));
        ended ||= one.terminated.includes(1);
      }
    }
    expect(ended).toBe(true);
  }
});

test("several steps can give the last observation only, and a lane without autoreset stops at its end", async () => {
  const [envs, twin] = [
    await create({ workers: 2, autoreset: "disabled", preset: "labml" }),
    await create({ autoreset: "disabled", preset: "labml" }),
  ];
  await Promise.all([envs.reset(), twin.reset()]);
  const lists = Array.from({ length: 400 }, (_, step) => actionsAt(step, envs));
  const many = await envs.stepMany(lists, { observations: "last" });
  expect(many.observations.length).toBe(envs.observationSpace.size);
  const size = envs.singleObservationSpace.size;
  for (let step = 0; step < 400; step++) {
    const result = await twin.step(lists[step] ?? []);
    const lane = result.terminated.indexOf(1);
    if (lane < 0) continue;
    expect(many.taken[lane]).toBe(step + 1);
    expect(many.terminated[step * 3 + lane]).toBe(1);
    expect(many.infos[step * 3 + lane]?.episode).toEqual(result.infos[lane]?.episode);
    const [from, to] = [lane * size, (lane + 1) * size];
    expect(digest(many.observations.slice(from, to))).toEqual(digest(result.observations.slice(from, to)));
    for (let after = step + 1; after < 400; after++) {
      expect([many.rewards[after * 3 + lane], many.terminated[after * 3 + lane]]).toEqual([0, 0]);
    }
    await expect(envs.stepMany(lists)).rejects.toMatchObject({ code: "bad-state", lane: expect.any(Number) });
    return;
  }
  expect.unreachable("no episode ended");
});

test("wrong steps are refused before the first is taken", async () => {
  const [envs, twin] = [await create({ workers: 2 }), await create()];
  await expect(envs.stepMany([[0, 0, 0]])).rejects.toMatchObject({ code: "bad-state" });
  await Promise.all([envs.reset(), twin.reset()]);
  for (const [lists, message] of [
    [[], /at least one step/],
    [
      [
        [0, 0, 0],
        [0, 0],
      ],
      /2 actions were given for 3 environments/,
    ],
    [
      [
        [0, 0, 0],
        [0, 77, 0],
      ],
      /environment 1: action 77/,
    ],
  ] as const) {
    await expect(envs.stepMany(lists)).rejects.toMatchObject({
      code: "bad-action",
      message: expect.stringMatching(message),
    });
  }
  expect(digest(await envs.step([1, 1, 1]))).toEqual(digest(await twin.step([1, 1, 1])));
});

test("the action space of a batch samples valid actions", async () => {
  const envs = await create();
  await envs.reset();
  expect(envs.actionSpace).toBeInstanceOf(MultiDiscrete);
  for (let step = 0; step < 10; step++) await envs.step(envs.actionSpace.sample());
  expect(JSON.parse(JSON.stringify(envs.observationSpace))).toMatchObject({ type: "Box", shape: [3, 4, 84, 84] });
});

test("lanes with different spaces are refused", () => {
  expect(commonSpace([new Discrete(4), new Discrete(4)]).n).toBe(4);
  expect(() => commonSpace([new Discrete(4), new Discrete(4), new Discrete(6)])).toThrowError(/"n":4.*"n":6.* in 2/);
});

test.for([0, 2])("over %d workers, each lane's console is read and written as a game's", async (workers) => {
  const options = { rom: wallop, preset: "labml", soundObs: true, repeatActionProbability: 0.5 } as const;
  const envs = await create({ ...options, seed: [4, 5, 6], workers });
  const games = await Promise.all([4, 5, 6].map((seed) => Game.create({ ...options, seed })));
  await envs.keepFrames(2);
  games[2]?.keepFrames();
  await envs.reset();
  for (const game of games) game.reset();
  for (let step = 0; step < 30; step++) {
    await envs.step([step % 3, 1, 2]);
    for (const [lane, game] of games.entries()) game.step([step % 3, 1, 2][lane] as number);
    if (step === 20) {
      await envs.setRam(1, 5, 77);
      games[1]?.setRam(5, 77);
      await envs.setSwitches(2, { select: true });
      games[2]?.setSwitches({ select: true });
    }
    for (const [lane, game] of games.entries()) {
      const told = [envs.ram(lane), envs.screen(lane), envs.screenGrey(lane), envs.screenRgb(lane), envs.audio(lane)];
      const expected = [game.ram(), game.screen(), game.screenGrey(), game.screenRgb(), game.audio()];
      expect(digest(await Promise.all(told))).toEqual(digest(expected));
      expect(digest(await envs.render(lane))).toEqual(digest(game.render()));
      expect(await envs.lastAction(lane)).toBe(game.lastAction);
      expect(await envs.variables(lane)).toEqual(game.variables());
      expect(digest(await envs.frames(lane))).toEqual(digest(game.frames()));
    }
  }
  expect(await envs.palette(0)).toEqual(games[0]?.palette());
  await expect(envs.ram(3)).rejects.toMatchObject({ code: "bad-option" });
  await expect(envs.setRam(0, 128, 0)).rejects.toMatchObject({ code: "bad-option" });
  await expect(envs.setRam(0, 0, 256)).rejects.toMatchObject({ code: "bad-option" });
  await expect(envs.setSwitches(0, { select: 2 as never })).rejects.toMatchObject({ code: "bad-option" });
  for (const game of games) game.close();
});
