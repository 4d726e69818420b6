import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { type Manifest, withAddresses } from "./addresses";

const publicFolder = fileURLToPath(new URL("public", import.meta.url));

const manifest = JSON.parse(
  readFileSync(new URL("../packages/gym2600/package.json", import.meta.url), "utf8"),
) as Manifest & {
  version: string;
};

/** The script of the service worker, at the root of the page so that its scope is the page. */
const SERVICE_WORKER = "service-worker.js";

/** Writes the list of the page's files, with a version of their contents, into the service worker. */
function precache(): Plugin {
  return {
    name: "precache",
    apply: "build",
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        const worker = bundle[SERVICE_WORKER];
        // Workers are built as bundles of their own.
        if (worker?.type !== "chunk") return;
        const hash = createHash("sha256");
        const files = readdirSync(publicFolder, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => `${entry.parentPath.slice(publicFolder.length)}/${entry.name}`.slice(1));
        for (const file of files) hash.update(readFileSync(`${publicFolder}/${file}`));
        for (const name of Object.keys(bundle)) {
          if (name === SERVICE_WORKER || name.endsWith(".map")) continue;
          const output = bundle[name];
          hash.update(name).update(output?.type === "chunk" ? output.code : (output?.source ?? ""));
          files.push(name);
        }
        const list = {
          version: hash.digest("hex").slice(0, 16),
          files: [...new Set(files)].map((file) => `./${file}`),
        };
        worker.code = worker.code.replaceAll("__PRECACHE__", JSON.stringify(list));
      },
    },
  };
}

export default defineConfig({
  // Relative addresses, so that the built page works in any folder.
  base: "./",
  // An unknown address is not the page.
  appType: "mpa",
  define: { __VERSION__: JSON.stringify(manifest.version) },
  plugins: [precache(), { name: "addresses", transformIndexHtml: (html) => withAddresses(html, manifest) }],
  build: {
    target: "es2023",
    // No inlined assets: the page's content security policy forbids `data:` requests.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: { index: "index.html", "service-worker": "src/service-worker.ts" },
      output: {
        entryFileNames: ({ name }) => (name === "service-worker" ? SERVICE_WORKER : "assets/[name]-[hash].js"),
      },
    },
  },
  worker: { format: "es" },
});
