import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT, run } from "./support.js";

const SCRIPTS = readdirSync(join(ROOT, "scripts"), { withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ name }) => ({ name, text: readFileSync(join(ROOT, "scripts", name), "utf8") }))
  // The others pass --help to the program that they run, which they build first.
  .filter(({ text }) => !/^OWN_HELP=/m.test(text));

test.each(SCRIPTS)("scripts/$name describes itself with --help", ({ name, text }) => {
  const path = join(ROOT, "scripts", name);
  const { status, output, errors } = name.endsWith(".mjs")
    ? run(process.execPath, [path, "--help"])
    : run(path, ["--help"]);
  expect(status, errors).toBe(0);
  // The first sentence of the head, and nothing that the script does.
  const [, head = "no head"] = /^(?:#|\/\/) (\w.*)$/m.exec(text) ?? [];
  expect(output.split("\n")[0]).toBe(head);
});
