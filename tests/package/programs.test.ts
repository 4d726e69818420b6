/** The package's program prints the bytes of the native one. */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  actionsFile,
  native,
  PACKAGE,
  packaged,
  packagedInterpreted,
  ROOT,
  romPath,
  seedOfTheDay,
  someActions,
  temporaryFolder,
} from "./support.js";

/** Runs both programs, checks that their output is equal, and returns it. */
function both(...args: string[]): string {
  const [expected, found] = [native(...args), packaged(...args)];
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
  const [free, refused] = [packaged(...args), packagedInterpreted(...args)];
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
      ["native", native, packaged],
      ["packaged", packaged, native],
    ] as const) {
      const state = join(folder, name);
      const saved = saves("rollout", romPath(game), begin, ...options, "--save", state);
      expect(saved.status, saved.errors).toBe(0);
      const restored = restores("rollout", romPath(game), rest, ...options, "--restore", state);
      expect(restored.status, restored.errors).toBe(0);
      expect(observed(restored.output).findIndex((line, index) => line !== whole[index])).toBe(-1);
      expect(observed(restored.output).length).toBe(350);
    }
    const [first, second] = ["native", "packaged"].map((name) => readFileSync(join(folder, name)));
    expect(second?.equals(first ?? Buffer.of()), "both states have the same bytes").toBe(true);
  },
);

test("both programs refuse bytes that are no state, and a state for several environments", () => {
  const folder = temporaryFolder();
  const [none, actions] = [join(folder, "none"), actionsFile([0])];
  writeFileSync(none, "no state");
  for (const program of [native, packaged]) {
    const refused = program("rollout", romPath("wallop"), actions, "--preset", "labml", "--restore", none);
    expect(refused.status).not.toBe(0);
    expect(refused.errors).toContain(none);
    const several = program("rollout", romPath("wallop"), actions, "--preset", "labml", "--envs", "1", "--save", none);
    expect(several.status).not.toBe(0);
    expect(several.errors).toContain("--save");
  }
});

test.for(["labml", "nature-dqn", "gymnasium", "ale-vector"])(
  "rollout of several environments prints the native program's bytes for %s",
  (preset) => {
    const actions = actionsFile(someActions(600, 4, 3));
    both("rollout", romPath("breakout"), actions, "--preset", preset, "--seed", "5", "--envs", "3");
  },
);

test("actions come from the standard input, with any line ends", () => {
  const folder = temporaryFolder();
  const actions = join(folder, "actions.txt");
  writeFileSync(actions, "0\r\n\r\n 3 \n+1\n17");
  expect(both("trace", romPath("wallop"), actions).trim().split("\n").length).toBe(5);
});

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
    const [expected, found] = [dump(native, "native", line), dump(packaged, "packaged", line)];
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
    [1, "trace", wallop, good, "--difficulty", "9"],
    [1, "trace", wallop, good, "--game", write("wrong.toml", "rom = \n")],
    [1, "trace", wallop, good, "--game", write("rules.toml", 'rom = "a"\n[rules]\nlives = "scor"\n')],
    [1, "trace", wallop, good, "--game", join(folder, "none.toml")],
    [1, "rollout", wallop, good, "--preset", "labml", "--game", join(folder, "wrong.toml")],
    [1, "trace", wallop, good, "--seed", "-1"],
    [1, "rollout", wallop, write("many.txt", "0\n99\n"), "--preset", "labml"],
    [1, "rollout", wallop, good, "--preset", "nope"],
    // A ROM alone is read as a file of actions.
    [1, "trace", wallop],
    [2, "trace"],
    [2, "trace", wallop, good, "--sticky", "2"],
    [2, "trace", wallop, good, "--dance"],
    [2, "trace", wallop, good, "--dump-line", "1"],
    [2, "trace", wallop, good, "--dump-to", join(folder, "dump")],
    [2, "trace", wallop, good, "--dump-line", "0", "--dump-to", join(folder, "dump")],
    [2, "trace", wallop, good, "--sound", "--sound=1"],
    [2, "rollout", wallop, good],
    [2, "dance"],
    [2],
  ];
  for (const [status, ...args] of cases) {
    for (const program of [native, packaged]) {
      const found = program(...args);
      expect({ args, status: found.status, output: found.output }).toEqual({ args, status, output: "" });
      expect(found.errors).not.toBe("");
      // Both name the line at fault of a file.
      const place = /\.toml/.test(args.at(-1) ?? "") ? /\.toml:\d+:\d+/.exec(native(...args).errors)?.[0] : undefined;
      if (place !== undefined) expect(found.errors).toContain(place);
    }
  }
});

test("without a ROM, both programs play WALLOP", () => {
  const actions = actionsFile(someActions(60, 4, 1));
  for (const program of [native, packaged]) {
    for (const [command, ...options] of [["trace"], ["rollout", "--preset", "labml"]] as const) {
      const { output } = program(command, actions, ...options);
      expect(output).toBe(program(command, romPath("wallop"), actions, ...options).output);
      expect(output.split("\n").length).toBeGreaterThan(60);
    }
  }
});

test("both programs name their version", () => {
  const { version } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8")) as { version: string };
  for (const program of [native, packaged]) expect(program("--version").output).toBe(`gym2600 ${version}\n`);
});

test("a line that the output does not have is an error after the output", () => {
  const actions = actionsFile([0, 0]);
  const dump = join(temporaryFolder(), "dump");
  for (const program of [native, packaged]) {
    const found = program("trace", romPath("wallop"), actions, "--dump-line", "9", "--dump-to", dump);
    expect(found.status).toBe(1);
    expect(found.output.trim().split("\n").length).toBe(3);
    expect(found.errors).toContain("line 9 was asked for, but the output has 3 lines");
    expect(existsSync(dump)).toBe(false);
  }
});
