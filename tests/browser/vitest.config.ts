import { defineConfig } from "vitest/config";
import { HANG_MS, LONG } from "../limits.js";

export default defineConfig({
  test: {
    include: ["**/*.test.ts"],
    // It keeps both processors busy for a quarter of a minute. train.test.ts sees whether the picture moves.
    exclude: LONG ? [] : ["rate.test.ts"],
    globalSetup: "support/site.ts",
    // Most tests wait for a browser. The default leaves a processor unused.
    maxWorkers: "100%",
    testTimeout: HANG_MS,
    hookTimeout: HANG_MS,
    expect: { poll: { timeout: HANG_MS, interval: 50 } },
  },
});
