/** The shipped policies: the scores that the page tells are those of the weights that it loads. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { dequantised, POLICIES } from "../../www/src/policies/pretrained.js";
import { LONG } from "../limits.js";
import { native, ROOT, temporaryFolder } from "./support.js";

const folder = temporaryFolder();

// The games of the best one take more than a minute.
for (const { file, games, mean } of LONG ? POLICIES : POLICIES.slice(0, 2)) {
  test(`${file} scores what the page says`, () => {
    const weights = join(folder, `${file}.safetensors`);
    const shipped = readFileSync(join(ROOT, `www/public/policies/${file}.safetensors`));
    writeFileSync(weights, dequantised(new Uint8Array(shipped)));
    // As scripts/train-demo measures it. The package's program prints the same, which learn-programs.test.ts compares.
    const options = ["--weights", weights, "--episodes", String(games), "--seed", "1"];
    const { output, errors } = native("evaluate", ...options);
    expect(errors).toBe("");
    expect(JSON.parse(output.trim().split("\n").at(-1) ?? "")).toMatchObject({ episodes: games, mean });
  });
}
