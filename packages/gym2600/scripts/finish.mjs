// Finishes dist: declarations that every supported compiler reads, and CommonJS files of the entries.

import { readdir, readFile, writeFile } from "node:fs/promises";

const dist = new URL("../dist/", import.meta.url);
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

// CommonJS programs load the same modules, and so have the same classes and the same state.
for (const name of ["index-node", "learn-node", "record", "tensorboard", "toml"]) {
  await writeFile(new URL(`${name}.cjs`, dist), `module.exports = require("./${name}.js");\n`);
}
// The worker is a script: it has no exports.
await writeFile(new URL("worker.d.ts", dist), "export {};\n");

/** Writes a declaration for modules and its copy for CommonJS. */
async function write(name, text) {
  await writeFile(new URL(name, dist), text);
  const common = text.replace(/(from|import) "(\.\/[^"]+)\.js"/g, '$1 "$2.cjs"');
  await writeFile(new URL(name.replace(/\.d\.ts$/, ".d.cts"), dist), common);
}
