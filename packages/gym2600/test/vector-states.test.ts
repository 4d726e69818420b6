import type { Worker } from "node:worker_threads";
import { Game, wallop } from "gym2600";
import { expect, test } from "vitest";
import { digest } from "./digest.js";
import { actionsAt, create, createWithThreads } from "./lanes.js";

async function kill(thread: Worker | undefined): Promise<void> {
  await thread?.terminate();
}

test.for([0, 2])("over %i workers, a lane goes back to a state and the others go on", async (workers) => {
  const [envs, twin] = [await create({ workers }), await create()];
  await Promise.all([envs.reset(), twin.reset()]);
  for (let step = 0; step < 30; step++) await envs.step(actionsAt(step, envs));
  for (let step = 0; step < 29; step++) await twin.step(actionsAt(step, twin));
  const { observations: atSave } = await twin.step(actionsAt(29, twin));
  const state = await envs.save(1);
  for (let step = 50; step < 70; step++) await envs.step(actionsAt(step, envs));
  const { observation, info } = await envs.restore(1, state);
  const size = envs.singleObservationSpace.size;
  expect(digest(observation)).toEqual(digest(atSave.slice(size, 2 * size)));
  expect(info.lives).toBeGreaterThanOrEqual(0);
  for (let step = 90; step < 150; step++) {
    const [result, expected] = [await envs.step(actionsAt(step, envs)), await twin.step(actionsAt(step, twin))];
    expect(digest(result.observations.slice(size, 2 * size))).toEqual(
      digest(expected.observations.slice(size, 2 * size)),
    );
    expect(result.rewards[1]).toBe(expected.rewards[1]);
  }
});

test.for([
  [0, 3],
  [1, 3],
  [3, 3],
] as const)("over %i workers, a copied lane plays on as the other, by itself", async ([workers, numEnvs]) => {
  const envs = await create({ workers, numEnvs, repeatActionProbability: 0.25 });
  await envs.reset();
  for (let step = 0; step < 40; step++) await envs.step(actionsAt(step, envs));
  const states = await Promise.all([0, 1, 2].map((lane) => envs.save(lane)));
  const { observation } = await envs.copyLane(1, 2);
  expect(await envs.save(2)).toEqual(states[1]);
  expect(await envs.save(0)).toEqual(states[0]);
  const size = envs.singleObservationSpace.size;
  for (let step = 0; step < 150; step++) {
    const { observations, rewards } = await envs.step([0, step % 3, step % 3]);
    if (step === 0) expect(observation.length).toBe(size);
    expect(digest(observations.slice(2 * size))).toEqual(digest(observations.slice(size, 2 * size)));
    expect(rewards[2]).toBe(rewards[1]);
  }
  const kept = await envs.save(1);
  envs.send([1], [2]);
  await expect(envs.copyLane(1, 2)).rejects.toMatchObject({ code: "bad-state" });
  await expect(envs.copyLane(2, 1)).rejects.toMatchObject({ code: "bad-state" });
  await envs.recv();
  expect(await envs.save(1)).toEqual(kept);
  await envs.copyLane(1, 1);
  expect(await envs.save(1)).toEqual(kept);
  for (const [from, to] of [
    [0, 3],
    [-1, 0],
  ] as const) {
    await expect(envs.copyLane(from, to)).rejects.toMatchObject({ code: "bad-option" });
  }
});

test("a copy of a lane that has ended needs a reset too", async () => {
  const envs = await create({ autoreset: "disabled", preset: "labml", numEnvs: 2, workers: 0 });
  await envs.reset();
  for (let step = 0; (await envs.step([actionsAt(step, envs)[0] ?? 0, 0])).terminated[0] === 0; step++);
  await envs.reset({ mask: [false, true] });
  await envs.copyLane(0, 1);
  await expect(envs.step([0, 0])).rejects.toMatchObject({ code: "bad-state", lanes: [0, 1] });
  await envs.reset({ mask: [true, false] });
  await envs.copyLane(0, 1);
  await envs.step([0, 0]);
});

test("a lane's state fits a Game, and wrong bytes change nothing", async () => {
  const envs = await create({ workers: 2 });
  const twin = await create();
  await Promise.all([envs.reset(), twin.reset()]);
  const game = await Game.create({ rom: wallop, preset: "gym2600", seed: 2, autoreset: "next-step" });
  const state = await envs.save(2);
  game.restore(state);
  for (const bad of [new Uint8Array(9), state.slice(3), "state" as unknown as Uint8Array]) {
    await expect(envs.restore(2, bad)).rejects.toMatchObject({ code: "bad-saved-state", lane: 2 });
  }
  await expect(envs.save(7)).rejects.toMatchObject({ code: "bad-option", message: expect.stringContaining("7") });
  const result = await envs.step([1, 1, 1]);
  expect(digest(result)).toEqual(digest(await twin.step([1, 1, 1])));
  const size = envs.singleObservationSpace.size;
  expect(digest(game.step(1).observation)).toEqual(digest(result.observations.slice(2 * size)));
  game.close();
});

test("a state at an episode's end needs a reset, wherever it is restored", async () => {
  const envs = await create({ autoreset: "disabled", preset: "labml", numEnvs: 1 });
  await envs.reset();
  for (let step = 0; (await envs.step(actionsAt(step, envs))).terminated[0] === 0; step++);
  const ended = await envs.save(0);
  await envs.reset();
  await envs.step([0]);
  await envs.restore(0, ended);
  await expect(envs.step([0])).rejects.toMatchObject({ code: "bad-state", lane: 0 });
  await envs.reset();
  await envs.step([0]);
});

test("a dead worker rejects the step with its lanes and the results of the others", async () => {
  const { envs, threads } = await createWithThreads({ workers: 3 });
  const twin = await create();
  await Promise.all([envs.reset(), twin.reset()]);
  void threads[1]?.terminate();
  const failure = await envs.step([1, 1, 1]).catch((error: unknown) => error);
  const { observations, rewards } = await twin.step([1, 1, 1]);
  const size = envs.singleObservationSpace.size;
  const others = new Uint8Array(2 * size);
  others.set(observations.slice(0, size));
  others.set(observations.slice(2 * size), size);
  expect(failure).toMatchObject({ code: "worker-died", lane: 1, lanes: [1] });
  const { rest } = failure as { rest: { envIds: Int32Array; observations: Uint8Array; rewards: Float64Array } };
  expect(Array.from(rest.envIds)).toEqual([0, 2]);
  expect(digest(rest.observations)).toEqual(digest(others));
  expect(Array.from(rest.rewards)).toEqual([rewards[0], rewards[2]]);
  await expect(envs.step([1, 1, 1])).rejects.toMatchObject({ code: "worker-died", lanes: [1] });
  await expect(envs.reset()).rejects.toMatchObject({ code: "worker-died", lanes: [1] });
  for (const lane of [0, 2]) expect(digest(await envs.render(lane))).toEqual(digest(await twin.render(lane)));
});

test("a step in which all workers die is rejected with all lanes and no results", async () => {
  const { envs, threads } = await createWithThreads({ numEnvs: 3, workers: 2 });
  await envs.reset();
  const step = envs.stepMany(Array.from({ length: 2000 }, () => [1, 1, 1]));
  for (const thread of threads) void thread.terminate();
  await expect(step).rejects.toMatchObject({ code: "worker-died", lanes: [0, 1, 2], rest: undefined });
});

test("revived lanes continue from their saved state, and those without one from their seed", async () => {
  const { envs, threads } = await createWithThreads({ numEnvs: 3, workers: 2, seed: [4, 5, 6] });
  const twin = await create({ numEnvs: 3, seed: [4, 5, 8] });
  const size = envs.singleObservationSpace.size;
  await Promise.all([envs.reset({ seed: [4, 5, 8] }), twin.reset()]);
  const fresh = await twin.reset({ seed: [4, 5, 8] });
  for (let step = 0; step < 20; step++) {
    await Promise.all([envs.step(actionsAt(step, envs)), twin.step(actionsAt(step, twin))]);
  }
  await envs.save(1);
  const state = await twin.save(1);
  const shown = await twin.restore(1, state);
  await envs.step([1, 1, 1]);
  await expect(envs.revive(1)).rejects.toMatchObject({ code: "bad-state", lane: 1 });
  await kill(threads[1]);
  expect(envs.deadLanes).toEqual([1, 2]);
  const revivals = await Promise.all([envs.revive(2), envs.revive(1)]);
  for (const { envIds, restored, observations } of revivals) {
    expect(Array.from(envIds)).toEqual([1, 2]);
    expect(restored).toEqual([true, false]);
    expect(digest(observations.slice(0, size))).toEqual(digest(shown.observation));
    expect(digest(observations.slice(size))).toEqual(digest(fresh.observations.slice(2 * size)));
  }
  expect(envs.deadLanes).toEqual([]);
  await twin.reset({ seed: [4, 5, 8], mask: [0, 0, 1] });
  for (let step = 30; step < 60; step++) {
    const [result, expected] = [await envs.step(actionsAt(step, envs)), await twin.step(actionsAt(step, twin))];
    expect(digest(result.observations.slice(size))).toEqual(digest(expected.observations.slice(size)));
  }
});

test("keepStates counts the steps of each lane, also of those that are sent apart", async () => {
  const { envs, threads } = await createWithThreads({ numEnvs: 2, workers: 1, keepStates: 2 });
  await envs.reset();
  for (let step = 0; step < 20; step++) {
    envs.send([1], [step % 2]);
    await envs.recv();
  }
  await kill(threads[0]);
  await expect(envs.step([0, 0])).rejects.toMatchObject({ code: "worker-died" });
  expect((await envs.revive(0)).restored).toEqual([true, true]);
});

test("a revived lane continues from the last state of keepStates", async () => {
  const { envs, threads } = await createWithThreads({ numEnvs: 2, workers: 2, keepStates: 10 });
  const twin = await create({ numEnvs: 2 });
  await Promise.all([envs.reset(), twin.reset()]);
  for (let step = 0; step < 27; step++) await envs.step(actionsAt(step, envs));
  await kill(threads[0]);
  let expected = await twin.step(actionsAt(0, twin));
  for (let step = 1; step < 20; step++) expected = await twin.step(actionsAt(step, twin));
  const { envIds, observations, restored } = await envs.revive(0);
  expect([...envIds, ...restored]).toEqual([0, true]);
  expect(digest(observations)).toEqual(digest(expected.observations.slice(0, observations.length)));
  await envs.step([0, 0]);
});

test("a reset with a mask without dead lanes restarts the others", async () => {
  const { envs, threads } = await createWithThreads({ workers: 3 });
  const { observations } = await envs.reset();
  for (let step = 0; step < 10; step++) await envs.step(actionsAt(step, envs));
  await kill(threads[2]);
  const into = observations.slice().fill(7);
  await envs.reset({ seed: 0, mask: [1, 1, 0], into });
  const size = envs.singleObservationSpace.size;
  expect(digest(into.slice(0, 2 * size))).toEqual(digest(observations.slice(0, 2 * size)));
  expect(into.slice(2 * size).every((value: number) => value === 7)).toBe(true);
});
