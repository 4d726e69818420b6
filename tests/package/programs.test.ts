/** The package's program against the native one: the same bytes, over WebAssembly. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { actionsFile, native, packaged, romPath, someActions, temporaryFolder } from "./support.js";

/** Runs both programs; gives what they printed, having checked that it is the same. */
function both(...args: string[]): string {
  const [expected, found] = [native(...args), packaged(...args)];
  expect(expected.status, expected.errors).toBe(0);
  expect(found.status, found.errors).toBe(0);
  // Not toEqual on the whole: a difference of long texts takes minutes to show.
  const [expectedLines, foundLines] = [expected.output.split("\n"), found.output.split("\n")];
  const index = expectedLines.findIndex((line, index) => line !== foundLines[index]);
  expect(foundLines[index], `line ${index + 1}`).toBe(expectedLines[index]);
  expect(foundLines.length).toBe(expectedLines.length);
  return found.output;
}

test.for([
  ["wallop", []],
  ["breakout", ["--seed", "7", "--sticky", "0.25"]],
  ["pitfall2", ["--seed", "-5", "--sticky", "0.25"]],
  ["space_invaders", ["--mode", "1", "--difficulty", "1"]],
] as const)("trace prints the native program's bytes for %s with %s", ([game, options]) => {
  const actions = actionsFile(someActions(1500, 18, 1));
  const lines = both("trace", romPath(game), actions, ...options)
    .trim()
    .split("\n");
  expect(lines.length).toBeGreaterThan(1500);
});

test.for([
  ["wallop", "labml"],
  ["breakout", "labml"],
  ["breakout", "nature-dqn"],
  ["pong", "gymnasium"],
  ["seaquest", "ale-vector"],
  ["qbert", "envpool"],
  ["space_invaders", "baselines"],
  ["montezuma_revenge", "gym2600"],
] as const)("rollout prints the native program's bytes for %s with %s", ([game, preset]) => {
  const actions = actionsFile(someActions(800, 3, 2));
  both("rollout", romPath(game), actions, "--preset", preset, "--seed", "11");
});

test.for(["labml", "nature-dqn", "gymnasium", "ale-vector"])(
  "rollout of several environments prints the native program's bytes for %s",
  (preset) => {
    const actions = actionsFile(someActions(600, 4, 3));
    both("rollout", romPath("breakout"), actions, "--preset", preset, "--seed", "5", "--envs", "3");
  },
);

test("actions may come from the standard input and end in any way", () => {
  const folder = temporaryFolder();
  const actions = join(folder, "actions.txt");
  writeFileSync(actions, "0\r\n\r\n 3 \n+1\n17");
  expect(both("trace", romPath("wallop"), actions).trim().split("\n").length).toBe(5);
});

test("bad input ends both programs with status 1, and a bad command line with 2, before anything is printed", () => {
  const folder = temporaryFolder();
  const write = (name: string, content: string | Uint8Array) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const wallop = romPath("wallop");
  const unknown = new Uint8Array(readFileSync(wallop));
  unknown[5] = (unknown[5] ?? 0) ^ 0xff;
  const good = write("good.txt", "0\n1\n");
  const cases: ReadonlyArray<readonly [number, ...string[]]> = [
    [1, "trace", write("empty.bin", ""), good],
    [1, "trace", write("odd.bin", new Uint8Array(3072)), good],
    [1, "trace", write("unknown.bin", unknown), good],
    [1, "trace", join(folder, "none.bin"), good],
    [1, "trace", wallop, write("eighteen.txt", "0\n18\n")],
    [1, "trace", wallop, write("word.txt", "fire\n")],
    [1, "trace", wallop, good, "--mode", "99"],
    [1, "trace", wallop, good, "--seed", "-1"],
    [1, "rollout", wallop, write("many.txt", "0\n99\n"), "--preset", "labml"],
    [1, "rollout", wallop, good, "--preset", "nope"],
    [2, "trace", wallop],
    [2, "trace", wallop, good, "--sticky", "2"],
    [2, "trace", wallop, good, "--dance"],
    [2, "rollout", wallop, good],
    [2, "dance"],
    [2],
  ];
  for (const [status, ...args] of cases) {
    for (const program of [native, packaged]) {
      const found = program(...args);
      expect({ args, status: found.status, output: found.output }).toEqual({ args, status, output: "" });
      expect(found.errors).not.toBe("");
    }
  }
});
