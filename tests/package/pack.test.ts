/** The tarball of npm: its files, and that it works when it is installed. */

import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { native, PACKAGE, ROOT, rom, run, temporaryFolder } from "./support.js";

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

test("the declarations have the sentence of every wrapper, preset and value", () => {
  const source = readFileSync(join(PACKAGE, "src/schema/gym.ts"), "utf8");
  const sentences = [...source.matchAll(/^ \* - `.*`: .*$/gm)].map(([line]) => line.trim());
  expect(sentences.length).toBeGreaterThan(50);
  const declarations = packed.files.filter(({ path }) => path.endsWith(".d.ts"));
  const text = declarations.map(({ path }) => readFileSync(join(PACKAGE, path), "utf8")).join("");
  expect(sentences.filter((sentence) => !text.includes(sentence))).toEqual([]);
});

test("the package has the built files and the texts only", () => {
  const paths = packed.files.map(({ path }) => path);
  const allowed =
    /^(dist\/[\w-]+\.(js|cjs|iife\.js|js\.map|iife\.js\.map|d\.ts|d\.cts)|wasm\/gym2600_wasm_bg\.wasm|wasm-learn\/gym2600_learn_bg\.wasm|wasm-learn-gpu\/gym2600_learn_gpu_bg\.wasm|((inline|worker|record|tensorboard|toml|learn|learn-worker)\/)?package\.json|README\.md|LICENSE-(MIT|APACHE)|THIRD-PARTY-NOTICES)$/;
  expect(paths.filter((path) => !allowed.test(path))).toEqual([]);
  for (const needed of [
    "dist/index.js",
    "dist/index-node.js",
    "dist/index.d.ts",
    "dist/worker.js",
    "dist/inline.js",
    "dist/cli.js",
    "LICENSE-APACHE",
    "LICENSE-MIT",
  ]) {
    expect(paths).toContain(needed);
  }
  expect(paths).toContain("wasm/gym2600_wasm_bg.wasm");
  expect(paths).toContain("wasm-learn/gym2600_learn_bg.wasm");
  expect(paths).toContain("wasm-learn-gpu/gym2600_learn_gpu_bg.wasm");
});

test("nothing is packed while a file is missing or built from another source", () => {
  const copy = temporaryFolder();
  const place = (path: string) => {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    copyFileSync(join(PACKAGE, path), join(copy, path));
    const { atime, mtime } = statSync(join(PACKAGE, path));
    utimesSync(join(copy, path), atime, mtime);
  };
  const script = "scripts/check-built.mjs";
  const paths = packed.files.map(({ path }) => path);
  for (const path of [...paths, script]) place(path);
  const check = () => run(process.execPath, [script], copy);
  expect(check()).toEqual({ status: 0, output: "", errors: "" });
  // Several entries share each of these.
  const chunks = paths.filter((path) => /-[\w-]{8}\.(?:c?js|d\.c?ts)$/.test(path));
  expect(chunks.length).toBeGreaterThan(10);
  for (const path of [
    ...chunks,
    "dist/index.js",
    "dist/learn-node.cjs",
    "dist/learn.d.ts",
    "dist/learn-worker.js",
    "dist/learn-worker-node.js",
    "dist/worker-node.js",
    "learn/package.json",
    "wasm/gym2600_wasm_bg.wasm",
    "wasm-learn/gym2600_learn_bg.wasm",
    "LICENSE-MIT",
    "THIRD-PARTY-NOTICES",
  ]) {
    rmSync(join(copy, path));
    expect(check(), path).toMatchObject({ status: 1, errors: expect.stringContaining(`not built: ${path}; `) });
    place(path);
  }
  for (const path of ["src/vector/batch.ts", "types/globals.d.ts", "wasm/gym2600_wasm.js", "tsdown.config.ts"]) {
    place(path);
    expect(check(), path).toMatchObject({ status: 0 });
    utimesSync(join(copy, path), new Date(), new Date());
    expect(check(), path).toEqual({
      status: 1,
      output: "",
      errors: `built before a change of: ${path}; run scripts/build wasm package\n`,
    });
    rmSync(join(copy, path));
  }
});

test("every script of the package has a source map with its sources", () => {
  const scripts = packed.files.map(({ path }) => path).filter((path) => path.endsWith(".js"));
  expect(scripts.length).toBeGreaterThan(20);
  const reexports: string[] = [];
  for (const path of scripts) {
    const file = join(folder, "node_modules/gym2600", path);
    // The workers of pages are minified.
    if (!path.endsWith("worker.js") && !readFileSync(file, "utf8").includes("//#region src/")) {
      reexports.push(path);
      continue;
    }
    const { sources, sourcesContent } = JSON.parse(readFileSync(`${file}.map`, "utf8")) as {
      sources: string[];
      sourcesContent: Array<string | null>;
    };
    expect(sources.length, path).toBeGreaterThan(0);
    expect(sourcesContent.map(Boolean), path).toEqual(sources.map(() => true));
  }
  // They export what is in another file.
  expect(reexports.sort()).toEqual(["dist/inline-module.js", "dist/tensorboard.js", "dist/toml.js", "dist/wallop.js"]);
});

test("tools that trace a server's files find each by a literal address, and its workers need no other", () => {
  const read = (path: string) => readFileSync(join(folder, "node_modules/gym2600", path), "utf8");
  const scripts = packed.files.map(({ path }) => path).filter((path) => /^dist\/.*platform-node-.*\.js$/.test(path));
  const named = scripts.flatMap((path) => [...read(path).matchAll(/new URL\("(.*?)", import\.meta\.url\)/g)]);
  const paths = named.map(([, path = ""]) => path).filter((path) => path !== "...");
  expect(paths.sort()).toEqual([
    "../wasm-learn/gym2600_learn_bg.wasm",
    "../wasm/gym2600_wasm_bg.wasm",
    "./learn-worker-node.js",
    "./worker-node.js",
  ]);
  for (const path of paths) expect(packed.files.map((file) => file.path)).toContain(join("dist", path));
  for (const worker of ["dist/worker-node.js", "dist/learn-worker-node.js"]) {
    expect(read(worker).match(/\bfrom "(?!node:).*"/g), worker).toBe(null);
  }
});

test("the modules of a page name each worker's script once, and it needs no other", () => {
  const read = (path: string) => readFileSync(join(folder, "node_modules/gym2600", path), "utf8");
  const modules = packed.files
    .map(({ path }) => path)
    .filter((path) => /^dist\/(?!inline|cli).*(?<!worker)\.js$/.test(path));
  const named = modules.flatMap((path) => [
    ...read(path).matchAll(/new URL\("\.\/((?:learn-)?worker\.js)", import\.meta\.url\)/g),
  ]);
  expect(named.map(([, script]) => script).sort()).toEqual(["learn-worker.js", "worker.js"]);
  for (const worker of ["dist/worker.js", "dist/learn-worker.js"]) {
    expect(read(worker).match(/^import\b|\bfrom ?"/gm), worker).toBe(null);
  }
});

test("the modules of the package are not minified: classes have their names, and stacks those of functions", () => {
  const program = `
    import { Game, VectorEnv } from "gym2600";
    const { stack } = await Game.create({ rom: new Uint8Array(1), mode: -1 }).catch((error) => error);
    console.log(JSON.stringify([Game.name, VectorEnv.name, stack]));`;
  const { output, errors } = run("node", ["--input-type=module", "--eval", program], folder);
  expect(errors).toBe("");
  const [game, envs, stack] = JSON.parse(output) as [string, string, string];
  expect([game, envs]).toEqual(["Game", "VectorEnv"]);
  expect(stack).toMatch(/at Lane\.open .*at async Game\.create /s);
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

test("the package has the licence of every crate and package in it", () => {
  const text = readFileSync(join(folder, "node_modules/gym2600/THIRD-PARTY-NOTICES"), "utf8");
  for (const name of [
    "miniz_oxide",
    "md-5",
    "serde",
    "wasm-encoder",
    "wasm-bindgen",
    "safetensors",
    "toml-eslint-parser",
  ]) {
    expect(text).toMatch(new RegExp(`^${name} \\d[\\w.+-]* \\(.+\\)$`, "m"));
  }
  // Both licences of a crate that has two at once.
  expect(text).toContain("UNICODE LICENSE V3");
});

test("no file of the package has a path of the machine that built it", () => {
  const places = [ROOT, homedir(), process.env.CARGO_HOME, process.env.RUSTUP_HOME].filter(
    (place) => place !== undefined,
  );
  for (const { path } of packed.files) {
    const bytes = readFileSync(join(folder, "node_modules/gym2600", path));
    for (const place of places) expect(bytes.includes(join(place, "/")), `${place} in ${path}`).toBe(false);
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

test("the installed program trains the weights of the native one", () => {
  const [ours, theirs] = [join(folder, "ours.safetensors"), join(folder, "theirs.safetensors")];
  const options = JSON.stringify({ wrappers: [{ type: "ImagePreprocessing", width: 28, height: 28 }] });
  const args = ["train", "--options", options, "--envs", "4", "--set", "rollout=8", "--set", "minibatches=2"];
  args.push("--steps", "32", "--json", "--weights");
  const { status, errors } = run("npx", ["--no-install", "gym2600", ...args, ours], folder);
  expect(status, errors).toBe(0);
  expect(native(...args, theirs).status).toBe(0);
  expect(readFileSync(ours).equals(readFileSync(theirs))).toBe(true);
});
