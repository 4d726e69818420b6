import { defineConfig } from "vitest/config";
import { HANG_MS } from "../limits.js";

export default defineConfig({
  test: {
    include: ["**/*.test.ts"],
    globalSetup: "support/site.ts",
    // One browser at a time: two would take each other's processor.
    fileParallelism: false,
    testTimeout: HANG_MS,
    hookTimeout: HANG_MS,
    expect: { poll: { timeout: HANG_MS, interval: 50 } },
  },
});
