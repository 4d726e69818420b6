/** The lock that shows that a worker lives. */

import { afterEach, expect, test, vi } from "vitest";
import { browser } from "../src/platform-browser.js";
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

test("where there is nothing to start a worker with, as in a service worker, the refusal says what works", () => {
  vi.stubGlobal("Worker", undefined);
  expect(() => browser.startWorker("none", undefined)).toThrow(
    expect.objectContaining({ code: "worker-died", message: expect.stringContaining("workers: 0") }),
  );
});
