/** What leaves the page, and what its content security policy forbids. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { launch } from "../package/chromium.js";
import { Demo } from "./support/demo.js";
import { realRom } from "./support/roms.js";

const SITE = fileURLToPath(new URL("output/site", import.meta.url));

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

/** A policy's sources by directive. */
function directives(policy: string): Map<string, string[]> {
  return new Map(
    policy.split(";").map((text) => {
      const [name = "", ...sources] = text.trim().split(/\s+/);
      return [name, sources];
    }),
  );
}

test("a page that plays a ROM, learns and exports asks its own host for its own files, and sends nothing", async () => {
  const rom = realRom("pong");
  const demo = await Demo.open(browser, {
    hash: "#preset=learner&seed=3&games=8&set.rollout=32&set.minibatches=2&set.epochs=1",
    viewport: { width: 1280, height: 720 },
  });
  const sockets: string[] = [];
  demo.page.on("websocket", (socket) => sockets.push(socket.url()));
  await demo.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));

  await demo.chooseFile(rom);
  await expect.poll(() => demo.text("game-title")).toContain("Pong");
  await demo.goesOn();
  await demo.at("train").click();
  await expect.poll(() => demo.text("policy-name")).toMatch(/^policy #([2-9]|[\d,]{2})/);
  await demo.choose("speed", "fast");
  await demo.until(async () => (await demo.number("episodes")) > 0);
  expect((await demo.download("save")).bytes.length).toBeGreaterThan(1000);
  await demo.at("data-button").click();
  for (const kind of ["csv", "json", "gif"]) {
    expect((await demo.download(kind)).bytes.length).toBeGreaterThan(0);
  }

  const home = inject("site");
  const { requests } = demo;
  const own = (url: string) => url.startsWith(home) || url.startsWith(`blob:${new URL(home).origin}/`);
  const urls = requests.map((request) => request.url());
  // The requests of workers and of the service worker are among them.
  expect(urls.some((url) => /gym2600_learn_bg.*\.wasm$/.test(url))).toBe(true);
  expect(requests.some((request) => request.serviceWorker() !== null)).toBe(true);
  expect(urls.filter((url) => !own(url) && !url.startsWith("data:image/"))).toEqual([]);
  expect(requests.filter((request) => request.method() !== "GET" || request.postDataBuffer() !== null)).toEqual([]);
  // An address could carry data too.
  expect(urls.filter((url) => new URL(url).search !== "")).toEqual([]);
  const files = urls
    .filter((url) => url.startsWith(home))
    .map((url) => url.slice(home.length).replace(/#.*/, "") || "index.html");
  // A site without its documents lacks their list.
  const missing = files.filter((file) => !existsSync(join(SITE, file)));
  expect(missing.filter((file) => file !== "docs/files.json")).toEqual([]);
  expect(sockets).toEqual([]);
  await demo.close();
});

test("no script of the page or of its workers names a socket, a beacon or another request than fetch", () => {
  const scripts = readdirSync(SITE, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".js"));
  expect(scripts.length).toBeGreaterThan(10);
  const ways = /WebSocket|XMLHttpRequest|sendBeacon|EventSource|RTCPeerConnection|WebTransport|importScripts/;
  expect(scripts.filter((file) => ways.test(readFileSync(join(SITE, file), "utf8")))).toEqual([]);
});

test("the policy permits no inline style or script, and no address but the page's own", async () => {
  const demo = await Demo.open(browser);
  const policy = await demo.page
    .locator('meta[http-equiv="Content-Security-Policy"]')
    .evaluate((meta) => (meta as HTMLMetaElement).content);
  const allowed = directives(policy);
  expect(allowed.get("default-src")).toEqual(["'self'"]);
  expect(allowed.get("connect-src")).toEqual(["'self'"]);
  expect(allowed.get("style-src")).toEqual(["'self'"]);
  expect(allowed.get("script-src")).toEqual(["'self'", "'wasm-unsafe-eval'"]);
  expect(allowed.get("require-trusted-types-for")).toEqual(["'script'"]);
  expect(allowed.get("trusted-types")).toEqual(["default"]);
  const html = await (await fetch(inject("site"))).text();
  expect(html).toContain(policy);
  expect(html).not.toMatch(/<style|<script(?![^>]*\ssrc=)|\s(style|on\w+)=/i);

  const refused = await demo.page.evaluate(async () => {
    const violated: string[] = [];
    document.addEventListener("securitypolicyviolation", (event) => violated.push(event.effectiveDirective));
    const span = document.createElement("span");
    span.setAttribute("style", "color: rgb(1, 2, 3)");
    const style = document.createElement("style");
    style.textContent = "body { color: rgb(1, 2, 3) }";
    const script = document.createElement("script");
    // A script's text cannot be assigned. It can be appended, and Trusted Types refuses to run it, before script-src is asked.
    script.append("document.title = 'inline'");
    document.body.append(span, style, script);
    const answer = await fetch("http://localhost:1/").then(
      () => "answered",
      () => "refused",
    );
    // The events come later than the refusals.
    while (violated.length < 3) await new Promise((resolve) => setTimeout(resolve, 10));
    await new Promise((resolve) => setTimeout(resolve, 100));
    const colours = [span, document.body].map((element) => getComputedStyle(element).color);
    return { violated: violated.sort(), colours, title: document.title, answer };
  });
  expect(refused.violated).toEqual(["connect-src", "style-src-attr", "style-src-elem"]);
  expect(refused.colours).not.toContain("rgb(1, 2, 3)");
  expect(refused.title).toContain("gym2600");
  expect(refused.answer).toBe("refused");
  // The console has the refusals of this test, and no others.
  const complaints = demo.complaints.splice(0);
  expect(complaints.length).toBeGreaterThanOrEqual(4);
  expect(complaints.filter((text) => !/Content Security Policy|'TrustedScript'/.test(text))).toEqual([]);
  await demo.close();
});

test("no text becomes code, and only scripts of the page's own host become workers", async () => {
  const demo = await Demo.open(browser);
  const refused = await demo.page.evaluate(() => {
    const attempts: Record<string, () => unknown> = {
      markup: () => {
        document.createElement("div").innerHTML = "<b>bold</b>";
      },
      document: () => new DOMParser().parseFromString("<b>bold</b>", "text/html"),
      handler: () => document.createElement("div").setAttribute("onclick", "1"),
      script: () => {
        document.createElement("script").src = "https://example.com/script.js";
      },
      text: () => {
        document.createElement("script").text = "1";
      },
      worker: () => new Worker("https://example.com/worker.js"),
      data: () => new Worker("data:text/javascript,1"),
      policy: () =>
        (
          window as unknown as { trustedTypes: { createPolicy(name: string, rules: object): unknown } }
        ).trustedTypes.createPolicy("another", {}),
    };
    const outcome = Object.entries(attempts).map(([name, attempt]) => {
      try {
        attempt();
        return [name, "done"];
      } catch (error) {
        return [name, (error as Error).name];
      }
    });
    return Object.fromEntries(outcome) as Record<string, string>;
  });
  expect(refused).toEqual({
    markup: "TypeError",
    document: "TypeError",
    handler: "TypeError",
    script: "TypeError",
    text: "TypeError",
    worker: "TypeError",
    data: "TypeError",
    policy: "TypeError",
  });
  // The console has the refusals of this test, and no others.
  expect(
    demo.complaints.splice(0).filter((text) => !/'Trusted(HTML|Script|ScriptURL)' assignment|trusted-types/.test(text)),
  ).toEqual([]);
  await demo.close();
});
