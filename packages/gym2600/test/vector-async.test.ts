import { Gym2600Error, type VectorBatch, type VectorEnv } from "gym2600";
import { expect, test } from "vitest";
import { digest } from "./digest.js";
import { actionsAt, create, createWithThreads } from "./lanes.js";

/** A batch's results by lane. */
function byLane(envs: VectorEnv, batch: VectorBatch): Map<number, unknown> {
  const size = envs.singleObservationSpace.size;
  return new Map(
    Array.from(batch.envIds, (lane, place) => [
      lane,
      digest({
        observation: batch.observations.slice(place * size, (place + 1) * size),
        reward: batch.rewards[place],
        terminated: batch.terminated[place],
        truncated: batch.truncated[place],
        info: batch.infos[place],
      }),
    ]),
  );
}

test.for([0, 2, 5])(
  "over %i workers, lanes that are sent and received apart play as they do together",
  async (workers) => {
    const [envs, twin] = [await create({ numEnvs: 5, workers }), await create({ numEnvs: 5 })];
    await Promise.all([envs.reset(), twin.reset()]);
    const expected: Array<Map<number, unknown>> = [];
    for (let step = 0; step < 60; step++) {
      const result = await twin.step(actionsAt(step, twin));
      expected.push(byLane(twin, { envIds: Int32Array.of(0, 1, 2, 3, 4), ...result }));
    }
    const steps = [0, 0, 0, 0, 0];
    envs.send(actionsAt(0, envs));
    while (steps.some((taken) => taken < 60)) {
      const batch = await envs.recv();
      expect(batch.observations.length).toBe(batch.envIds.length * envs.singleObservationSpace.size);
      for (const [lane, result] of byLane(envs, batch)) {
        expect(result, `lane ${lane}, step ${steps[lane]}`).toEqual(expected[steps[lane] ?? 0]?.get(lane));
        steps[lane] = (steps[lane] ?? 0) + 1;
      }
      const again = Array.from(batch.envIds).filter((lane) => (steps[lane] ?? 0) < 60);
      if (again.length === 0) continue;
      envs.send(
        again.map((lane) => actionsAt(steps[lane] ?? 0, envs)[lane] ?? 0),
        again,
      );
    }
  },
);

test("recv waits for the given number of lanes, and writes to `into`", async () => {
  const envs = await create({ numEnvs: 4, workers: 4 });
  await envs.reset();
  const into = new Uint8Array(envs.observationSpace.size);
  envs.send([1, 1], [2, 0]);
  envs.send([1, 1], Int32Array.of(1, 3));
  const batch = await envs.recv(4, { into });
  expect(Array.from(batch.envIds).sort()).toEqual([0, 1, 2, 3]);
  expect(batch.observations.buffer).toBe(into.buffer);
  envs.sendReset([3]);
  const reset = await envs.recv();
  expect(Array.from(reset.envIds)).toEqual([3]);
  expect(Array.from(reset.rewards)).toEqual([0]);
});

test("recv of no lane gives those that are ready, as after all have been received", async () => {
  const envs = await create({ numEnvs: 4, workers: 2 });
  await envs.reset();
  envs.send([1, 1, 1, 1]);
  const { envIds } = await envs.recv(4);
  const rest = await envs.recv(4 - envIds.length);
  expect([rest.envIds.length, rest.observations.length, rest.rewards.length, rest.infos]).toEqual([0, 0, 0, []]);
  const into = new Uint8Array(envs.observationSpace.size);
  expect((await envs.recv(0, { into })).observations.length).toBe(0);
});

test("a wrong send or recv is refused at once", async () => {
  const envs = await create({ numEnvs: 3, workers: 2 });
  const refused = (code: string, call: () => void, text: string) => {
    expect(call).toThrowError(Gym2600Error);
    expect(call).toThrowError(expect.objectContaining({ code, message: expect.stringContaining(text) }));
  };
  refused("bad-state", () => envs.send([0, 0, 0]), "environments 0, 1, 2: reset");
  await envs.reset();
  refused("bad-action", () => envs.send([0, 0], [1]), "2 actions were given for 1 environments");
  refused("bad-action", () => envs.send([0, 50], [1, 2]), "environment 2: action 50");
  refused("bad-option", () => envs.send([0], [3]), "there is no environment 3; there are 3");
  refused("bad-option", () => envs.send([0, 0], [1, 1]), "1 is named twice");
  await expect(envs.recv()).rejects.toMatchObject({ code: "bad-state", message: expect.stringMatching(/^1 .* 0 /) });
  envs.send([0, 0], [0, 2]);
  refused("bad-state", () => envs.send([0], [2]), "environment 2: receive the result of its last send first");
  await expect(envs.step([0, 0, 0])).rejects.toMatchObject({ code: "bad-state", lanes: [0, 2] });
  await expect(envs.reset()).rejects.toMatchObject({ code: "bad-state", lanes: [0, 2] });
  await expect(envs.recv(3)).rejects.toMatchObject({ code: "bad-state", message: expect.stringMatching(/3 .* 2 /) });
  await expect(envs.recv(-1)).rejects.toMatchObject({ code: "bad-option" });
  const first = envs.recv(2);
  await expect(envs.recv(1)).rejects.toMatchObject({ code: "bad-state", message: expect.stringContaining("another") });
  expect((await first).envIds.length).toBe(2);
  await envs.step([0, 0, 0]);
});

test("close lets a pending recv settle, and everything after it is refused", async () => {
  const envs = await create({ workers: 3 });
  await envs.reset();
  envs.send([1, 1, 1]);
  const pending = envs.recv(3);
  await envs.close();
  expect((await pending).envIds.length).toBe(3);
  await expect(envs.recv()).rejects.toMatchObject({ code: "closed" });
  expect(() => envs.send([1, 1, 1])).toThrowError(expect.objectContaining({ code: "closed" }));
  await expect(envs.stepMany([[1, 1, 1]])).rejects.toMatchObject({ code: "closed" });
  await expect(envs.save(0)).rejects.toMatchObject({ code: "closed" });
  await expect(envs.revive(0)).rejects.toMatchObject({ code: "closed" });
});

test("a dead worker rejects recv once with its lanes, and the others are still received", async () => {
  const { envs, threads } = await createWithThreads({ numEnvs: 5, workers: 3 });
  await envs.reset();
  void threads[1]?.terminate();
  envs.send([1, 1, 1, 1, 1]);
  const received = new Set<number>();
  let failure: unknown;
  while (received.size < 4 && (failure === undefined || received.size < 3)) {
    await envs.recv().then(
      ({ envIds }) => envIds.forEach((lane) => void received.add(lane)),
      (error: unknown) => {
        expect(failure).toBeUndefined();
        failure = error;
      },
    );
  }
  expect(failure).toMatchObject({ code: "worker-died", lane: 1, lanes: [1, 2] });
  expect([...received].sort()).toEqual([0, 3, 4]);
  expect(envs.deadLanes).toEqual([1, 2]);
  expect(() => envs.send([1], [2])).toThrowError(expect.objectContaining({ code: "worker-died", lanes: [2] }));
  envs.send([1, 1, 1], [0, 3, 4]);
  expect((await envs.recv(3)).envIds.length).toBe(3);
});
