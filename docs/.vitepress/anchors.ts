/**
 * Checks the anchors of the built site. VitePress checks that a link leads to a page, and not where in the page.
 *
 * TypeDoc and VitePress count equal headings in different ways, so TypeDoc writes its anchors into the headings, with a prefix that no other
 * heading has.
 */

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Fails with every link between the pages of a folder that has no element for its anchor. */
export function checkAnchors(folder: string): void {
  const pages = new Map(
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".html"))
      .map((path) => [path, readFileSync(join(folder, path), "utf8")] as const),
  );
  const anchors = new Map(
    [...pages].map(([path, text]) => [path, new Set([...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id))]),
  );
  const dead = [...pages].flatMap(([page, text]) =>
    [...text.matchAll(/<a\s[^>]*?\bhref="([^"#:]*)#([^"]+)"/g)]
      .filter(([, path = "", anchor = ""]) => !anchors.get(target(page, path))?.has(decodeURIComponent(anchor)))
      .map(([, path, anchor]) => `${page}: ${path}#${anchor}`),
  );
  if (dead.length > 0) throw new Error(`dead anchors:\n${[...new Set(dead)].join("\n")}`);
}

/** The page that an address of `page` leads to. */
function target(page: string, path: string): string {
  if (path === "") return page;
  const found = join(dirname(page), decodeURI(path));
  return found.endsWith("/") ? `${found}index.html` : found;
}
