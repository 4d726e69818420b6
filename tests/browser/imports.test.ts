/** The files of the page import each other in one direction. */

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../www/src/", import.meta.url));

/** What each file imports, types included. */
const imports = new Map(
  readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => {
      const found = readFileSync(root + file, "utf8").matchAll(/\bfrom "(\.[^"]+)\.js"/g);
      return [file, [...found].map(([, name = ""]) => `${join(dirname(file), name)}.ts`)] as const;
    }),
);

/** The circles that a file is in, or leads to. */
function circles(file: string, path: readonly string[], done: Set<string>): string[] {
  if (path.includes(file)) return [[...path.slice(path.indexOf(file)), file].join(" > ")];
  if (done.has(file)) return [];
  const found = (imports.get(file) ?? []).flatMap((next) => circles(next, [...path, file], done));
  done.add(file);
  return found;
}

test("no file imports itself through others", () => {
  const done = new Set<string>();
  expect(imports.size).toBeGreaterThan(50);
  expect([...imports.keys()].flatMap((file) => circles(file, [], done))).toEqual([]);
});
