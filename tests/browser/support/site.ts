/** Builds the page and serves it from a folder of a host. */

import { fileURLToPath } from "node:url";
import { build, type PreviewServer, preview } from "vite";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    /** The address of the page. */
    site: string;
  }
}

const www = fileURLToPath(new URL("../../../www", import.meta.url));
const outDir = fileURLToPath(new URL("../output/site", import.meta.url));

/** The folder. The page has to work at any depth. */
const FOLDER = "/somewhere/deep/";

let server: PreviewServer | undefined;

export async function setup(project: TestProject): Promise<void> {
  // Vitest says "test", with which Vite would build a page for development.
  process.env.NODE_ENV = "production";
  await build({ root: www, logLevel: "warn", build: { outDir, emptyOutDir: true } });
  server = await preview({
    root: www,
    base: FOLDER,
    logLevel: "warn",
    build: { outDir },
    preview: { port: 0, open: false },
  });
  const address = server.httpServer.address();
  if (address === null || typeof address === "string") throw new Error(`the page is served at ${String(address)}`);
  project.provide("site", `http://localhost:${address.port}${FOLDER}`);
}

export async function teardown(): Promise<void> {
  await server?.close();
}
