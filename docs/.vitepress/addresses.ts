/** The owner's addresses, which `scripts/set-repository` writes into the npm package. Without them the site has no such link. */

import { readFileSync } from "node:fs";
import type { DefaultTheme } from "vitepress";

interface Manifest {
  readonly repository?: { readonly url: string };
  readonly bugs?: { readonly url: string };
}

const manifest = JSON.parse(
  readFileSync(new URL("../../packages/gym2600/package.json", import.meta.url), "utf8"),
) as Manifest;

/** The address of the repository, if it has one. */
export const REPOSITORY = manifest.repository?.url.replace(/^git\+|\.git$/g, "");

/** The links to the repository and to its issues in the bar of the site. */
export const OWNERS_LINKS: DefaultTheme.NavItem[] = [
  { text: "Repository", link: REPOSITORY },
  { text: "Issues", link: manifest.bugs?.url },
].flatMap(({ text, link }) => (link === undefined ? [] : [{ text, link }]));
