import { defineConfig } from "vitest/config";
import { HANG_MS } from "../limits.js";

export default defineConfig({
  test: {
    include: ["**/*.test.ts"],
    globalSetup: "support/site.ts",
    // One browser at a time: the page's speed is part of what is tested.
    fileParallelism: false,
    testTimeout: HANG_MS,
    hookTimeout: HANG_MS,
    expect: { poll: { timeout: HANG_MS, interval: 50 } },
  },
});
