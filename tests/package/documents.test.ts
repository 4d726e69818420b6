/**
 * The code blocks of the documents run in a folder where the package has been installed from its tarball.
 *
 * Blocks that need another engine run in another test, which ELSEWHERE names. Of commands that build, test or measure the whole repository
 * the scripts and their options are checked. A training of docs/learning.md is shorter here. A block in a language that nothing runs fails.
 * Nothing here reaches the network: the registries of npm and of cargo are on this machine.
 */

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { constants } from "node:os";
import { basename, delimiter, dirname, join, relative } from "node:path";
import { Game, wallop } from "gym2600";
import { parseDefinition } from "gym2600/toml";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HANG_MS } from "../limits.js";
import { launch, type StaticServer, serve } from "./chromium.js";
import { type Block, blocksOf, documents } from "./documents.js";
import { PACKAGE, ROOT, run, temporaryFolder } from "./support.js";

/** Languages that are no programs. */
const SHOWN = ["text", "mermaid"];

/** Blocks that other tests run: a word of each such block, which the test names. */
const ELSEWHERE: ReadonlyArray<readonly [document: string, language: string, test: string, ...words: string[]]> = [
  ["crates/cli/README.md", "sh", "crates/cli/tests/documents.rs"],
  ["docs/bundlers.md", "js", "tests/packaging/pages.js", "gym2600/learn-worker"],
  ["docs/bundlers.md", "json", "tests/packaging/pages.js"],
  ["docs/bundlers.md", "ts", "tests/packaging/pages.js"],
  ["docs/games.md", "sh", "crates/cli/tests/documents.rs"],
  ["docs/learning.md", "html", "tests/package/onnx.test.ts"],
  ["python/README.md", "sh", "scripts/test-wheel"],
  ["docs/python/index.md", "sh", "scripts/test-wheel"],
  ["python/README.md", "python", "tests/python/test_package.py"],
  ["docs/concepts.md", "python", "tests/python/test_package.py"],
  ["docs/own-game.md", "python", "tests/python/test_package.py"],
  ["docs/recipes.md", "python", "tests/python/test_package.py"],
  ["docs/start.md", "python", "tests/python/test_package.py"],
  ["docs/wrappers.md", "python", "tests/python/test_package.py"],
  ["docs/python/ale.md", "python", "tests/python/test_package.py"],
  ["docs/python/batches.md", "python", "tests/python/test_package.py"],
  ["docs/python/gymnasium.md", "python", "tests/heavy/test_engines.py", "evaluate_policy", "PPO.load"],
  ["docs/python/gymnasium.md", "python", "tests/python/test_package.py"],
  ["docs/python/index.md", "python", "tests/python/test_package.py"],
  ["docs/python/torchrl.md", "python", "tests/heavy/test_engines.py", "GymWrapper"],
  ...["concepts", "recipes", "rust", "start"].map(
    (name) => [`docs/${name}.md`, "rust", "tests/documents/lib.rs"] as const,
  ),
  ["docs/learning.md", "python", "tests/heavy/test_weights.py", "load_file", "stable_baselines3"],
  ["docs/learning.md", "python", "tests/python/test_policy.py", "gym2600.Policy"],
  ["docs/train-on-one-card.md", "python", "tests/heavy/test_examples.py", "rollout =", "TorchStack"],
  ["docs/train-on-one-card.md", "python", "tests/parity/test_xla.py", "rollout(handle", "step_env"],
  ["docs/train-on-one-card.md", "sh", "tests/heavy/test_examples.py", "ppo_gpu.py"],
  ["docs/beyond-one-machine.md", "python", "tests/heavy/test_ray.py", "class Collector", "PPOConfig"],
  ["docs/beyond-one-machine.md", "sh", "tests/heavy/test_ray.py", "ppo_ray.py"],
];

/** Commands for contributors, which build, test or measure the whole repository. Their scripts and options have to exist. */
const OWN =
  /^(?:npm (?:run )?(?<npm>start|test|bench)|(?<script>(?:scripts\/|\.\/)[\w-]+)|cargo (?<cargo>bench))\b(?<rest>[^#]*)/;

/** What a block of docs/learning.md runs for minutes runs here for one update. */
const SHORTER: Readonly<Record<string, RegExp>> = { "docs/learning.md": /\b(?:1000000|300_000)\b/g };
const ONE_UPDATE = "2048";

const blocks = documents().flatMap(blocksOf);

function claimedBy({ file, language, code }: Block): string | undefined {
  const claims = ELSEWHERE.filter(
    ([document, ofLanguage, , ...words]) =>
      document === file && ofLanguage === language && (words.length === 0 || words.some((word) => code.includes(word))),
  );
  return claims[0]?.[2];
}

/** Whether all lines are commands for contributors. */
function isOwn({ code }: Block): boolean {
  return code
    .trim()
    .split("\n")
    .every((line) => OWN.test(line));
}

/** The blocks in some languages that run here. */
function here(...languages: string[]): Block[] {
  return blocks.filter((block) => languages.includes(block.language) && claimedBy(block) === undefined);
}

const named = (some: readonly Block[]) => some.map((block) => [`${block.file}:${block.line}`, block] as const);

let registry: StaticServer;
/** A folder where the package has been installed. */
let installed: string;

beforeAll(async () => {
  installed = temporaryFolder();
  const packed = run("npm", ["pack", "--json", "--pack-destination", installed], PACKAGE);
  const [{ filename }] = JSON.parse(packed.output) as [{ filename: string }];
  const manifest = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8")) as { version: string };
  registry = await serve(async (path) => {
    if (path === `/${filename}`) return readFile(join(installed, filename));
    if (path !== "/gym2600") throw new Error(path);
    const { version } = manifest;
    const versions = { [version]: { ...manifest, dist: { tarball: `${registry.address}${filename}` } } };
    return Buffer.from(JSON.stringify({ name: "gym2600", "dist-tags": { latest: version }, versions }));
  });
  await shell("npm install gym2600", installed);
  symlinkSync(join(ROOT, "node_modules/onnxruntime-web"), join(installed, "node_modules/onnxruntime-web"));
});

afterAll(() => registry?.close());

/** Before each command that a shell begins, in its standard error. */
const BEGINS = "begins: ";

/** The name of the signal that ended a command, from a shell's status. */
function signalOf(status: number | null): string | undefined {
  return Object.entries(constants.signals).find(([, number]) => number + 128 === status)?.[0];
}

/**
 * Runs commands to their end in a folder, with a registry that has this package alone. Gives the standard error. The error of a failure has
 * the commands that were begun, because a shell does not say which one a signal ended.
 */
async function shell(commands: string, cwd: string): Promise<string> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  const child = spawn("sh", ["-e", "-x", "-c", commands], {
    cwd,
    env: {
      ...Object.fromEntries(inherited),
      PATH: `${join(installed, "node_modules/.bin")}${delimiter}${process.env.PATH}`,
      PS4: BEGINS,
      CARGO_NET_OFFLINE: "true",
      npm_config_registry: registry.address,
      npm_config_noproxy: "127.0.0.1",
      npm_config_cache: join(installed, "cache"),
      npm_config_audit: "false",
      npm_config_update_notifier: "false",
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const [status, signal] = await new Promise<[number | null, string | null]>((ended) => {
    child.once("close", (...how) => ended(how));
  });
  const how = `status ${status}, signal ${signal ?? signalOf(status) ?? "none"}`;
  expect(status, `${relative(installed, cwd) || "."}: ${how}\n${errors}`).toBe(0);
  return errors
    .split(/(?<=\n)/)
    .filter((line) => !line.startsWith(BEGINS))
    .join("");
}

/** A new folder for a block. Node finds the package in the folder above. */
function newFolder(): string {
  return mkdtempSync(join(installed, "block-"));
}

/** The published crates that programs add. */
const CRATES = ["arcade", "gym", "learn", "native", "vcs"].map((name) => `gym2600-${name}`);

/** The files that the commands of the documents name. */
function surround(folder: string): void {
  const crate = (name: string) => `[package]\nname = "${name}"\nversion = "0.1.0"\nedition = "2024"\n`;
  const files = {
    // A crate of the user, and a registry with published crates.
    "Cargo.toml": crate("user"),
    "src/lib.rs": "",
    ...Object.fromEntries(
      CRATES.flatMap((name) => [
        [`registry/${name}/Cargo.toml`, crate(name)],
        [`registry/${name}/src/lib.rs`, ""],
        [`registry/${name}/.cargo-checksum.json`, `{ "files": {} }`],
      ]),
    ),
    ".cargo/config.toml": `[source.crates-io]\nreplace-with = "local"\n\n[source.local]\ndirectory = "registry"\n`,
  };
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

test("a block whose command a signal ends is reported with the command and the signal", async () => {
  const folder = newFolder();
  const wrong = shell("true first\nnode -e 'process.kill(process.pid, \"SIGSEGV\")'\ntrue third", folder);
  const message = new RegExp(
    `^${basename(folder)}: status 139, signal SIGSEGV\nbegins: true first\nbegins: node -e [^\n]*SIGSEGV`,
  );
  await expect(wrong).rejects.toThrow(message);
});

test("every block is in a language that runs, or in one that is only shown", () => {
  const unknown = blocks.filter(
    (block) =>
      !["js", "ts", "sh", "html", "toml", ...SHOWN].includes(block.language) &&
      !isDoctest(block) &&
      claimedBy(block) === undefined,
  );
  expect(named(unknown)).toEqual([]);
});

/** Whether rustdoc tests a block: it is in the README of a crate whose documentation is this README. */
function isDoctest({ file, language }: Block): boolean {
  const [, crate] = /^crates\/([\w-]+)\/README\.md$/.exec(file) ?? [];
  return (
    crate !== undefined &&
    language === "rust" &&
    readFileSync(join(ROOT, "crates", crate, "src/lib.rs"), "utf8").startsWith('#![doc = include_str!("../README.md")]')
  );
}

test.for(ELSEWHERE)("%s: its blocks in %s run in %s", ([document, language, where, ...words]) => {
  const claimed = blocks.filter((block) => block.file === document && block.language === language);
  const text = readFileSync(join(ROOT, where), "utf8");
  if (words.length === 0) expect(text).toContain(basename(document));
  expect(claimed.length).toBeGreaterThan(0);
  for (const word of words) {
    expect(claimed.filter(({ code }) => code.includes(word)).length, word).toBe(1);
    expect(text).toContain(`"${word}"`);
  }
});

test.concurrent.for(named(here("js", "ts")))("%s runs", async ([, { file, code }]) => {
  const folder = newFolder();
  writeFileSync(join(folder, "block.mjs"), code.replace(SHORTER[file] ?? /$^/g, ONE_UPDATE));
  expect(await shell("node block.mjs", folder)).toBe("");
});

test("TypeScript accepts the blocks in it", () => {
  const folder = newFolder();
  for (const [index, { code }] of here("ts").entries()) writeFileSync(join(folder, `block-${index}.ts`), code);
  const compilerOptions = { noEmit: true, strict: true, target: "es2022", module: "nodenext", types: [] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  writeFileSync(join(folder, "package.json"), `{ "type": "module" }`);
  const { status, output } = run(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc")], folder);
  expect(status, output).toBe(0);
});

test.for(named(here("toml")))("%s is a definition that fits WALLOP", async ([name, { code }]) => {
  const game = await Game.create({ rom: wallop, game: parseDefinition(code, name) });
  game.reset();
  game.step(0);
  game.close();
});

const commands = here("sh");

test.concurrent.for(named(commands.filter((block) => !isOwn(block))))("%s runs", async ([, { file, code }]) => {
  // What npm installs is for a folder without the package.
  const folder = /^npm /m.test(code) ? temporaryFolder() : newFolder();
  surround(folder);
  await shell(code.replace(SHORTER[file] ?? /$^/g, ONE_UPDATE), folder);
  if (/^npm install /m.test(code)) await shell("test -e node_modules/gym2600/dist/index.js", folder);
});

test.for(named(commands.filter(isOwn)))("%s names scripts and options that exist", ([, { file, code }]) => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  for (const line of code.trim().split("\n")) {
    const { npm = "", script: named, cargo, rest = "" } = OWN.exec(line)?.groups ?? {};
    if (cargo !== undefined) continue;
    const script = named ?? scripts[npm] ?? "";
    const path = join(ROOT, script.startsWith("./") ? dirname(file) : ".", script);
    const text = readFileSync(path, "utf8");
    const usage = text.includes("--help` lists the options") ? run(path, ["--help"]).output : text;
    for (const option of rest.match(/--[\w-]+/g) ?? []) expect(usage, line).toContain(option);
  }
});

test("the source of WALLOP is checked as its README says", () => {
  const folder = join(ROOT, "roms/wallop");
  expect(commands.find(({ file }) => file === "roms/wallop/README.md")?.code).toMatch(/^\.\/check +#/m);
  const { status, errors } = run(join(folder, "check"), [], folder);
  expect(status, errors).toBe(0);
});

describe("a page without a bundler", () => {
  test.for(named(here("html")))("%s runs in Chromium", async ([, { code }]) => {
    const server = await serve(async () => Buffer.from(`<!doctype html>${code}`));
    const browser = await launch();
    try {
      const page = await browser.newPage();
      const errors: string[] = [];
      page.on("pageerror", ({ message }) => errors.push(message));
      // The made-up host of the documents has the package.
      await page.context().route("https://cdn.example/**", (route) =>
        route.fulfill({
          path: join(installed, "node_modules", new URL(route.request().url()).pathname),
          headers: { "access-control-allow-origin": "*" },
        }),
      );
      await page.goto(server.address);
      // The page plays: its picture changes.
      const picture = async () => (await page.locator("#screen").screenshot()).toString("base64");
      const first = await picture();
      await expect.poll(picture, { timeout: HANG_MS }).not.toBe(first);
      expect(errors).toEqual([]);
    } finally {
      await browser.close();
      server.close();
    }
  });
});
