import { defineConfig } from "vitest/config";
import { HANG_MS } from "../limits.js";

export default defineConfig({
  test: {
    include: ["**/*.test.ts"],
    globalSetup: ["support/site.ts", "../package/build-native.ts"],
    // Most tests wait for a browser. The default leaves a processor unused.
    maxWorkers: "100%",
    testTimeout: HANG_MS,
    hookTimeout: HANG_MS,
    expect: { poll: { timeout: HANG_MS, interval: 50 } },
  },
});
