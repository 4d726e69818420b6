/** The files of the pages that tests open: the package without a bundler, and the scripts in tests. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** @type {Readonly<Record<string, string>>} */
const FOLDERS = { package: join(ROOT, "packages/gym2600"), tests: join(ROOT, "tests") };

/**
 * A page at `/` with a document. Paths of files begin with `/package/` or `/tests/`.
 *
 * @param {string} document
 * @returns {(path: string) => Promise<Uint8Array>}
 */
export function filesOf(document) {
  return async (path) => {
    if (path === "/") return Buffer.from(document);
    const [, folder = "", name = ""] = /^\/(\w+)\/([\w./-]+)$/.exec(path) ?? [];
    const place = FOLDERS[folder];
    if (place === undefined) throw new Error(path);
    return readFile(join(place, name));
  };
}
