/** Scripts that `init` names and that are no worker of the package. */

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GameWorker, init, VectorEnv, wallop } from "gym2600";
import { expect, test } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "gym2600-"));

/** A file of the folder with this text. */
function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const SCRIPTS = {
  "that is missing": join(folder, "missing.js"),
  "that is a page": file("page.js", "<!doctype html><title>Not found</title>"),
  "of another kind": file("worker.css", "a { color: red }"),
  "that ends": file("other.mjs", "export const nothing = 0;"),
  "that throws": file("throws.mjs", "throw new Error('broken');"),
};

test.for(Object.entries(SCRIPTS))("a script %s is refused", async ([, worker]) => {
  await init({ worker });
  const refusal = { name: "Gym2600Error", code: "worker-died", message: expect.stringContaining(worker.slice(0, 70)) };
  await expect(GameWorker.create({ rom: wallop })).rejects.toMatchObject(refusal);
  await expect(VectorEnv.create({ rom: wallop, numEnvs: 2, workers: 2 })).rejects.toMatchObject(refusal);
});
