import { wallop } from "gym2600";
import { beforeEach, expect, test, vi } from "vitest";
import type { LaneOptions } from "../src/env/lane.js";
import { countOf, resultAt } from "../src/env/step-record.js";
import { setPlatform } from "../src/platform.js";
import { node } from "../src/platform-node.js";
import { compiledModule } from "../src/wasm-module.js";
import type { WorkerReply, WorkerRequest } from "../src/worker/protocol.js";
import { WorkerHost } from "../src/worker/worker-host.js";

let replies: WorkerReply[];
let host: WorkerHost;

setPlatform(node);

beforeEach(() => {
  replies = [];
  host = new WorkerHost({ post: (reply) => replies.push(reply), live: () => Promise.resolve() });
});

async function create(id: number, lanes: LaneOptions[]): Promise<WorkerRequest> {
  return { type: "create", id, name: "a worker", module: await compiledModule(), rom: wallop.slice(), lanes };
}

/** Waits for a number of replies of the host. */
async function answered(count: number): Promise<WorkerReply[]> {
  await expect.poll(() => replies.length).toBe(count);
  return replies;
}

test("requests wait for the games to be loaded, and are answered in order", async () => {
  host.message(await create(5, [{ preset: "labml" }, { preset: "labml" }]));
  host.message({ type: "reset", id: 6, lanes: [0, 1], resets: [1, 2] });
  host.message({ type: "dance", id: 7 });
  host.message({ type: "step", id: 8, lanes: [1], actions: [0], every: false, states: false });
  expect(replies).toEqual([]);
  const told = (await answered(4)).map(({ id, type }) => [id, type]);
  expect(told).toEqual([
    [5, "created"],
    [6, "observed"],
    [7, "error"],
    [8, "observed"],
  ]);
});

test("a step is answered with a record for each lane, which has the episode where one ended", async () => {
  host.message(
    await create(0, [
      { preset: "labml", seed: 1 },
      { preset: "labml", seed: 2 },
    ]),
  );
  await answered(1);
  host.message({ type: "reset", id: 1, lanes: [0, 1], resets: ["continue", "continue"] });
  let ends = 0;
  for (let id = 2; id < 400; id++) {
    host.message({ type: "step", id, lanes: [0, 1], actions: [id % 3, 1], every: false, states: false });
    const reply = replies.at(-1);
    if (reply?.type !== "observed") expect.unreachable(JSON.stringify(reply));
    expect(reply.id).toBe(id);
    expect(countOf(reply)).toBe(2);
    for (const lane of [0, 1]) {
      const { terminated, info } = resultAt(reply, lane);
      expect([info.episode !== undefined, info.realDone !== undefined]).toEqual([terminated, terminated]);
      ends += Number(terminated);
    }
  }
  expect(ends).toBeGreaterThan(1);
});

test("the worker's script refuses to be imported where there is no worker, with what to do", async () => {
  const refused = expect.objectContaining({
    name: "Gym2600Error",
    code: "bad-state",
    message: "gym2600/worker is the script of a worker: give its address to init({ worker }) and do not import it",
  });
  await expect(import("../src/worker/worker-node.js")).rejects.toThrowError(refused);
  vi.stubGlobal("document", {});
  try {
    await expect(import("../src/worker/worker.js")).rejects.toThrowError(refused);
  } finally {
    vi.unstubAllGlobals();
  }
});
