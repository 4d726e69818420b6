/**
 * The table of targets.
 *
 * A target is a small project: packages with their versions, files, commands that build it, and how it is opened. All have
 * `play.js`, and `main.js` and `index.html` unless they bring their own.
 */

import { readFileSync } from "node:fs";
import { HANG_MS } from "../limits.js";
import { FRAMEWORKS } from "./frameworks.js";
import { PAGES } from "./pages.js";
import { LEARNER, MAIN, MODULE, NEWER_NODE, page } from "./sources.js";

/** @typedef {import("../package/webdriver.js").Engine} Engine */

/**
 * @typedef {object} Target
 * @property {string} name
 * @property {boolean} [quick] whether it is part of `npm test`
 * @property {Readonly<Record<string, string>>} [packages] exact versions
 * @property {string} [node] the version of Node that runs its commands, unless that of this program does
 * @property {Readonly<Record<string, string | null>>} [files] contents, null for one of COMMON that is left out; `{package}` is the address of the
 *   package on another origin
 * @property {readonly string[]} [build] command lines, run in the project; `{tarball}` is the package's
 * @property {string} [run] a command line that prints the result
 * @property {string} [serve] the folder of a page
 * @property {string} [server] a command line that serves the page at `{port}`
 * @property {Readonly<Record<string, string>>} [pages] the addresses of pages by name, relative to the first page, which is the only one unless given
 * @property {Readonly<Record<string, string>>} [headers] sent with every file of the page; `{package}` is the package's other origin
 * @property {boolean} [file] opens `index.html` as a file, without a server
 * @property {boolean} [insecure] opens the page by a name that gives no secure context
 * @property {readonly Engine[]} [engines] which browsers open the page; Chromium unless given
 * @property {boolean} [learner] whether it trains with `gym2600/learn` instead of playing
 * @property {RegExp} [refusal] the message of the error that is expected
 */

/** @type {readonly Engine[]} */
const ALL = ["Chromium", "Firefox", "WebKit"];

const REQUIRE = `const gym2600 = require("gym2600");

import("./play.js").then(({ report }) => report(gym2600));
`;

const PLAY = readFileSync(new URL("play.js", import.meta.url), "utf8").replaceAll(/^export /gm, "");
const { weights: WEIGHTS } = JSON.parse(readFileSync(new URL("expected.json", import.meta.url), "utf8"));

/**
 * A CommonJS test of Jest, in one of its environments. It also requires every other entry, and trains.
 *
 * @param {string} environment
 * @param {{ readonly jest: string } & Readonly<Record<string, string>>} packages
 * @returns {Target}
 */
const jest = (environment, packages) => ({
  name: `jest ${packages.jest} ${environment}`,
  packages,
  files: {
    "jest.config.cjs": `module.exports = { testEnvironment: "${environment}", testTimeout: ${HANG_MS} };\n`,
    // Jest's DOM has no TextEncoder.
    "play.cjs": `const { TextEncoder } = require("node:util");
${PLAY}
module.exports = { result, trained };
`,
    "main.test.cjs": `const { writeFileSync } = require("node:fs");
const gym2600 = require("gym2600");
const { Trainer } = require("gym2600/learn");
const { Recorder } = require("gym2600/record");
const { TensorBoardWriter } = require("gym2600/tensorboard");
const { parseDefinition } = require("gym2600/toml");
const { result, trained } = require("./play.cjs");

test("plays", async () => writeFileSync("result.txt", await result(gym2600)));

test("trains", async () => expect(await trained({ Trainer }, gym2600.wallop)).toBe("${WEIGHTS}"));

test("takes arrays of Jest's own classes, and those of results", async () => {
  const options = { rom: gym2600.wallop.slice().buffer, wrappers: [{ type: "ScaledFloat" }] };
  const worker = await gym2600.GameWorker.create(options);
  worker.recycle((await worker.reset()).observation);
  const state = await worker.save();
  await worker.step(1);
  await worker.restore(state);
  await worker.close();
  expect([Recorder, TensorBoardWriter, parseDefinition].map((entry) => typeof entry)).toEqual(Array(3).fill("function"));
});
`,
  },
  run: "jest && cat result.txt",
});

/** Says where the learner's files are. */
const NAMED_LEARNER = LEARNER.replace(
  "reportLearner(learn",
  `await learn.init({
  wasm: "files/gym2600_learn_bg.wasm",
  games: "files/gym2600_wasm_bg.wasm",
  worker: "files/learn-worker.js",
});
$&`,
);

/** Uses the learner, and finds every other entry for pages. */
const ENTRIES = LEARNER.replace(
  "\n\n",
  `
import * as inline from "gym2600/inline";
import * as record from "gym2600/record";
import * as toml from "gym2600/toml";

globalThis.entries = [inline.Game, record.Recorder, toml.parseDefinition];
`,
);

const IMPORT_MAP =
  page(`<script type="importmap">{ "imports": { "gym2600": "./node_modules/gym2600/dist/index.js" } }</script>
<script type="module" src="./main.js"></script>`);

/** A page of ten lines that has nothing but the address of the package. */
const OTHER_ORIGIN = page(`<script type="module">
  import * as gym2600 from "{package}/dist/index.js";
  import { report } from "./play.js";
  report(gym2600);
</script>`);

/** The learner of another origin. */
const OTHER_LEARNER = page(`<script type="module">
  import { wallop } from "{package}/dist/index.js";
  import * as learn from "{package}/dist/learn.js";
  import { reportLearner } from "./play.js";
  reportLearner(learn, wallop);
</script>`);

/** A page that shows what its sandboxed frame tells. The frame has an opaque origin: no locks, and no worker from an address. */
const SANDBOX = page(`<script>addEventListener("message", ({ data }) => { document.title = data; });</script>
<iframe sandbox="allow-scripts" src="./frame.html"></iframe>`);

const SANDBOXED = page(`<script type="module">
  import * as gym2600 from "./node_modules/gym2600/dist/index.js";
  import { result } from "./play.js";
  parent.postMessage(await result(gym2600), "*");
</script>`);

const SANDBOXED_LEARNER = page(`<script type="module">
  import { wallop } from "./node_modules/gym2600/dist/index.js";
  import * as learn from "./node_modules/gym2600/dist/learn.js";
  import { learnerResult } from "./play.js";
  parent.postMessage(await learnerResult(learn, wallop), "*");
</script>`);

const SCRIPT_TAG = page(`<script src="./node_modules/gym2600/dist/inline.iife.js"></script>
<script type="module">
  import { report } from "./play.js";
  report(globalThis.gym2600);
</script>`);

/** A page that is opened as a file, where browsers load no modules. */
const FILE = page(`<script src="./node_modules/gym2600/dist/inline.iife.js"></script>
<script>${PLAY}; report(globalThis.gym2600);</script>`);

/** Without a bundler, and without scripts inside the page. */
const STRICT = {
  "main.js": MAIN.replace('"gym2600"', '"./node_modules/gym2600/dist/index.js"'),
};
/** @param {string} scripts */
const policy = (scripts) => ({
  "content-security-policy": `default-src 'none'; connect-src 'self'; script-src ${scripts}`,
});

const TRUSTED_TYPES = { "content-security-policy": "require-trusted-types-for 'script'" };

/** A program in one file, which has the package's files inside. */
const BUN_FILES = `import * as gym2600 from "gym2600";
import wasm from "gym2600/gym2600.wasm" with { type: "file" };
import worker from "gym2600/worker" with { type: "file" };
import { report } from "./play.js";

await gym2600.init({ wasm: await Bun.file(wasm).bytes(), worker });
report(gym2600);
`;

const BUN_LEARNER = `import { wallop } from "gym2600";
import * as learn from "gym2600/learn";
import games from "gym2600/gym2600.wasm" with { type: "file" };
import wasm from "gym2600/gym2600-learn.wasm" with { type: "file" };
import worker from "gym2600/learn-worker" with { type: "file" };
import { reportLearner } from "./play.js";

await learn.init({ wasm: await Bun.file(wasm).bytes(), games: await Bun.file(games).bytes(), worker });
reportLearner(learn, wallop);
`;

/** A service worker that plays, and the page that asks it. @param {string} places */
const serviceWorker = (places) => ({
  "service-worker.js": `import * as gym2600 from "gym2600";
import { result } from "./play.js";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("message", async ({ source }) => source.postMessage(await result(gym2600, ${JSON.stringify(places)})));
`,
  "dist/index.html": page(`<script type="module">
  const { serviceWorker } = navigator;
  serviceWorker.addEventListener("message", ({ data }) => { document.title = data; });
  await serviceWorker.register("./service-worker.js");
  (await serviceWorker.ready).active.postMessage("play");
</script>`),
});

const WORKERD = {
  "worker.js": `import * as gym2600 from "gym2600";
import { result } from "./play.js";

export default {
  async fetch() {
    return new Response(await result(gym2600, "thread"));
  },
};
`,
  "main.js": `import { build } from "esbuild";
import { Miniflare } from "miniflare";

await build({
  entryPoints: ["worker.js"],
  bundle: true,
  format: "esm",
  conditions: ["workerd", "worker", "browser"],
  outdir: "dist",
  loader: { ".wasm": "copy" },
  logLevel: "error",
});
const miniflare = new Miniflare({
  modules: true,
  modulesRoot: "dist",
  scriptPath: "dist/worker.js",
  modulesRules: [{ type: "CompiledWasm", include: ["**/*.wasm"] }],
  compatibilityDate: "2025-01-01",
});
console.log(await (await miniflare.dispatchFetch("http://localhost/")).text());
await miniflare.dispose();
`,
};

/** Cloudflare's own program, whose bundler is esbuild. */
const WRANGLER = {
  "worker.js": `import * as gym2600 from "gym2600";
import { result } from "./play.js";

export default {
  async fetch() {
    const page = \`<title>\${await result(gym2600, "thread")}</title>\`;
    return new Response(page, { headers: { "content-type": "text/html" } });
  },
};
`,
};

const WORKERD_LEARNER = {
  ...WORKERD,
  "worker.js": `import { wallop } from "gym2600";
import * as learn from "gym2600/learn";
import { learnerResult } from "./play.js";

export default {
  async fetch() {
    return new Response(await learnerResult(learn, wallop, 0));
  },
};
`,
};

/** A program in TypeScript that uses every entry. */
const USER = `import { type Game, type GameDefinition, type StepResult, VectorEnv, wallop } from "gym2600";
import * as inline from "gym2600/inline";
import { TensorBoardWriter } from "gym2600/tensorboard";
import { parseDefinition } from "gym2600/toml";
import { Policy } from "gym2600/learn";
import { npz, Recorder } from "gym2600/record";

export async function use(game: Game): Promise<number> {
  const result: StepResult = game.step(game.actionSpace.sample());
  const definition: GameDefinition = parseDefinition("");
  const bytes: Uint8Array = game.ram();
  const envs = await VectorEnv.create({ rom: wallop, numEnvs: 2, autoreset: "same-step", game: definition });
  envs.send(Uint8Array.of(1, 0));
  const { envIds } = await envs.recv(2);
  const writer = new TensorBoardWriter("runs");
  writer.scalar("lives", result.info.lives, 0);
  const recorder = new Recorder(game, { arrays: true });
  recorder.reset({ seed: 1 });
  const file: Uint8Array = npz(recorder.arrays());
  // @ts-expect-error a number is no ROM
  await inline.Game.create({ rom: 5 });
  return envIds.length + bytes.length + file.length + (Policy === undefined ? 1 : 0);
}
`;

/** Ways of finding modules, and libraries: a page's, none but the language's, Node's, Cloudflare's. Declarations are checked too. */
const PROJECTS = {
  "bundler-dom": { module: "esnext", moduleResolution: "bundler", lib: ["es2022", "dom"], types: [] },
  "bundler-node": { module: "esnext", moduleResolution: "bundler", lib: ["es2022"], types: ["node"] },
  "bundler-workers": {
    module: "esnext",
    moduleResolution: "bundler",
    lib: ["es2022"],
    types: ["@cloudflare/workers-types"],
  },
  "node16-bare": { module: "node16", moduleResolution: "node16", lib: ["es2022"], types: [] },
  "nodenext-dom": { module: "nodenext", moduleResolution: "nodenext", lib: ["es2022", "dom"], types: [] },
};

/** The resolution that does not read `exports`, which TypeScript 6 deprecates. */
const CLASSIC = { classic: { module: "esnext", moduleResolution: "node", lib: ["es2022", "dom"], types: [] } };

/** Compiles modules in every project, and CommonJS files where the resolution knows them. */
function typescript(/** @type {string} */ version, more = {}) {
  /** @type {Record<string, string>} */
  const projects = {};
  for (const [name, options] of Object.entries({ ...PROJECTS, ...more })) {
    const compilerOptions = { noEmit: true, strict: true, target: "es2022", ...options };
    const files = name.startsWith("no") ? ["user.ts", "common.cts"] : ["user.ts"];
    projects[`${name}.json`] = JSON.stringify({ compilerOptions, files });
  }
  return {
    name: `typescript ${version}`,
    packages: { typescript: version, "@types/node": "20.19.43", "@cloudflare/workers-types": "5.20261117.1" },
    files: { "user.ts": USER, "common.cts": USER, ...projects },
    build: Object.keys(projects).map((project) => `tsc -p ${project}`),
  };
}

/** @param {string} version @returns {[Target, Target]} */
function vite(version) {
  const packages = { vite: version };
  const name = `vite ${version.split(".")[0]}`;
  return [
    { name: `${name} dev`, packages, server: "vite --port {port} --strictPort" },
    {
      name: `${name} build`,
      packages,
      // The second line fails where the worker's script is there twice.
      build: ["vite build --base ./", "test $(ls dist/assets/worker-*.js | wc -l) = 1"],
      server: "vite preview --port {port} --strictPort",
    },
  ];
}

/**
 * An app in a folder of a workspace, whose packages lie in the workspace's own `node_modules`.
 *
 * @param {string} name
 * @param {string} options
 * @param {RegExp} [refusal]
 * @returns {Target}
 */
function hoisted(name, options, refusal) {
  return {
    name,
    packages: { vite: "7.3.8" },
    files: {
      "app/package.json": '{ "name": "app", "type": "module" }',
      "app/vite.config.js": `export default { ${options} server: { fs: { allow: [".."] } } };`,
      "app/index.html": MODULE,
      "app/main.js": MAIN.replace("./play.js", "../play.js"),
    },
    server: "vite app --port {port} --strictPort",
    refusal,
  };
}

/**
 * A bundler that writes `main.js` to the folder of a page.
 *
 * @param {string} name
 * @param {Readonly<Record<string, string>>} packages
 * @param {string} line
 * @returns {Target}
 */
function bundler(name, packages, line, document = MODULE) {
  return { name, packages, files: { "dist/index.html": document }, build: [line], serve: "dist" };
}

/**
 * A bundle for Node.
 *
 * @param {string} name
 * @param {string} format
 * @returns {Target}
 */
function server(name, format, options = "") {
  const build = [
    `esbuild main.js --bundle --platform=node --format=${format} --outfile=bundle.${format === "esm" ? "mjs" : "cjs"} ${options}`,
  ];
  return { name, packages: { esbuild: "0.28.2" }, build, run: `node bundle.${format === "esm" ? "mjs" : "cjs"}` };
}

/** @param {string} name @param {string} main @returns {Target} */
function bunProgram(name, main) {
  return {
    name,
    packages: { bun: "1.4.5" },
    files: { "main.js": main },
    build: ["bun build main.js --compile --outfile program"],
    run: "folder=$PWD && cd / && $folder/program",
  };
}

/** Copies the learner's files to where its code looks for them. */
const FILES_COPIED = "cp node_modules/gym2600/dist/learn-worker.js dist/js && cp -r node_modules/gym2600/wasm* dist";

const WEBPACK = { webpack: "5.112.2", "webpack-cli": "7.3.1" };
const WEBPACK_LINE = "webpack --mode production --entry ./main.js";

/**
 * Its chunks, and so the package's files, come from another origin, as from a CDN: the same server by another name.
 *
 * @type {Target}
 */
const PUBLIC_PATH = {
  ...bundler("webpack 5, public path of another origin", WEBPACK, WEBPACK_LINE.replace("main.js", "start.js")),
  files: {
    "dist/index.html": MODULE,
    "start.js": `__webpack_public_path__ = new URL("./", location.href).href.replace("127.0.0.1", "localhost");
import("./main.js");
`,
  },
  headers: { "access-control-allow-origin": "*" },
};

/** Reads no `exports`. @type {Target} */
const PARCEL = {
  name: "parcel 2",
  packages: { parcel: "2.16.4" },
  build: ["parcel build index.html --dist-dir dist --public-url ./ --no-cache"],
  serve: "dist",
};

/** @type {Target} */
const FARM = {
  name: "farm 1",
  packages: { "@farmfe/core": "1.7.11", "@farmfe/cli": "1.0.5" },
  build: ["farm build"],
  serve: "dist",
};

/** @type {readonly Target[]} */
export const TARGETS = [
  { name: "publint", quick: true, packages: { publint: "0.3.25" }, build: ["publint {tarball} --strict"] },
  {
    name: "are the types wrong",
    quick: true,
    packages: { "@arethetypeswrong/cli": "0.18.5" },
    // The workers are scripts and not modules, and WebAssembly files have no types.
    build: [
      "attw {tarball} --exclude-entrypoints worker learn-worker gym2600.wasm gym2600-learn.wasm gym2600-learn-gpu.wasm",
    ],
  },
  { name: "node import", quick: true, run: "node main.js" },
  { name: "node require", quick: true, files: { "main.cjs": REQUIRE }, run: "node main.cjs" },
  { ...jest("node", { jest: "30.5.2" }), quick: true },
  // Since 30.5 its conditions for `require` include "node" here too.
  ...["30.2.0", "30.5.2"].map((version) => jest("jsdom", { jest: version, "jest-environment-jsdom": version })),
  {
    name: "node worker thread",
    files: { "thread.js": `import { Worker } from "node:worker_threads";\n\nnew Worker("./main.js");\n` },
    run: "node thread.js",
  },
  { name: "bun", packages: { bun: "1.4.5" }, run: "bun main.js" },
  bunProgram("bun build --compile", BUN_FILES),
  { ...bunProgram("learner, bun build --compile", BUN_LEARNER), learner: true },
  {
    ...bunProgram("bun build --compile without the files", MAIN),
    refusal: /^Gym2600Error wasm-failed: .*bun build --compile/,
  },
  { name: "deno", packages: { deno: "2.9.6" }, run: "deno run --allow-all main.js" },
  {
    name: "wrangler 4",
    packages: { wrangler: "4.164.0" },
    node: NEWER_NODE,
    files: WRANGLER,
    server: "wrangler dev worker.js --port {port} --compatibility-date 2025-01-01",
  },
  { name: "workerd", packages: { miniflare: "4.20260730.0", esbuild: "0.28.2" }, files: WORKERD, run: "node main.js" },

  { ...typescript("5.0.4", CLASSIC), quick: true },
  typescript("6.0.3"),
  typescript("7.0.2"),

  ...vite("6.4.6"),
  ...vite("7.3.8"),
  {
    ...vite("7.3.8")[0],
    name: "vite 7 dev, excluded",
    files: { "vite.config.js": 'export default { cacheDir: "cache", optimizeDeps: { exclude: ["gym2600"] } };' },
  },
  hoisted("vite 7 dev, hoisted", "", /^Gym2600Error wasm-failed: .*optimizeDeps: \{ exclude: \["gym2600"\] \}/),
  hoisted("vite 7 dev, hoisted, excluded", 'optimizeDeps: { exclude: ["gym2600"] },'),
  ...vite("8.3.8").map((target) => ({ ...target, quick: true })),
  bundler("webpack 5", WEBPACK, WEBPACK_LINE),
  PUBLIC_PATH,
  bundler(
    "rspack 2",
    { "@rspack/core": "2.3.3", "@rspack/cli": "2.2.8" },
    "rspack build --mode production --entry ./main.js",
  ),
  {
    name: "rsbuild 2",
    packages: { "@rsbuild/core": "2.3.2" },
    files: { "rsbuild.config.js": 'export default { source: { entry: { index: "./main.js" } } };\n' },
    build: ["rsbuild build"],
    serve: "dist",
  },
  FARM,
  {
    ...bundler("esbuild", { esbuild: "0.28.2" }, "esbuild main.js --bundle --format=esm --outdir=dist"),
    quick: true,
  },
  bundler(
    "esbuild iife",
    { esbuild: "0.28.2" },
    "esbuild main.js --bundle --format=iife --outdir=dist",
    page(`<script src="./main.js"></script>`),
  ),
  bundler(
    "rollup, node-resolve",
    { rollup: "4.68.7", "@rollup/plugin-node-resolve": "16.0.3" },
    "rollup main.js --plugin node-resolve --dir dist --format es",
  ),
  {
    ...bundler(
      "rollup, browser: true",
      { rollup: "4.68.7", "@rollup/plugin-node-resolve": "16.0.3" },
      "rollup main.js --plugin node-resolve={browser:true} --dir dist --format es",
    ),
    files: { "dist/index.html": MODULE, "main.js": MAIN.replace('"gym2600"', '"gym2600/inline"') },
  },
  {
    ...bundler("bun build", { bun: "1.4.5" }, "bun build main.js --outdir=dist"),
    files: { "dist/index.html": MODULE, "main.js": MAIN.replace('"gym2600"', '"gym2600/inline"') },
  },
  bundler(
    "rollup, import-meta-assets",
    {
      rollup: "4.68.7",
      "@rollup/plugin-node-resolve": "16.0.3",
      "@web/rollup-plugin-import-meta-assets": "2.3.3",
    },
    "rollup main.js --plugin node-resolve --plugin @web/rollup-plugin-import-meta-assets --dir dist --format es",
  ),
  PARCEL,
  server("esbuild for node, external", "esm", "--external:gym2600"),
  ...["esm", "cjs"].map((format) => ({
    ...server(`esbuild for node, ${format}`, format),
    refusal: /^Gym2600Error wasm-failed: .*make "gym2600" external, with esbuild --external:gym2600$/m,
  })),
  ...FRAMEWORKS,
  ...PAGES,

  {
    ...bundler(
      "service worker",
      { esbuild: "0.28.2" },
      "esbuild service-worker.js --bundle --format=iife --outdir=dist",
    ),
    files: serviceWorker("thread"),
  },
  {
    ...bundler(
      "service worker with workers",
      { esbuild: "0.28.2" },
      "esbuild service-worker.js --bundle --format=iife --outdir=dist",
    ),
    files: serviceWorker("all"),
    refusal: /^Gym2600Error worker-died: .*workers: 0$/,
  },
  {
    ...bundler("tensorboard in a page", { esbuild: "0.28.2" }, "esbuild main.js --bundle --format=esm --outdir=dist"),
    files: {
      "dist/index.html": MODULE,
      "main.js": `import { TensorBoardWriter } from "gym2600/tensorboard";
import { reportCall } from "./play.js";

reportCall(() => new TensorBoardWriter("runs"));
`,
    },
    refusal: /^Gym2600Error bad-state: gym2600\/tensorboard writes files/,
  },

  { name: "import map", quick: true, files: { "index.html": IMPORT_MAP }, serve: ".", engines: ALL },
  { name: "script tag", quick: true, files: { "index.html": SCRIPT_TAG }, serve: ".", engines: ALL },
  {
    name: "script tag, from a file",
    quick: true,
    files: { "index.html": FILE },
    serve: ".",
    file: true,
    engines: ALL,
  },
  { name: "other origin", quick: true, files: { "index.html": OTHER_ORIGIN }, serve: ".", engines: ALL },
  sandboxed("sandboxed frame", SANDBOXED),
  { ...sandboxed("sandboxed frame, inline", SANDBOXED.replace("index.js", "inline.js")), quick: false },
  {
    name: "insecure origin",
    files: { "index.html": IMPORT_MAP },
    serve: ".",
    insecure: true,
    // WebKitGTK cannot be told another address of a name.
    engines: ["Chromium", "Firefox"],
  },
  { name: "strict policy", files: STRICT, headers: policy("'self' 'wasm-unsafe-eval'"), serve: ".", engines: ALL },
  {
    name: "strict policy, other origin",
    files: { "main.js": MAIN.replace('"gym2600"', '"{package}/dist/index.js"') },
    headers: {
      "content-security-policy":
        "default-src 'none'; script-src 'self' {package} 'wasm-unsafe-eval'; connect-src {package}; worker-src blob: {package}",
    },
    serve: ".",
    engines: ALL,
  },
  {
    name: "strict policy, inline",
    files: { "main.js": STRICT["main.js"].replace("index.js", "inline.js") },
    headers: policy("'self' 'wasm-unsafe-eval'"),
    serve: ".",
    engines: ALL,
    refusal: /^Gym2600Error worker-died: .*worker-src/,
  },
  {
    name: "trusted types",
    files: {
      "main.js": `trustedTypes.createPolicy("default", { createScriptURL: (url) => url });\n${STRICT["main.js"]}`,
    },
    headers: TRUSTED_TYPES,
    serve: ".",
    // The other engines of the suite do not have them.
    engines: ["Chromium"],
  },
  {
    name: "trusted types without a policy of theirs",
    files: STRICT,
    headers: TRUSTED_TYPES,
    serve: ".",
    engines: ["Chromium"],
    refusal: /^Gym2600Error worker-died: .*TrustedScriptURL/,
  },
  {
    name: "policy without wasm",
    files: STRICT,
    headers: policy("'self'"),
    serve: ".",
    engines: ALL,
    refusal: /^Gym2600Error wasm-failed: .*content security policy.*'wasm-unsafe-eval'/,
  },

  {
    name: "learner, workerd",
    packages: { miniflare: "4.20260730.0", esbuild: "0.28.2" },
    files: WORKERD_LEARNER,
    run: "node main.js",
    learner: true,
  },
  ...[...vite("6.4.6"), ...vite("7.3.8"), ...vite("8.3.8")].map(learner),
  learner(bundler("webpack 5", WEBPACK, WEBPACK_LINE)),
  { ...learner(PARCEL), files: { "main.js": ENTRIES } },
  learner({
    ...bundler(
      "esbuild, files copied",
      { esbuild: "0.28.2" },
      "esbuild main.js --bundle --format=esm --outdir=dist/js",
    ),
    files: { "dist/index.html": page(`<script type="module" src="./js/main.js"></script>`) },
    build: ["esbuild main.js --bundle --format=esm --outdir=dist/js", FILES_COPIED],
  }),
  learner({
    ...bundler("rollup, files copied", { rollup: "4.68.7", "@rollup/plugin-node-resolve": "16.0.3" }, ""),
    files: { "dist/index.html": page(`<script type="module" src="./js/main.js"></script>`) },
    build: ["rollup main.js --plugin node-resolve --dir dist/js --format es", FILES_COPIED],
  }),
  {
    ...learner(bundler("esbuild, files named", { esbuild: "0.28.2" }, "")),
    files: { "dist/index.html": MODULE, "main.js": NAMED_LEARNER },
    build: [
      "esbuild main.js --bundle --format=esm --outdir=dist",
      "mkdir dist/files && cp node_modules/gym2600/dist/learn-worker.js node_modules/gym2600/wasm*/*.wasm dist/files",
    ],
  },
  {
    ...learner(bundler("esbuild", { esbuild: "0.28.2" }, "esbuild main.js --bundle --format=esm --outdir=dist")),
    refusal: /^Gym2600Error wasm-failed: .*404.*copy the package's dist\/learn-worker\.js/,
  },
  { ...learner({ name: "node import", run: "node main.js" }), quick: true },
  {
    ...learner({ name: "other origin", serve: ".", engines: ALL }),
    files: { "index.html": OTHER_LEARNER },
    quick: true,
  },
  { ...sandboxed("learner, sandboxed frame", SANDBOXED_LEARNER), learner: true },
];

/**
 * A page with a sandboxed frame.
 *
 * @param {string} name
 * @param {string} frame
 * @returns {Target}
 */
function sandboxed(name, frame) {
  const files = { "index.html": SANDBOX, "frame.html": frame };
  return { name, quick: true, files, serve: ".", headers: { "access-control-allow-origin": "*" }, engines: ALL };
}

/** The same target with the learner. */
function learner(/** @type {Target} */ target) {
  return {
    ...target,
    name: `learner, ${target.name}`,
    quick: false,
    learner: true,
    files: { ...target.files, "main.js": LEARNER },
  };
}
