/** The tarball of npm: its files, and that it works when it is installed. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { native, PACKAGE, rom, romPath, run, temporaryFolder } from "./support.js";

interface Packed {
  readonly filename: string;
  readonly files: ReadonlyArray<{ readonly path: string; readonly size: number }>;
}

let folder: string;
let packed: Packed;

beforeAll(() => {
  folder = temporaryFolder();
  const { status, output, errors } = run("npm", ["pack", "--json", "--pack-destination", folder], PACKAGE);
  expect(status, errors).toBe(0);
  [packed] = JSON.parse(output) as [Packed];
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "user", private: true, type: "module" }));
  const installed = run("npm", ["install", "--no-audit", "--no-fund", "--offline", `./${packed.filename}`], folder);
  expect(installed.status, installed.errors).toBe(0);
});

test("the package has the built files and the texts only", () => {
  const paths = packed.files.map(({ path }) => path);
  const allowed =
    /^(dist\/[\w-]+\.(js|iife\.js|js\.map|d\.ts)|wasm\/gym2600_wasm_bg\.wasm|wasm-learn\/gym2600_learn_bg\.wasm|package\.json|README\.md|LICENSE-(MIT|APACHE|toml-eslint-parser))$/;
  expect(paths.filter((path) => !allowed.test(path))).toEqual([]);
  for (const needed of [
    "dist/index.js",
    "dist/index-node.js",
    "dist/index.d.ts",
    "dist/worker.js",
    "dist/inline.js",
    "dist/cli.js",
  ]) {
    expect(paths).toContain(needed);
  }
  expect(paths).toContain("wasm/gym2600_wasm_bg.wasm");
  expect(paths).toContain("wasm-learn/gym2600_learn_bg.wasm");
});

test("no game but WALLOP is in the package", () => {
  const all = packed.files.map(({ path }) => readFileSync(join(folder, "node_modules/gym2600", path)));
  for (const game of ["breakout", "pong", "space_invaders", "pitfall2"]) {
    const piece = Buffer.from(rom(game).subarray(512, 576));
    for (const bytes of all) {
      expect(bytes.includes(piece)).toBe(false);
      expect(bytes.includes(piece.toString("base64").slice(2, -2))).toBe(false);
    }
  }
});

test("the package has no dependencies", () => {
  const manifest = JSON.parse(readFileSync(join(folder, "node_modules/gym2600/package.json"), "utf8")) as object;
  expect(manifest).not.toHaveProperty("dependencies");
  expect(manifest).not.toHaveProperty("peerDependencies");
});

test("the installed package plays in this thread, in a worker and in a batch", () => {
  const script = join(folder, "play.js");
  writeFileSync(
    script,
    `import { EpisodeStatistics, Game, GameWorker, VectorEnv, wallop } from "gym2600";
    import { TensorBoardWriter } from "gym2600/tensorboard";
    const game = await Game.create({ rom: wallop, preset: "labml" });
    const worker = await GameWorker.create({ rom: wallop, preset: "labml" });
    const envs = await VectorEnv.create({ rom: wallop, preset: "labml", numEnvs: 2, workers: 1 });
    game.reset();
    await Promise.all([worker.reset(), envs.reset()]);
    const same = Buffer.compare(game.step(1).observation, (await worker.step(1)).observation) === 0;
    const result = await envs.step([1, 0]);
    const statistics = new EpisodeStatistics({ numEnvs: 2, writer: new TensorBoardWriter("runs") });
    statistics.record(result);
    console.log(same, result.rewards.length);
    // Nothing is closed: a program without pending requests ends by itself.`,
  );
  const { status, output, errors } = run(process.execPath, [script], folder);
  expect(errors).toBe("");
  expect({ status, output }).toEqual({ status: 0, output: "true 2\n" });
});

test("the installed program prints the lines of the native one", () => {
  const actions = join(folder, "actions.txt");
  writeFileSync(actions, "1\n0\n2\n3\n");
  const args = ["trace", romPath("wallop"), actions];
  expect(run("npx", ["--no-install", "gym2600", ...args], folder).output).toBe(native(...args).output);
});

test("the types resolve and strict programs compile", () => {
  writeFileSync(
    join(folder, "user.ts"),
    `import { checkEnv, Game, type ScalarWriter, type StepResult, VectorEnv, wallop } from "gym2600";
    import { TensorBoardWriter } from "gym2600/tensorboard";
    const game = await Game.create({ rom: wallop, preset: "labml", seed: 0 });
    const result: StepResult = game.step(game.actionSpace.sample());
    const lives: number = result.info.lives;
    const envs = await VectorEnv.create({ rom: wallop, numEnvs: 2, autoreset: "same-step" });
    envs.send(Uint8Array.of(1, 0));
    const { envIds } = await envs.recv(2);
    const writer: ScalarWriter = new TensorBoardWriter("runs");
    await checkEnv(envs);
    // @ts-expect-error a path is no ROM
    await Game.create({ rom: "breakout.bin" });
    export { envIds, lives, writer };`,
  );
  const tsc = join(PACKAGE, "../../node_modules/typescript/bin/tsc");
  for (const resolution of [
    ["--module", "nodenext"],
    ["--module", "esnext", "--moduleResolution", "bundler"],
  ]) {
    const options = ["--noEmit", "--strict", "--target", "es2022", "--lib", "es2022,dom", ...resolution];
    const { status, output } = run(process.execPath, [tsc, ...options, "user.ts"], folder);
    expect(output).toBe("");
    expect(status).toBe(0);
  }
});
