import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { ROOT, run, temporaryFolder } from "./support.js";

const SCRIPTS = readdirSync(join(ROOT, "scripts"), { withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ name }) => ({ name, text: readFileSync(join(ROOT, "scripts", name), "utf8") }));

/** A folder with a cargo that fails: what describes itself builds nothing before. */
const noCargo = temporaryFolder();
writeFileSync(join(noCargo, "cargo"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });

test.each(SCRIPTS)("scripts/$name describes itself with --help, and builds nothing", ({ name, text }) => {
  const node = name.endsWith(".mjs") ? [process.execPath] : [];
  const path = `PATH=${noCargo}${delimiter}${process.env.PATH}`;
  const { status, output, errors } = run("env", [path, ...node, join(ROOT, "scripts", name), "--help"]);
  expect(status, errors).toBe(0);
  // The first sentence of the head, and nothing that the script does; or the options of the program that it runs.
  const [, head = "no head"] = /^(?:#|\/\/) (\w.*)$/m.exec(text) ?? [];
  const start = /^OWN_HELP=/m.test(text) ? `usage: scripts/${name} ` : `${head}\n`;
  expect(output.slice(0, start.length)).toBe(start);
});
