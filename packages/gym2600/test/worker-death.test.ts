/** The lock that shows that a worker lives. */

import { afterEach, expect, test, vi } from "vitest";
import { holdLifeLock, watchDeath } from "../src/worker/worker-death.js";

afterEach(() => void vi.unstubAllGlobals());

test("a worker without storage, whose request for a lock is refused, goes on without it", async () => {
  const request = () => Promise.reject(new DOMException("The request was denied.", "SecurityError"));
  vi.stubGlobal("origin", "https://your.host");
  vi.stubGlobal("navigator", { locks: { request } });
  await holdLifeLock("refused");
  const died = vi.fn();
  watchDeath("refused", new AbortController().signal, died);
  await Promise.resolve();
  expect(died).not.toHaveBeenCalled();
});
