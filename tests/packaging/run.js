/**
 * Installs the package's tarball in the projects of targets.js, builds and opens them, and compares what they play.
 *
 *     node tests/packaging/run.js [--quick] [start of a name...]
 */

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { availableParallelism, homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import pLimit from "p-limit";
import { HANG_MS } from "../limits.js";
import { serve } from "../package/chromium.js";
import { answering, freePort, INSECURE_HOST, start, startGroup } from "../package/webdriver.js";
import { COMMON } from "./sources.js";
import { TARGETS } from "./targets.js";

/** @typedef {import("./targets.js").Target} Target */
/** @typedef {import("../package/webdriver.js").Engine} Engine */

const HERE = dirname(fileURLToPath(import.meta.url));
const PACKAGE = join(HERE, "../../packages/gym2600");
const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "gym2600/packaging");

/** The checksum of the observations of play.js and of the learner's weights, which a test compares with the native program. */
const { checksum: OBSERVATIONS, weights: WEIGHTS } = JSON.parse(readFileSync(join(HERE, "expected.json"), "utf8"));

/** What builds and their caches leave in a project. */
const BUILT = [
  ...["dist", ".next", ".nuxt", ".output", ".parcel-cache", ".angular", ".tanstack"],
  ...["node_modules/.vite", "node_modules/.cache", ".vitepress/cache", "docs/.vitepress/cache"],
];

/** A row of the printed table. */
class Row {
  /** @param {string} target @param {string} where @param {string} result @param {number} seconds @param {boolean} good */
  constructor(target, where, result, seconds, good) {
    this.target = target;
    this.where = where;
    this.result = result;
    this.seconds = seconds;
    this.good = good;
  }

  toString() {
    const [target, where] = [this.target.padEnd(28), this.where.padEnd(9)];
    return `${this.good ? "pass" : "FAIL"}  ${target} ${where} ${this.seconds.toFixed(1).padStart(6)} s  ${this.result}`;
  }
}

/** Packs the package and gives the tarball a name by its content, so that npm installs a changed one. */
async function pack() {
  mkdirSync(CACHE, { recursive: true });
  const packed = join(
    CACHE,
    JSON.parse(await command(`npm pack --json --pack-destination "${CACHE}"`, PACKAGE))[0].filename,
  );
  const bytes = readFileSync(packed);
  const name = `gym2600-${createHash("sha256").update(bytes).digest("hex").slice(0, 16)}.tgz`;
  writeFileSync(join(CACHE, name), bytes);
  return join(CACHE, name);
}

/** Writes a project and installs its packages. Its folder is kept, so that only a changed tarball is installed again. */
async function install(
  /** @type {Target} */ target,
  /** @type {string | undefined} */ tarball,
  /** @type {string} */ elsewhere,
) {
  const folder = join(CACHE, target.name.replaceAll(/[^\w.]+/g, "-"));
  for (const built of BUILT) {
    rmSync(join(folder, built), { recursive: true, force: true });
  }
  const manifest = {
    name: "project",
    private: true,
    type: "module",
    dependencies: { ...(tarball && { gym2600: `file:${tarball}` }), ...target.packages },
  };
  const files = { ...COMMON, "play.js": readFileSync(join(HERE, "play.js"), "utf8"), ...target.files };
  for (const [path, content] of Object.entries({ ...files, "package.json": JSON.stringify(manifest, null, 2) })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    if (content === null) rmSync(join(folder, path), { force: true });
    else writeFileSync(join(folder, path), content.replaceAll("{package}", `${elsewhere}node_modules/gym2600`));
  }
  await command("npm install --no-audit --no-fund --no-package-lock --prefer-offline --loglevel=error", folder);
  return folder;
}

/** The environment of a project's commands: its own, and those of a folder that has another Node. */
function environment(/** @type {string} */ folder, /** @type {string | undefined} */ node) {
  const folders = [folder, node].filter((path) => path !== undefined).map((path) => join(path, "node_modules/.bin"));
  return {
    ...process.env,
    PATH: [...folders, process.env.PATH].join(delimiter),
    NODE_OPTIONS: "",
    CI: "1",
    NEXT_TELEMETRY_DISABLED: "1",
    NUXT_TELEMETRY_DISABLED: "1",
    OBSERVABLE_TELEMETRY_DISABLE: "1",
    WRANGLER_SEND_METRICS: "false",
    NO_COLOR: "1",
  };
}

/** Runs a command line to its end and gives its output. */
async function command(
  /** @type {string} */ line,
  /** @type {string} */ folder,
  /** @type {string | undefined} */ node = undefined,
) {
  const options = { cwd: folder, env: environment(folder, node), timeout: HANG_MS, maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)("sh", ["-c", line], options).catch((error) => {
    throw new Error(`\`${line}\` ended with ${error.code ?? error.signal}:\n${error.stdout}${error.stderr}`);
  });
  return stdout.trim();
}

/**
 * Other versions of Node, each in a folder of its own, for frameworks that need a newer one than the package does.
 *
 * @type {Map<string, Promise<string>>}
 */
const nodes = new Map();

/** The folder that has the Node of a target, if it is not that of this program. */
async function nodeOf(/** @type {Target} */ { node }) {
  if (node === undefined) return undefined;
  const folder = nodes.get(node) ?? install({ name: `node ${node}`, packages: { node } }, undefined, "");
  nodes.set(node, folder);
  return folder;
}

/** How the results of play.js begin. Frameworks give pages titles too. */
const SHOWN = /^(?:ok |different: |raw |\w*Error )/;

/** The browsers that have been started, by name. Each has one page at a time. */
class Browsers {
  /** @type {Map<Engine, { driver: Promise<import("selenium-webdriver").WebDriver>, alone: import("p-limit").LimitFunction }>} */
  #started = new Map();

  /** The title of a page once it is a result. */
  title(/** @type {Engine} */ engine, /** @type {string} */ address) {
    const browser = this.#started.get(engine) ?? { driver: start(engine), alone: pLimit(1) };
    this.#started.set(engine, browser);
    return browser.alone(async () => {
      const driver = await browser.driver;
      await driver.get("about:blank");
      await driver.get(address);
      const shown = () => driver.getTitle().then((title) => (SHOWN.test(title) ? title : null));
      return (await driver.wait(shown, HANG_MS).catch(() => driver.getTitle())) || "the page has no title";
    });
  }

  async close() {
    // One that did not start has failed its targets.
    for (const { driver } of this.#started.values()) await (await driver.catch(() => undefined))?.quit();
  }
}

/** Serves the page of a project while `use` runs. */
async function withServer(
  /** @type {Target} */ target,
  /** @type {string} */ folder,
  /** @type {string | undefined} */ node,
  /** @type {string} */ elsewhere,
  /** @type {(address: string) => Promise<void>} */ use,
) {
  if (target.file) {
    await use(pathToFileURL(join(folder, "index.html")).href);
    return;
  }
  if (target.server === undefined) {
    const root = join(folder, target.serve ?? ".");
    /** @type {Record<string, string>} */
    const headers = {};
    for (const [name, value] of Object.entries(target.headers ?? {})) {
      headers[name] = value.replaceAll("{package}", elsewhere);
    }
    const server = await serve((path) => readFile(join(root, path === "/" ? "index.html" : path)), headers);
    await use(server.address).finally(() => server.close());
    return;
  }
  const port = await freePort();
  const line = target.server.replaceAll("{port}", String(port));
  const child = startGroup("sh", ["-c", `exec ${line}`], { cwd: folder, env: environment(folder, node) });
  const address = `http://localhost:${port}/`;
  try {
    await answering(address, child.ended);
    await use(address);
  } finally {
    await child.stop();
  }
}

/** Whether a result is the one that the target expects. */
function isGood(/** @type {Target} */ { refusal, learner }, /** @type {string} */ result) {
  return refusal === undefined ? result === `ok ${learner ? WEIGHTS : OBSERVATIONS}` : refusal.test(result);
}

/** The rows of a target. */
async function* rows(
  /** @type {Target} */ target,
  /** @type {string} */ tarball,
  /** @type {string} */ elsewhere,
  /** @type {Browsers} */ browsers,
) {
  let since = performance.now();
  const row = (
    /** @type {string} */ where,
    /** @type {string} */ result,
    good = isGood(target, result),
    name = target.name,
  ) => {
    const seconds = (performance.now() - since) / 1000;
    since = performance.now();
    return new Row(name, where, result, seconds, good);
  };
  const folder = await install(target, tarball, elsewhere);
  const node = await nodeOf(target);
  for (const line of target.build ?? []) await command(line.replaceAll("{tarball}", tarball), folder, node);
  if (target.run !== undefined) yield row("-", await command(target.run, folder, node));
  else if (target.serve === undefined && target.server === undefined) yield row("-", "no complaints", true);
  else {
    /** @type {Row[]} */
    const found = [];
    await withServer(target, folder, node, elsewhere, async (given) => {
      const address = target.insecure ? given.replace("127.0.0.1", INSECURE_HOST) : given;
      for (const [name, path] of Object.entries(target.pages ?? { "": "" })) {
        for (const engine of target.engines ?? ["Chromium"]) {
          const result = await browsers.title(/** @type {Engine} */ (engine), new URL(path, address).href);
          found.push(row(engine, result, undefined, `${target.name} ${name}`.trim()));
        }
      }
    });
    yield* found;
  }
}

const words = process.argv.slice(2).filter((word) => word !== "--quick");
const quick = process.argv.includes("--quick");
const named = TARGETS.filter(({ name }) => words.length === 0 || words.some((word) => name.startsWith(word)));
// The quick form opens one target in every browser.
const chosen = quick
  ? named
      .filter((target) => target.quick)
      .map((target) => (target.name === "import map" ? target : { ...target, engines: ["Chromium"] }))
  : named;
if (chosen.length === 0) throw new Error(`no target is named ${words.join(" or ")}`);

const begin = performance.now();
const tarball = await pack();
const browsers = new Browsers();
// The package on another origin, as a host of files gives it.
const host = await install({ name: "host of files" }, tarball, "");
const elsewhere = await serve((path) => readFile(join(host, path)), { "access-control-allow-origin": "*" });
let failed = 0;
let passed = 0;

/** Prints the rows of a target. */
async function test(/** @type {Target} */ target) {
  const since = performance.now();
  try {
    for await (const row of rows(target, tarball, elsewhere.address, browsers)) {
      console.log(String(row));
      if (row.good) passed++;
      else failed++;
    }
  } catch (error) {
    failed++;
    const text = error instanceof Error ? error.message : String(error);
    console.log(String(new Row(target.name, "-", text, (performance.now() - since) / 1000, false)));
  }
}

try {
  await pLimit(availableParallelism()).map(chosen, test);
} finally {
  await browsers.close();
  elsewhere.close();
}
console.log(`packaging: ${passed} passed, ${failed} failed, ${((performance.now() - begin) / 1000).toFixed(0)} s`);
process.exitCode = failed === 0 ? 0 : 1;
