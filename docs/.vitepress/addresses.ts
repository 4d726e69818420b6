/** The owner's addresses, which `scripts/set-repository` writes into the npm package. Without them the site has no such link. */

import { readFileSync } from "node:fs";

/** The addresses in a `package.json`. */
export interface Manifest {
  readonly repository?: { readonly url: string };
  readonly bugs?: { readonly url: string };
}

/** That of the npm package. */
export const MANIFEST = JSON.parse(
  readFileSync(new URL("../../packages/gym2600/package.json", import.meta.url), "utf8"),
) as Manifest;

/** The address of the repository, if it has one. */
export function repositoryOf({ repository }: Manifest): string | undefined {
  return repository?.url.replace(/^git\+|\.git$/g, "");
}

/** The links to the repository and to its issues, for the bar of the site. */
export function ownersLinks(manifest: Manifest): { text: string; link: string }[] {
  return [
    { text: "Repository", link: repositoryOf(manifest) },
    { text: "Issues", link: manifest.bugs?.url },
  ].flatMap(({ text, link }) => (link === undefined ? [] : [{ text, link }]));
}

/** Files of the repository that are no pages of the site. The site has a folder `python` too, to which no page goes up two folders. */
const ELSEWHERE = /^(?:\.\.\/)+((?:crates|packages|python\/README|roms|scripts|tests|www|[A-Z]+\.md).*)/;

/** What becomes of a link between files of the repository: it leads to a page of the site, to the repository, or nowhere. */
export function leads(href: string, manifest: Manifest): "page" | { readonly to: string | undefined } {
  const [, path] = ELSEWHERE.exec(href) ?? [];
  if (path === undefined) return "page";
  const repository = repositoryOf(manifest);
  return { to: repository === undefined ? undefined : `${repository}/blob/main/${path}` };
}
