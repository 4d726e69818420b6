/** The built page and the site of documents in it work from any folder of a host. */

import { existsSync, readFileSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { launch, serve } from "../package/chromium.js";

const SITE = fileURLToPath(new URL("../../www/dist", import.meta.url));
const FOLDER = "/any/folder";

test("every address in the site's pages is relative and leads to a file", async () => {
  const pages = (await readdir(SITE, { recursive: true })).filter((path) => path.endsWith(".html"));
  expect(pages.length).toBeGreaterThan(20);
  const wrong = pages.flatMap((page) => {
    const text = readFileSync(join(SITE, page), "utf8");
    const addresses = [...text.matchAll(/<[a-z][^>]*?\s(?:href|src)="([^"]*)"/g)].map(([, address]) => address ?? "");
    return addresses.filter((address) => !leads(page, address)).map((address) => `${page}: ${address}`);
  });
  expect(wrong).toEqual([]);
});

/** Whether an address of a page is one of another host, or relative and that of a file. */
function leads(page: string, address: string): boolean {
  const [path = ""] = address.split(/[?#]/);
  if (path === "" || /^[a-z]+:/.test(path)) return true;
  if (path.startsWith("/")) return false;
  const file = resolve(SITE, dirname(page), decodeURI(path));
  return existsSync(path.endsWith("/") || path === "." ? join(file, "index.html") : file);
}

test("the documents open and lead on from a folder of a host", async () => {
  const server = await serve(async (path) => {
    if (!path.startsWith(`${FOLDER}/`)) throw new Error(`${path} is not in the folder`);
    const file = join(SITE, path.slice(FOLDER.length));
    return readFile((await stat(file)).isDirectory() ? join(file, "index.html") : file);
  });
  const browser = await launch();
  try {
    const page = await browser.newPage();
    const failed: string[] = [];
    page.on("response", (response) => response.ok() || failed.push(response.url()));
    page.on("pageerror", (error) => failed.push(error.message));
    for (const start of ["docs/", "docs/decisions/", "docs/decisions/0005-reset-cache.html"]) {
      await page.goto(new URL(`${FOLDER}/${start}`, server.address).href);
      await page.getByRole("link", { name: "Concepts", exact: true }).first().click();
      await page.waitForURL(`**${FOLDER}/docs/concepts.html`);
      await page.locator("h1", { hasText: "Concepts" }).waitFor();
    }
    await page.getByRole("link", { name: "Demo", exact: true }).first().click();
    await page.locator("#television").waitFor();
    expect(failed).toEqual([]);
  } finally {
    await browser.close();
    server.close();
  }
});
