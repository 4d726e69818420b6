import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { HANG_MS } from "../../tests/limits.js";

/** The tests of the package, and those in tests/package with the native program, browsers and npm. */
export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: {
    include: ["packages/gym2600/test/**/*.test.ts", "tests/package/**/*.test.ts", "tests/chaos/**/*.test.ts"],
    // Most tests wait for a browser, a worker or a program. The default leaves a processor unused.
    maxWorkers: "100%",
    testTimeout: HANG_MS,
    hookTimeout: HANG_MS,
  },
});
