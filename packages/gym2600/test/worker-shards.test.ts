/** Shards in a worker that never answers. */

import { readFileSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import { setLearnerWorker, WorkerShards } from "../src/learn/worker-shards.js";
import { setLearnerPlatform } from "../src/learn-platform-node.js";
import type { TrainingConfig } from "../src/schema/learn.js";
import { START_LIMIT_MS } from "../src/worker/worker-death.js";

const rom = readFileSync(new URL("../../../crates/arcade/games/wallop.bin", import.meta.url));

setLearnerPlatform();

afterEach(() => void vi.useRealTimers());

test("a worker that never answers its first request is given up", async () => {
  const terminate = vi.fn();
  const silent = { post: vi.fn(), listen: () => undefined, awaited: () => undefined, terminate };
  setLearnerWorker(() => silent);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const created = expect(
    WorkerShards.create({ rom, config: {} as TrainingConfig, first: 0, count: 1 }),
  ).rejects.toMatchObject({
    code: "worker-died",
    message: expect.stringContaining("60 s"),
  });
  await vi.waitFor(() => expect(silent.post).toHaveBeenCalled());
  await vi.advanceTimersByTimeAsync(START_LIMIT_MS);
  await created;
  expect(terminate).toHaveBeenCalledOnce();
});
