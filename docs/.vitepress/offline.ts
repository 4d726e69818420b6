/** The list of the site's files, which the page beside it keeps for a visit without a network. */

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

const LIST = "files.json";

/** Writes `files.json`: the files by their addresses in the site, and a version of all of them. */
export function writeList(outDir: string): void {
  const digest = createHash("sha256");
  const files = readdirSync(outDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== LIST)
    .map((entry) => relative(outDir, join(entry.parentPath, entry.name)))
    .sort();
  for (const file of files) digest.update(file).update(readFileSync(join(outDir, file)));
  writeFileSync(join(outDir, LIST), JSON.stringify({ version: digest.digest("hex").slice(0, 16), files }));
}
