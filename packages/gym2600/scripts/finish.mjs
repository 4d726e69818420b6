// Finishes the package: declarations that every supported compiler reads, for modules and for CommonJS, and folders of the entries.

import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";

const root = new URL("../", import.meta.url);
const dist = new URL("dist/", root);
const globals = await readFile(new URL("../types/globals.d.ts", import.meta.url), "utf8");

/** Array types have a parameter since TypeScript 5.7. Their `slice` has the type with an `ArrayBuffer` in all versions. */
const ARRAY = /\b((?:Uint8|Uint8Clamped|Int32|Float32|Float64)Array)<ArrayBuffer>/g;

const declarations = (await readdir(dist)).filter(
  (name) => name.endsWith(".d.ts") && !/^(globals|worker)\./.test(name),
);
for (const name of declarations) {
  const built = await readFile(new URL(name, dist), "utf8");
  const text = built.replace(ARRAY, 'ReturnType<$1["slice"]>').replace(/^\/\/# sourceMappingURL.*\n?/m, "");
  const module = text.includes('import "./globals.js"') ? text : `import "./globals.js";\n${text}`;
  await write(name, module);
}
await write("globals.d.ts", globals);

// The worker is a script: it has no exports.
await writeFile(new URL("worker.d.ts", dist), "export {};\n");

// For bundlers that copy no files. They leave the rest out where a page imports `wallop` alone: an export by its name hides that of `*`.
await writeFile(
  new URL("inline-module.js", dist),
  'export * from "./inline.js";\nexport { wallop } from "./wallop.js";\n',
);

// Tools that do not read `exports`, such as Parcel and TypeScript's classic resolution, look for an entry in a folder of its name.
const { exports } = JSON.parse(await readFile(new URL("package.json", root), "utf8"));
for (const [entry, { node, require, types, default: module }] of Object.entries(exports)) {
  if (entry === "." || types === undefined) continue;
  const main = (node?.require ?? require)?.default ?? node;
  const above = Object.entries({ main, module, browser: module, types }).map(([key, path]) => [key, `.${path}`]);
  await mkdir(new URL(`${entry}/`, root), { recursive: true });
  await writeFile(new URL(`${entry}/package.json`, root), `${JSON.stringify(Object.fromEntries(above), null, 2)}\n`);
}

/** Writes a declaration for modules and its copy for CommonJS. */
async function write(name, text) {
  await writeFile(new URL(name, dist), text);
  const common = text.replace(/(from|import) "(\.\/[^"]+)\.js"/g, '$1 "$2.cjs"');
  await writeFile(new URL(name.replace(/\.d\.ts$/, ".d.cts"), dist), common);
}
