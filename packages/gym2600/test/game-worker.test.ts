import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { Game, type GameOptions, GameWorker, wallop } from "gym2600";
import { afterEach, expect, test, vi } from "vitest";
import { rom } from "../../../tests/package/support.js";
import { digest } from "./digest.js";

const OPTIONS = { rom: wallop, preset: "labml", seed: 3 } satisfies GameOptions;
const open: GameWorker[] = [];

async function create(options: Partial<GameOptions> = {}): Promise<GameWorker> {
  const worker = await GameWorker.create({ ...OPTIONS, ...options });
  open.push(worker);
  return worker;
}

/** A GameWorker and its thread. */
async function createWithThread(): Promise<{ worker: GameWorker; thread: Worker }> {
  const post = vi.spyOn(Worker.prototype, "postMessage");
  const worker = await create();
  const thread = post.mock.contexts[0] as Worker;
  post.mockRestore();
  return { worker, thread };
}

afterEach(async () => {
  for (const worker of open.splice(0)) await worker.close();
});

test("a game in a worker gives the results and pictures of a game in this thread", async () => {
  const worker = await create();
  const game = await Game.create(OPTIONS);
  expect(worker.description).toEqual(game.description);
  expect(digest(await worker.reset())).toEqual(digest(game.reset()));
  for (let step = 0; step < 300; step++) {
    const action = step % game.actionSpace.n;
    const { picture, ...result } = await worker.step(action, { picture: step % 7 === 0 });
    expect(digest(result)).toEqual(digest(game.step(action)));
    const expected = step % 7 === 0 ? game.render() : undefined;
    expect(digest(picture)).toEqual(digest(expected));
  }
  const again = { ...game.reset({ seed: 9 }), picture: game.render() };
  expect(digest(await worker.reset({ seed: 9, picture: true }))).toEqual(digest(again));
  game.close();
});

test("a paddle turns at any strength", async () => {
  const options = { rom: rom("breakout"), preset: undefined, wrappers: [] };
  const [worker, game] = [await create(options), await Game.create(options)];
  await worker.reset();
  game.reset();
  for (const paddleStrength of [0.25, 1, 0, 0.5]) {
    await worker.step(2, { paddleStrength });
    game.step(2, { paddleStrength });
    expect(digest(await worker.ram())).toEqual(digest(game.ram()));
  }
  await expect(worker.step(2, { paddleStrength: 2 })).rejects.toMatchObject({ code: "bad-action" });
  game.close();
});

test("a restored state has its observation and info", async () => {
  const worker = await create({ preset: "gymnasium", seed: 4 });
  await worker.reset();
  for (let step = 0; step < 20; step++) await worker.step(step % 4);
  const expected = await worker.step(1n);
  const state = await worker.save();
  await worker.reset({ seed: 1 });
  const { observation, info } = await worker.restore(state);
  expect(digest(observation)).toBe(digest(expected.observation));
  expect(info).toEqual(expected.info);
  await expect(worker.restore(state.subarray(1))).rejects.toMatchObject({ code: "bad-saved-state" });
  const next = digest((await worker.step(2)).observation);
  await worker.restore(state);
  expect(digest((await worker.step(2)).observation)).toBe(next);
});

test("requests can overlap and are answered in order", async () => {
  const worker = await create();
  const game = await Game.create(OPTIONS);
  const requests = [worker.reset(), ...[1, 0, 2, 1].map((action) => worker.step(action))];
  const expected = [game.reset(), ...[1, 0, 2, 1].map((action) => game.step(action))];
  expect(digest(await Promise.all(requests))).toEqual(digest(expected));
  game.close();
});

test("the caller keeps its ROM", async () => {
  const rom = wallop.slice();
  await create({ rom });
  expect(digest(rom)).toEqual(digest(wallop));
});

test("the next request fills a recycled buffer", async () => {
  const worker = await create();
  const { observation } = await worker.reset();
  const first = await worker.step(0, { picture: true });
  worker.recycle(observation);
  if (first.picture !== undefined) worker.recycle(first.picture.data);
  const pending = worker.step(1, { picture: true });
  expect(observation.length).toBe(0);
  expect(first.picture?.data.length).toBe(0);
  const second = await pending;
  expect(second.observation.length).toBe(4 * 84 * 84);
  expect(second.picture?.data.length).toBe(worker.description.screen.height * 160 * 4);
  expect(first.observation.length).toBe(4 * 84 * 84);
});

test("only arrays of results can be recycled", async () => {
  const worker = await create();
  const { observation } = await worker.reset();
  for (const array of [new Uint8Array(5), observation.subarray(1), new Uint8ClampedArray(4 * 84 * 84)]) {
    expect(() => worker.recycle(array)).toThrowError(expect.objectContaining({ code: "bad-buffer" }));
  }
});

test("failures in the worker keep their code and message, and change nothing", async () => {
  const unknown = wallop.slice();
  unknown[9] = (unknown[9] ?? 0) ^ 0xff;
  for (const [options, code] of [
    [{ rom: new Uint8Array(0) }, "bad-rom-size"],
    [{ rom: new Uint8Array(3072) }, "bad-rom-size"],
    [{ rom: unknown }, "unknown-rom"],
    [{ preset: "nope" as "labml" }, "bad-option"],
  ] as const) {
    const here = await Game.create({ ...OPTIONS, ...options }).catch((error: Error) => error);
    await expect(create(options)).rejects.toMatchObject({ code, message: (here as Error).message });
  }
  const worker = await create();
  await expect(worker.step(0)).rejects.toMatchObject({ code: "bad-state" });
  await worker.reset();
  await expect(worker.step(99)).rejects.toMatchObject({ code: "bad-action", message: expect.stringContaining("99") });
  await expect(worker.reset({ seed: -1 })).rejects.toMatchObject({ code: "bad-option" });
  const game = await Game.create(OPTIONS);
  game.reset();
  expect(digest(await worker.step(1))).toEqual(digest(game.step(1)));
  game.close();
});

test("the console in a worker is read and written as in this thread", async () => {
  const options = { ...OPTIONS, soundObs: true, repeatActionProbability: 0.5 };
  const [worker, game] = [await create(options), await Game.create(options)];
  await worker.keepFrames();
  game.keepFrames();
  await worker.reset();
  game.reset();
  for (let step = 0; step < 40; step++) {
    await worker.step(step % 3);
    game.step(step % 3);
    if (step === 20) {
      await worker.setRam(5, 77);
      game.setRam(5, 77);
      await worker.setSwitches({ leftDifficulty: "A" });
      game.setSwitches({ leftDifficulty: "A" });
    }
    const told = [worker.ram(), worker.screen(), worker.screenGrey(), worker.screenRgb(), worker.audio()];
    const expected = [game.ram(), game.screen(), game.screenGrey(), game.screenRgb(), game.audio()];
    expect(digest(await Promise.all(told))).toEqual(digest(expected));
    expect(await worker.lastAction()).toBe(game.lastAction);
    expect(await worker.variables()).toEqual(game.variables());
    expect(digest(await worker.frames())).toEqual(digest(game.frames()));
  }
  expect(await worker.palette()).toEqual(game.palette());
  await expect(worker.setRam(128, 0)).rejects.toMatchObject({
    code: "bad-option",
    message: expect.stringContaining("128"),
  });
  await worker.close();
  await expect(worker.ram()).rejects.toMatchObject({ code: "closed" });
  game.close();
});

test("close waits for pending requests, may be called again, and later requests are refused", async () => {
  const worker = await create();
  const last = worker.reset();
  const closing = [worker.close(), worker.close()];
  await expect(last).resolves.toBeDefined();
  await Promise.all(closing);
  await expect(worker.step(0)).rejects.toMatchObject({ code: "closed" });
  await expect(worker.reset()).rejects.toMatchObject({ code: "closed" });
});

test("a worker killed during a step rejects the step and later requests", async () => {
  const { worker, thread } = await createWithThread();
  await worker.reset();
  // The thread may answer some requests before it ends.
  const steps = Array.from({ length: 2000 }, () => worker.step(0));
  void thread.terminate();
  const codes = (await Promise.allSettled(steps)).map((step) =>
    step.status === "rejected" ? step.reason.code : "done",
  );
  expect(new Set(codes)).toContain("worker-died");
  expect(codes.slice(codes.indexOf("worker-died")).every((code) => code === "worker-died")).toBe(true);
  await expect(worker.step(0)).rejects.toMatchObject({ code: "worker-died" });
  await worker.close();
  await expect(worker.step(0)).rejects.toMatchObject({ code: "closed" });
});

test("a worker that throws outside of a request rejects pending requests", async () => {
  const { worker, thread } = await createWithThread();
  const pending = worker.step(0);
  thread.emit("error", new Error("out of memory"));
  await expect(pending).rejects.toMatchObject({ code: "worker-died", message: "the worker died: out of memory" });
});

test("an unreadable message of the worker rejects pending requests", async () => {
  const { worker, thread } = await createWithThread();
  const pending = worker.reset();
  thread.emit("messageerror", new Error("cannot be read"));
  await expect(pending).rejects.toMatchObject({ code: "bad-message" });
  await expect(worker.step(0)).rejects.toMatchObject({ code: "bad-message" });
});

test("terminate settles pending requests at once", async () => {
  const worker = await create();
  const pending = worker.reset();
  worker.terminate();
  await expect(pending).rejects.toMatchObject({ code: "worker-died" });
  await expect(worker.step(0)).rejects.toMatchObject({ code: "closed" });
});

test("the worker answers an unknown request with an error", async () => {
  const thread = new Worker(new URL("../dist/worker-node.js", import.meta.url));
  for (const [message, id, code] of [
    [{ type: "dance", id: 7 }, 7, "unknown-command"],
    [{ id: 8 }, 8, "unknown-command"],
    [{ type: "call", id: 7, lane: 0, method: "constructor", args: [] }, 7, "unknown-command"],
    [{ type: "call", id: 7, lane: 0, method: "ram", args: [] }, 7, "bad-state"],
    [{ type: "step", id: 9, actions: [0] }, 9, "bad-state"],
    ["hello", null, "bad-message"],
    [{ type: "step" }, null, "bad-message"],
  ] as const) {
    thread.postMessage(message);
    const [reply] = await once(thread, "message");
    expect(reply).toMatchObject({ type: "error", id, code });
  }
  await thread.terminate();
});
