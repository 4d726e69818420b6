/** What the page says of its owner's addresses: nothing until `scripts/set-repository` has written them into the npm package. */

/** The addresses in a `package.json`. */
export interface Manifest {
  readonly repository?: { readonly url: string };
  readonly homepage?: string;
}

/** The page with a link to the repository, and with absolute addresses for sites that show a preview of it. */
export function withAddresses(html: string, { repository, homepage }: Manifest): string {
  let page = html;
  if (repository !== undefined) {
    const address = attribute(repository.url.replace(/^git\+|\.git$/g, ""));
    page = page.replace(
      /(<button id="docs-button".*\n)/,
      `$1        <a class="wide-only" href="${address}">Repository</a>\n`,
    );
  }
  // The documents are in a folder of the page. Without an address of its own, the homepage is the repository's text.
  if (homepage === undefined || homepage.endsWith("#readme")) return page;
  const address = attribute(homepage.replace(/(?:\/docs)?\/?$/, "/"));
  const url = `<meta property="og:url" content="${address}" />\n    `;
  return page.replace(/<meta property="og:image" content="\.\//, `${url}<meta property="og:image" content="${address}`);
}

function attribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
