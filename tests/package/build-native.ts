/** Builds the native program before the tests, which compare with it. Quick when it is up to date. */

import { spawnSync } from "node:child_process";
import { ROOT } from "./support.js";

export function setup(): void {
  const { status } = spawnSync("cargo", ["build", "--release", "--quiet", "--package", "gym2600-cli"], {
    cwd: ROOT,
    stdio: "inherit",
  });
  if (status !== 0) throw new Error("the native program could not be built");
}
