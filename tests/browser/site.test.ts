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

test("the figures of the start page stand on the pages that they link to", () => {
  const start = readFileSync(join(SITE, "docs/index.html"), "utf8");
  const figures = [...start.matchAll(/<a href="\.\/([^"#]+)#[^"]*"><strong>([^<]+)<\/strong>/g)];
  expect(figures.length).toBeGreaterThan(3);
  for (const [, page = "", figure = ""] of figures) {
    expect(readFileSync(join(SITE, "docs", page), "utf8"), page).toContain(figure);
  }
});

test("without an owner's address the site links to no repository", () => {
  const { repository } = JSON.parse(readFileSync(join(SITE, "../../packages/gym2600/package.json"), "utf8")) as {
    repository?: { url: string };
  };
  const start = readFileSync(join(SITE, "docs/index.html"), "utf8");
  expect(/>(?:Repository|Issues)</.test(start)).toBe(repository !== undefined);
});

test("the language that a reader chose is shown on every page", async () => {
  const server = await serve((path) => readFile(join(SITE, path)));
  const browser = await launch();
  try {
    const page = await browser.newPage();
    await page.goto(new URL("docs/start.html", server.address).href);
    await page.getByRole("tab", { name: "Rust" }).first().click();
    await page.getByText("cargo add gym2600-gym gym2600-arcade").waitFor();
    expect(await page.getByRole("tab", { name: "Rust", selected: false }).count()).toBe(0);
    await page.goto(new URL("docs/concepts.html", server.address).href);
    await page.getByRole("tab", { name: "Rust", selected: true }).first().waitFor();
    expect(await page.getByRole("tab", { name: "JavaScript", selected: true }).count()).toBe(0);
  } finally {
    await browser.close();
    server.close();
  }
});

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
