import { defineConfig } from "vitest/config";
import { HANG_MS } from "../limits.js";

export default defineConfig({
  test: {
    include: ["**/*.test.ts"],
    globalSetup: "support/site.ts",
    // One browser at a time, because tests check the speed of the page.
    fileParallelism: false,
    testTimeout: HANG_MS,
    hookTimeout: HANG_MS,
    expect: { poll: { timeout: HANG_MS, interval: 50 } },
  },
});
