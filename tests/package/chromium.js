/** A browser, and a server for it. */

import { createServer } from "node:http";
import { extname } from "node:path";
import { chromium } from "playwright-core";

/** @type {Readonly<Record<string, string>>} */
const TYPES = {
  "": "text/html",
  ".html": "text/html",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".bin": "application/octet-stream",
};

/** @typedef {{ readonly address: string, close(): void }} StaticServer */

/**
 * Serves the bytes of `file` on this machine only. An exception of `file` is a 404.
 *
 * @param {(path: string) => Promise<Uint8Array>} file
 * @param {Readonly<Record<string, string>>} [headers] sent with every reply
 * @returns {Promise<StaticServer>}
 */
export async function serve(file, headers = {}) {
  const server = createServer((request, response) => {
    // As hosts of files do, without what is asked of a file.
    const path = (request.url ?? "/").replace(/\?.*/, "");
    file(path)
      .then((body) =>
        response.writeHead(200, { ...headers, "content-type": TYPES[extname(path)] ?? "text/plain" }).end(body),
      )
      .catch(() => response.writeHead(404).end());
  });
  await new Promise((listening) => {
    server.listen(0, "127.0.0.1", () => listening(undefined));
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return { address: `http://127.0.0.1:${address.port}/`, close: () => server.close() };
}

/** Arguments of headless Chromium. It refuses its sandbox as root, the user of most containers. The other flags prevent network traffic. */
export const CHROMIUM_ARGUMENTS = [
  "--headless=new",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * Starts headless Chromium: the one that CHROME names, or Debian's.
 *
 * @param {readonly string[]} [more] further arguments
 */
export function launch(more = []) {
  return chromium.launch({
    executablePath: process.env.CHROME ?? "/usr/bin/chromium",
    args: [...CHROMIUM_ARGUMENTS, ...more],
  });
}
