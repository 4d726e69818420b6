/** A browser, and a server for it. */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname } from "node:path";
import { type Browser, chromium } from "playwright-core";

const TYPES: Readonly<Record<string, string>> = {
  "": "text/html",
  ".html": "text/html",
  ".js": "text/javascript",
  ".wasm": "application/wasm",
  ".bin": "application/octet-stream",
};

export interface StaticServer {
  readonly address: string;
  close(): void;
}

/** Serves what `file` finds, on this machine only. What it throws for is not there. */
export async function serve(file: (path: string) => Promise<Uint8Array>): Promise<StaticServer> {
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    file(path)
      .then((body) => response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "text/plain" }).end(body))
      .catch(() => response.writeHead(404).end());
  });
  await new Promise<void>((listening) => {
    server.listen(0, "127.0.0.1", listening);
  });
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

/** Starts headless Chromium: the one that CHROME names, or Debian's. */
export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROME ?? "/usr/bin/chromium",
    args: [
      "--headless=new",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
