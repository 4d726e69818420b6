import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { HANG_MS } from "../../tests/limits.js";

/** The package's own tests, and those in tests/package that hold it against the native program, a browser and npm. */
export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: {
    include: ["packages/gym2600/test/**/*.test.ts", "tests/package/**/*.test.ts"],
    globalSetup: "tests/package/build-native.ts",
    testTimeout: HANG_MS,
    hookTimeout: HANG_MS,
  },
});
