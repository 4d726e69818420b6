/** The targets of frameworks that have a builder of pages of their own. */

import { readFileSync } from "node:fs";
import { LEARNER, MAIN, NEWER_NODE } from "./sources.js";

/** @typedef {import("./targets.js").Target} Target */
/** @typedef {"games" | "learner"} Part */

const DOCUMENT = readFileSync(new URL("../../docs/bundlers.md", import.meta.url), "utf8");

/** The only block of the document in a language that has a word. @param {string} language @param {string} word */
function documented(language, word) {
  const blocks = [...DOCUMENT.matchAll(/^```(\w+)\n(.*?)^```$/gms)].filter(
    ([, named, code]) => named === language && code?.includes(word),
  );
  if (blocks.length !== 1) throw new Error(`docs/bundlers.md has ${blocks.length} blocks in ${language} with ${word}`);
  return blocks[0]?.[2] ?? "";
}

/** The learner once it has been told where the files are, which `file` gives by their names. */
const NAMED_LEARNER = LEARNER.replace(
  "reportLearner(learn, wallop)",
  `const files = {
  wasm: file("gym2600_learn_bg.wasm"),
  games: file("gym2600_wasm_bg.wasm"),
  card: file("gym2600_learn_gpu_bg.wasm"),
  worker: file("learn-worker.js"),
};
learn.init(files).then(() => $&)`,
);

/** Copies the package's files. @param {string} folder */
const copiedTo = (folder) =>
  `mkdir -p ${folder} && cp node_modules/gym2600/wasm*/*.wasm node_modules/gym2600/dist/*worker.js ${folder}`;

/** Files in a folder beside the page. */
const BESIDE = `

const file = (name) => new URL(\`gym2600/\${name}\`, document.baseURI);

`;

/** A target that plays, or one that trains. @param {Part} part @param {Target} target @returns {Target} */
const of = (part, target) =>
  part === "games" ? target : { ...target, name: `learner, ${target.name}`, learner: true };

const ANGULAR = "22.2.6";

/** What the page runs. @param {Part} part @param {boolean} isNamed */
function angularScript(part, isNamed) {
  if (part === "games") return isNamed ? `${documented("ts", "document.baseURI")}\n${MAIN}` : MAIN;
  return NAMED_LEARNER.replace("\n\n", BESIDE.replace("name", "name: string"));
}

/** The entries of `assets`, and addresses that follow `--base-href`. @param {boolean} isNamed */
const angularFiles = (/** @type {Part} */ part, isNamed = true) => ({
  "angular.json": JSON.stringify({
    version: 1,
    cli: { analytics: false },
    projects: {
      app: {
        projectType: "application",
        root: "",
        architect: {
          build: {
            builder: "@angular/build:application",
            options: {
              browser: "src/main.ts",
              index: "src/index.html",
              tsConfig: "tsconfig.json",
              outputPath: "dist/app",
              assets: JSON.parse(documented("json", "assets")).assets,
              budgets: [{ type: "initial", maximumError: "1MB" }],
            },
          },
        },
      },
    },
  }),
  "tsconfig.json": JSON.stringify({
    compilerOptions: { strict: true, allowJs: true, target: "es2022", module: "preserve", lib: ["es2022", "dom"] },
    files: ["src/main.ts"],
  }),
  "src/index.html": `<!doctype html>
<html lang="en"><head><base href="/"></head><body><app-root></app-root></body></html>
`,
  "src/main.ts": `import { Component } from "@angular/core";
import { bootstrapApplication } from "@angular/platform-browser";
${angularScript(part, isNamed).replace("./play.js", "../play.js")}
@Component({ selector: "app-root", template: "" })
class App {}

bootstrapApplication(App);
`,
});

/** @param {Part} part @returns {Target} */
const angular = (part, isNamed = true) =>
  of(part, {
    name: "angular 22",
    packages: {
      ...Object.fromEntries(
        ["common", "compiler", "compiler-cli", "core", "platform-browser"].map((name) => [`@angular/${name}`, ANGULAR]),
      ),
      "@angular/build": "22.2.7",
      "@angular/cli": "22.2.7",
      rxjs: "7.8.2",
      tslib: "2.9.1",
      typescript: "6.0.3",
    },
    node: NEWER_NODE,
    files: angularFiles(part, isNamed),
    build: ["ng build --base-href /app/browser/"],
    serve: "dist",
    pages: { "": "app/browser/index.html" },
  });

/** Expo for the web. Its bundle is a script and no module. @param {Part} part @returns {Target} */
const expo = (part) =>
  of(part, {
    name: "expo 58, metro",
    packages: {
      expo: "58.0.26",
      "@expo/metro-runtime": "58.0.17",
      react: "19.3.0",
      "react-dom": "19.3.0",
      "react-native": "0.88.1",
      "react-native-web": "0.21.4",
    },
    node: NEWER_NODE,
    files: {
      "app.json": JSON.stringify({
        expo: { name: "app", slug: "app", platforms: ["web"], web: { bundler: "metro", output: "single" } },
      }),
      "public/index.html": `<!doctype html>\n<html lang="en"><head></head><body><div id="root"></div></body></html>\n`,
      "index.js": part === "games" ? MAIN : NAMED_LEARNER.replace("\n\n", BESIDE),
    },
    build: [copiedTo("public/gym2600"), "expo export --platform web --output-dir dist"],
    serve: "dist",
  });

/** Files of the project, which Observable Framework copies where their names are literal. */
const ATTACHED = LEARNER.replace(
  "reportLearner(learn, wallop)",
  `await learn.init({
  wasm: FileAttachment("gym2600/gym2600_learn_bg.wasm").href,
  games: FileAttachment("gym2600/gym2600_wasm_bg.wasm").href,
  worker: FileAttachment("gym2600/learn-worker.js").href,
});
$&`,
);

/** @param {Part} part @returns {Target} */
const observable = (part) =>
  of(part, {
    name: "observable framework 1",
    packages: { "@observablehq/framework": "1.13.4" },
    node: NEWER_NODE,
    files: {
      "observablehq.config.js": 'export default { root: "src", pages: [], toc: false, search: false };\n',
      "src/index.md": `\`\`\`js\n${part === "games" ? MAIN : ATTACHED}\`\`\`\n`,
    },
    build: [`cp play.js src && ${copiedTo("src/gym2600")}`, "observable build"],
    serve: "dist",
  });

/** Bun copies a file that is imported as one, and gives its address. */
const BUN_LEARNER = `${documented("js", "gym2600/learn-worker")}\n${LEARNER}`;

/** An HTML page as the entry of Bun. @param {Part} part @returns {Target} */
const bunPage = (part) =>
  of(part, {
    name: "bun, page",
    packages: { bun: "1.4.5" },
    files: { "main.js": part === "games" ? MAIN.replace('"gym2600"', '"gym2600/inline"') : BUN_LEARNER },
    build: ["bun build index.html --outdir=dist"],
    serve: "dist",
  });

/** A page of VitePress in a folder of the project, with options of Vite. @param {string} name @param {string} options @returns {Target} */
const vitepress = (name, options) => ({
  name,
  packages: { vitepress: "1.6.4" },
  files: {
    "docs/.vitepress/config.js": `export default { ${options} };\n`,
    "docs/index.md": `<script setup>
import * as gym2600 from "gym2600";
import { onMounted } from "vue";
import { report } from "../play.js";

onMounted(() => report(gym2600));
</script>
`,
  },
  server: "vitepress dev docs --port {port} --strictPort",
});

/** @type {readonly Target[]} */
export const PAGES = [
  angular("games"),
  angular("learner"),
  {
    ...angular("games", false),
    name: "angular 22 without the files",
    refusal: /^Gym2600Error wasm-failed: .*init\(\{ wasm/,
  },
  expo("games"),
  expo("learner"),
  observable("games"),
  observable("learner"),
  bunPage("games"),
  bunPage("learner"),
  vitepress("vitepress 1 dev", 'vite: { optimizeDeps: { exclude: ["gym2600"] } }'),
  {
    ...vitepress("vitepress 1 dev, not excluded", ""),
    refusal: /^Gym2600Error wasm-failed: .*optimizeDeps: \{ exclude: \["gym2600"\] \}/,
  },
];
