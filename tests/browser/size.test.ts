/** What the page downloads, against packages/gym2600/budgets.json. */

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { judge } from "../../packages/gym2600/scripts/budgets.mjs";

const assets = fileURLToPath(new URL("output/site/assets/", import.meta.url));

/** Scripts with those that they import, which are loaded with them. */
function loadedAtOnce(scripts: readonly string[]): string[] {
  const loaded = new Set(scripts);
  for (const script of loaded) {
    const code = readFileSync(assets + script, "utf8");
    for (const [, name = ""] of code.matchAll(/(?:\bfrom|\bimport)\s*"\.\/([^"]+\.js)"/g)) loaded.add(name);
  }
  return [...loaded];
}

test("the page's scripts are within their budgets", () => {
  const scripts = readdirSync(assets).filter((name) => name.endsWith(".js"));
  const total = (names: string[]): number =>
    names.reduce((sum, name) => sum + gzipSync(readFileSync(assets + name), { level: 9 }).length, 0);
  const page = loadedAtOnce(scripts.filter((name) => name.startsWith("index-")));
  const own = total(page);
  const others = total(scripts.filter((name) => !page.includes(name)));
  const chart = total(scripts.filter((name) => name.startsWith("curve-chart-")));
  console.log(
    `bytes gzip of the page's script: ${own}; of the chart: ${chart}; of its workers and what else it loads on demand: ` +
      `${others - chart}; of all: ${own + others}`,
  );
  expect(own).toBeGreaterThan(10_000);
  for (const { isWithin, message } of [judge("demo", own), judge("demoWorkers", others)]) {
    expect(isWithin, message).toBe(true);
  }
});
