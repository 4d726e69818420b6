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

/** Writes the list of the page's files, with their digests and a version of all of them, into the service worker. */
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
        const digests = new Map<string, string>();
        const add = (name: string, contents: string | Uint8Array): void => {
          digests.set(`./${name}`, `sha256-${createHash("sha256").update(contents).digest("base64")}`);
        };
        for (const entry of readdirSync(publicFolder, { recursive: true, withFileTypes: true })) {
          if (!entry.isFile()) continue;
          const name = `${entry.parentPath.slice(publicFolder.length)}/${entry.name}`.slice(1);
          add(name, readFileSync(`${publicFolder}/${name}`));
        }
        for (const [name, output] of Object.entries(bundle)) {
          if (name === SERVICE_WORKER || name.endsWith(".map")) continue;
          add(name, output.type === "chunk" ? output.code : output.source);
        }
        const files = [...digests];
        const version = createHash("sha256").update(JSON.stringify(files)).digest("hex").slice(0, 16);
        const list = { version, files };
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
