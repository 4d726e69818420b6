/** The second visit without a network, and what the browser remembers. */

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { launch } from "../package/chromium.js";
import { Demo } from "./support/demo.js";
import { realRom } from "./support/roms.js";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

const built = fileURLToPath(new URL("output/site/", import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
};

const page = (title: string, body = ""): string =>
  `<!doctype html><title>${title}</title><link rel="icon" href="data:,">${body}`;

/** A site of documents, as the build of the documents writes it. */
const documents = (): Record<string, string> => ({
  "docs/files.json": JSON.stringify({ version: "1", files: ["index.html", "start.html"] }),
  "docs/index.html": page("Documents", '<a href="./start.html">Start</a>'),
  "docs/start.html": page("Start 1"),
});

/** Serves the page as a plain host does: a browser may keep a file for a tenth of its age. */
async function hostWithoutCacheHeaders(others: Readonly<Record<string, string>> = {}): Promise<{
  site: string;
  /** Serves a second build, or only the list of its files while the files are those of the first. */
  deploy(what?: "all" | "list"): void;
  close(): void;
}> {
  let second: "all" | "list" | undefined;
  const secondPage = Buffer.from(
    `${readFileSync(`${built}index.html`)}`
      .replace(/<title>.*<\/title>/, "<title>The second build</title>")
      .replace("<html", '<html data-build="second"'),
  );
  const digest = createHash("sha256").update(secondPage).digest("base64");
  const read = (asked: string): Buffer => {
    const path = asked.endsWith("/") ? `${asked}index.html` : asked;
    const other = others[path];
    if (other !== undefined) return Buffer.from(other);
    const bytes = readFileSync(built + path);
    if (path === "index.html") return second === "all" ? secondPage : bytes;
    if (path !== "service-worker.js" || second === undefined) return bytes;
    const text = `${bytes}`.replace(/"?version"?:[`"]/, "$&second-");
    return Buffer.from(text.replaceAll(/(\.\/index\.html[`"],[`"])sha256-[^`"]*/g, `$1sha256-${digest}`));
  };
  const server = createServer(({ url = "/" }, response) => {
    const path = new URL(url, "http://localhost").pathname.slice(1) || "index.html";
    try {
      const bytes = read(path);
      response.setHeader("Content-Type", TYPES[extname(path) || ".html"] ?? "application/octet-stream");
      if (path.startsWith("docs/")) response.setHeader("Cache-Control", "no-store");
      else response.setHeader("Last-Modified", "Wed, 01 Jan 2020 00:00:00 GMT");
      response.end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((listening) => server.listen(0, listening));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the host has no port");
  return {
    site: `http://localhost:${address.port}/`,
    deploy(what = "all") {
      second = what;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

describe("the second visit", () => {
  test("works without a network: it plays, and it learns", async () => {
    const demo = await Demo.open(browser);
    await demo.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await demo.until(() => demo.page.evaluate(async () => (await caches.keys()).length === 1));
    // The first visit has ended: its files come from the network.
    await demo.page.goto("about:blank");
    await demo.page.context().setOffline(true);
    await demo.page.goto(
      `${inject("site")}#preset=learner&seed=3&games=4&set.rollout=16&set.minibatches=2&set.epochs=1`,
    );
    await demo.until(async () => (await demo.number("decisions")) > 0);
    await expect.poll(() => demo.text("policy-name")).toMatch(/hour of training$/);
    await demo.at("train").click();
    await expect.poll(() => demo.text("policy-name")).toMatch(/^policy #/);
    await demo.close();
  });

  test("caches the files of the build and nothing else, whatever was played and asked for", async () => {
    const demo = await Demo.open(browser);
    await demo.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    // From the second visit on the service worker answers.
    await demo.page.reload();
    await demo.chooseFile(realRom("breakout"));
    await expect.poll(() => demo.text("game-title")).toBe("Breakout");
    await demo.goesOn();
    const urls = await demo.page.evaluate(async () => {
      for (const path of ["./none.bin", "./index.html?a=1", "./assets/", "./service-worker.js"]) {
        await fetch(path).catch(() => undefined);
      }
      const found: string[] = [];
      for (const name of await caches.keys()) {
        for (const { url } of await (await caches.open(name)).keys()) found.push(url);
      }
      return found;
    });
    // All files of the build but the service worker's own.
    const files = readdirSync(built, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== "service-worker.js")
      .map((entry) => relative(built, join(entry.parentPath, entry.name)));
    expect(urls.sort()).toEqual(files.map((file) => new URL(file, inject("site")).href).sort());
    expect(urls.length).toBeGreaterThan(10);
    // The console has what was not found, and nothing else.
    expect(demo.complaints.splice(0).filter((text) => !/404/.test(text))).toEqual([]);
    await demo.close();
  });

  test("has the files of a new build, though the HTTP cache has old ones", async () => {
    const host = await hostWithoutCacheHeaders();
    const demo = await Demo.open(browser, { site: host.site });
    await demo.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    host.deploy();
    const title = () =>
      demo.page.evaluate(async () => {
        const name = (await caches.keys()).find((key) => / second-/.test(key));
        const page = name === undefined ? undefined : await (await caches.open(name)).match("./index.html");
        return page === undefined ? "" : /<title>(.*)<\/title>/.exec(await page.text())?.[1];
      });
    await demo.page.evaluate(async () => void (await navigator.serviceWorker.ready).update());
    await expect.poll(title).toMatch(/./);
    expect(await title()).toBe("The second build");
    await demo.close();
    host.close();
  });

  test("tells of a new version, and has it by a button when no other tab has the one before", async () => {
    const host = await hostWithoutCacheHeaders();
    const demo = await Demo.open(browser, { site: host.site });
    await demo.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await demo.page.reload();
    await demo.until(async () => (await demo.number("decisions")) > 0);
    const other = await Demo.visit(demo.page.context(), { site: host.site });
    host.deploy();
    await demo.page.evaluate(async () => void (await navigator.serviceWorker.ready).update());
    await expect.poll(() => demo.text("message-text")).toMatch(/^There is a new version of this page\. This tab stays/);
    await demo.screenshot("new-version");
    const load = demo.page.getByRole("button", { name: "Load the new version" });
    await load.click();
    await expect
      .poll(() => demo.text("message-text"))
      .toMatch(/ Another tab has this page open, too\. Close it first\.$/);
    // Nothing of the version before is gone.
    expect(await demo.page.evaluate(async () => (await caches.keys()).length)).toBe(2);
    await demo.goesOn();
    await other.closePage();
    await load.click();
    // The page gives itself another title, so that of the file is seen for a moment only.
    const build = () => demo.page.evaluate(() => document.documentElement.dataset.build).catch(() => undefined);
    await expect.poll(build).toBe("second");
    await demo.until(async () => (await demo.number("decisions")) > 0);
    await expect.poll(() => demo.page.evaluate(() => caches.keys())).toEqual([expect.stringMatching(/ second-/)]);
    await demo.close();
    host.close();
  });

  test("keeps no version of which a file is another's", async () => {
    const host = await hostWithoutCacheHeaders();
    const demo = await Demo.open(browser, { site: host.site });
    await demo.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    host.deploy("list");
    const refused = await demo.page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      const found = new Promise<ServiceWorker | null>((resolve) => {
        registration.addEventListener("updatefound", () => resolve(registration.installing));
      });
      await registration.update();
      const worker = await found;
      return new Promise((resolve) => {
        const look = (): void => {
          if (worker?.state === "redundant" || worker?.state === "installed") resolve(worker.state);
        };
        worker?.addEventListener("statechange", look);
        look();
      });
    });
    expect(refused).toBe("redundant");
    await demo.page.reload();
    await demo.until(async () => (await demo.number("decisions")) > 0);
    expect(await demo.at("message").isHidden()).toBe(true);
    // Chromium complains of the file whose digest is another's.
    expect(demo.complaints.splice(0).filter((text) => !/integrity/.test(text))).toEqual([]);
    await demo.close();
    host.close();
  });

  test("has the documents beside the page, from the network while there is one", async () => {
    const site = documents();
    const host = await hostWithoutCacheHeaders(site);
    const demo = await Demo.open(browser, { site: host.site });
    await demo.until(() =>
      demo.page.evaluate(async () => (await caches.keys()).some((name) => / documents 1$/.test(name))),
    );
    await demo.page.reload();
    await demo.until(async () => (await demo.number("decisions")) > 0);
    const read = async (): Promise<string> => {
      await demo.at("docs-button").click();
      const opening = demo.page.context().waitForEvent("page");
      await demo.page.getByRole("link", { name: "The documents" }).click();
      const beside = await opening;
      await beside.waitForLoadState();
      await beside.getByRole("link", { name: "Start" }).click();
      await beside.waitForURL("**/docs/start.html");
      const title = await beside.title();
      await beside.close();
      await demo.page.keyboard.press("Escape");
      return title;
    };
    expect(await read()).toBe("Start 1");
    site["docs/start.html"] = page("Start 2");
    expect(await read()).toBe("Start 2");
    // The service worker's requests take no notice of a browser that is set offline.
    host.close();
    expect(await read()).toBe("Start 1");
    await demo.goesOn();
    await demo.close();
  });
});

describe("what is remembered", () => {
  test("is nothing unless it is wanted; then ROM and settings are, until they are forgotten", async () => {
    const demo = await Demo.open(browser);
    const databases = () => demo.page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
    await demo.chooseFile(realRom("breakout"));
    await expect.poll(() => demo.text("game-title")).toBe("Breakout");
    expect(await databases()).toEqual([]);
    await demo.at("game-button").click();
    await demo.at("remember").check();
    await expect.poll(() => demo.page.locator("#remembered button").allTextContents()).toEqual(["Breakout"]);
    await demo.page.keyboard.press("Escape");
    await demo.page.reload();
    await expect.poll(() => demo.text("game-title")).toBe("Breakout");
    // A remembered ROM is opened from the menu.
    await demo.chooseWallop();
    await expect.poll(() => demo.text("game-title")).toBe("WALLOP");
    await demo.at("game-button").click();
    await demo.page.locator("#remembered button", { hasText: "Breakout" }).click();
    await expect.poll(() => demo.text("game-title")).toBe("Breakout");
    // What is written when a game has been opened does not come after what deletes it.
    await demo.at("game-button").click();
    await demo.page.evaluate(() => {
      document.querySelector<HTMLElement>("#remember")?.click();
      document.querySelector<HTMLElement>("#remember")?.click();
      document.querySelector<HTMLElement>("#forget")?.click();
    });
    await expect.poll(databases).toEqual([]);
    await demo.page.reload();
    await expect.poll(() => demo.text("game-title")).toBe("WALLOP");
    await demo.close();
  });

  test("a saved state brings the game back", async () => {
    const demo = await Demo.open(browser);
    await demo.pause();
    const before = await demo.stack();
    await demo.at("game-button").click();
    await demo.at("save-state").click();
    await expect.poll(() => demo.text("announcement")).toBe("The state is saved");
    // Nothing moves in the second before a ball is served.
    await demo.until(async () => {
      await demo.at("step").click();
      await demo.settled();
      return (await demo.stack()) !== before;
    });
    await demo.at("game-button").click();
    await demo.at("load-state").click();
    await demo.settled();
    expect(await demo.stack()).toBe(before);
    await demo.close();
  });
});
