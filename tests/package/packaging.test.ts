/** The checksum with which tests/packaging compares every target. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ACTIONS, total } from "../packaging/play.js";
import { actionsFile, native, ROOT, romPath } from "./support.js";

test("the expected checksum of the packaging tests is that of the native program", () => {
  const args = ["rollout", romPath("wallop"), actionsFile(ACTIONS), "--preset", "labml", "--seed", "0"];
  const { status, output, errors } = native(...args);
  expect(status, errors).toBe(0);
  const observations = output
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { obs: string }).obs);
  const { checksum } = JSON.parse(readFileSync(join(ROOT, "tests/packaging/expected.json"), "utf8")) as object & {
    checksum: string;
  };
  expect(checksum).toBe(total(observations));
});

test("the expected weights of the packaging tests are those of the native program", async () => {
  const wrappers = [
    { type: "SkipFrames", n: 4 },
    { type: "ImagePreprocessing", width: 28, height: 28 },
    { type: "QueueFrames", n: 4 },
  ];
  const settings = ["rollout=8", "minibatches=2", "epochs=2"].flatMap((setting) => ["--set", setting]);
  const args = [
    "train",
    "--no-save",
    "--options",
    JSON.stringify({ wrappers }),
    "--envs",
    "4",
    "--seed",
    "1",
    "--steps",
    "64",
    "--json",
  ];
  const { status, output, errors } = native(...args, ...settings);
  expect(status, errors).toBe(0);
  const [, second = ""] = output.trim().split("\n");
  const { weights } = JSON.parse(readFileSync(join(ROOT, "tests/packaging/expected.json"), "utf8")) as {
    weights: string;
  };
  expect(weights).toBe((JSON.parse(second) as { weights: string }).weights);
});
