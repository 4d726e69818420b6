/** `trace` and `rollout` print the same bytes natively and through the package. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  actionsFile,
  native,
  PACKAGE,
  packaged,
  ROOT,
  romPath,
  seedOfTheDay,
  someActions,
  temporaryFolder,
  throughPackage,
  throughPackageInterpreted,
} from "./support.js";

/** Runs both programs, checks that their output is equal, and returns it. */
function both(...args: string[]): string {
  const [expected, found] = [native(...args), throughPackage(...args)];
  expect(expected.status, expected.errors).toBe(0);
  expect(found.status, found.errors).toBe(0);
  // No toEqual on the whole text: it takes minutes to show a difference of long texts.
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
  ["space_invaders", ["--sound", "--seed", "3", "--sticky", "0.25"]],
  ["klax", ["--sound"]],
] as const)("trace prints the native program's bytes for %s with %s", ([game, options]) => {
  const actions = actionsFile(someActions(1500, 18, 1));
  const lines = both("trace", romPath(game), actions, ...options)
    .trim()
    .split("\n");
  expect(lines.length).toBeGreaterThan(1500);
});

test("the program prints the same bytes where modules cannot be compiled at run time", () => {
  const actions = actionsFile(someActions(1500, 18, seedOfTheDay()));
  const args = ["trace", romPath("qbert"), actions, "--seed", String(seedOfTheDay())];
  const [free, refused] = [throughPackage(...args), throughPackageInterpreted(...args)];
  expect(refused.status, refused.errors).toBe(0);
  // One refusal: a program whose compile job failed is not compiled again.
  expect(refused.errors).toBe("refused\n");
  expect(refused.output === free.output).toBe(true);
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

test.for(["gymnasium", "baselines", "nature-dqn"])(
  "over several resets without a seed, rollout prints the native program's bytes for %s",
  (preset) => {
    const actions = actionsFile(someActions(2500, 4, seedOfTheDay()));
    const lines = both("rollout", romPath("breakout"), actions, "--preset", preset, "--seed", String(seedOfTheDay()));
    expect(lines.split('"episode":{').length).toBeGreaterThan(3);
  },
);

test.for([
  ["riverraid", "gymnasium"],
  ["pitfall2", "gym2600"],
  ["elevator_action", "envpool"],
  ["montezuma_revenge", "nature-dqn"],
  ["breakout", "labml"],
] as const)(
  "a state of %s in %s that one program saved goes on in the other as if play had never stopped",
  ([game, preset]) => {
    const options = ["--preset", preset, "--seed", String(seedOfTheDay())];
    const all = someActions(600, 3, seedOfTheDay());
    const [begin, rest] = [actionsFile(all.slice(0, 250)), actionsFile(all.slice(250))];
    const folder = temporaryFolder();
    const observed = (output: string) =>
      output
        .trim()
        .split("\n")
        .map((line) => line.replace(/^\{"step":\d+/, ""));
    const whole = observed(native("rollout", romPath(game), actionsFile(all), ...options).output).slice(251);
    expect(whole.length).toBe(350);
    for (const [name, saves, restores] of [
      ["native", native, throughPackage],
      ["throughPackage", throughPackage, native],
    ] as const) {
      const state = join(folder, name);
      const saved = saves("rollout", romPath(game), begin, ...options, "--save", state);
      expect(saved.status, saved.errors).toBe(0);
      const restored = restores("rollout", romPath(game), rest, ...options, "--restore", state);
      expect(restored.status, restored.errors).toBe(0);
      expect(observed(restored.output).findIndex((line, index) => line !== whole[index])).toBe(-1);
      expect(observed(restored.output).length).toBe(350);
    }
    const [first, second] = ["native", "throughPackage"].map((name) => readFileSync(join(folder, name)));
    expect(second?.equals(first ?? Buffer.of()), "both states have the same bytes").toBe(true);
  },
);

test.for(["labml", "nature-dqn", "gymnasium", "ale-vector"])(
  "rollout of several environments prints the native program's bytes for %s",
  (preset) => {
    const actions = actionsFile(someActions(600, 4, 3));
    both("rollout", romPath("breakout"), actions, "--preset", preset, "--seed", "5", "--envs", "3");
  },
);

test("a dump is the RAM and the screen of its line, and the same from both programs", () => {
  const actions = actionsFile(someActions(100, 18, 4));
  const folder = temporaryFolder();
  const dump = (program: typeof native, name: string, line: number) => {
    const path = join(folder, name);
    const found = program("trace", romPath("pong"), actions, "--dump-line", String(line), "--dump-to", path);
    expect(found.status, found.errors).toBe(0);
    return { lines: found.output.trim().split("\n"), state: readFileSync(path) };
  };
  for (const line of [1, 31, 101]) {
    const [expected, found] = [dump(native, "native", line), dump(throughPackage, "throughPackage", line)];
    expect(found.lines).toEqual(expected.lines);
    expect(found.lines.length).toBe(line);
    expect(found.state.length).toBe(128 + 160 * 210);
    expect(found.state.equals(expected.state)).toBe(true);
  }
});

test("a definition runs an unknown ROM, in trace and in rollout", () => {
  const folder = temporaryFolder();
  const [changed, definition] = [join(folder, "mine.bin"), join(folder, "mine.toml")];
  const bytes = readFileSync(romPath("wallop"));
  // A change of the unused interrupt vector: another MD5, the same game.
  bytes[bytes.length - 6] = (bytes[bytes.length - 6] ?? 0) ^ 1;
  writeFileSync(changed, bytes);
  writeFileSync(
    definition,
    readFileSync(join(ROOT, "crates/arcade/games/wallop.toml"), "utf8").replace(/^md5.*\n/m, ""),
  );
  const actions = actionsFile(someActions(300, 4, 5));
  const found = both("trace", changed, actions, "--game", definition, "--mode", "1");
  expect(found).toBe(both("trace", romPath("wallop"), actions, "--mode", "1"));
  both("rollout", changed, actions, "--preset", "labml", "--game", definition);
});

test("both programs name their version", () => {
  const { version } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8")) as { version: string };
  for (const program of [native, packaged]) expect(program("--version").output).toBe(`gym2600 ${version}\n`);
});
