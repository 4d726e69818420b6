/** The shipped policies: the scores that the page tells are those of the weights that it loads. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { dequantised, POLICIES } from "../../www/src/policies/pretrained.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "gym2600-policies-"));

for (const { file, games, mean } of POLICIES) {
  test(`${file} scores what the page says`, () => {
    const weights = join(folder, `${file}.safetensors`);
    writeFileSync(
      weights,
      dequantised(new Uint8Array(readFileSync(join(root, `www/public/policies/${file}.safetensors`)))),
    );
    // As scripts/train-demo measures it.
    const { stdout, stderr } = spawnSync(
      "node",
      [
        join(root, "packages/gym2600/dist/cli.js"),
        "evaluate",
        "--weights",
        weights,
        "--episodes",
        `${games}`,
        "--seed",
        "1",
      ],
      { encoding: "utf8" },
    );
    rmSync(weights);
    expect(stderr).toBe("");
    expect(JSON.parse(stdout.trim().split("\n").at(-1) ?? "")).toMatchObject({ episodes: games, mean });
  });
}
