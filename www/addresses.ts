/** What the page says of its owner's addresses: nothing until `scripts/set-repository` has written them into the npm package. */

/** The addresses in a `package.json`. */
export interface Manifest {
  readonly repository?: { readonly url: string };
  readonly bugs?: { readonly url: string };
  readonly homepage?: string;
}

/**
 * The page with links to the repository and its issues, and with absolute addresses for sites that show a preview of it. A phone has no
 * room for them in the bar, so they are in the dialog Docs too.
 */
export function withAddresses(html: string, { repository, bugs, homepage }: Manifest): string {
  let page = html;
  if (repository !== undefined) {
    const address = repository.url.replace(/^git\+|\.git$/g, "");
    const issues = bugs === undefined ? "" : `, and ${link(bugs.url, "the issues")} take what is wrong`;
    page = page
      .replace(/(<button id="docs-button".*\n)/, `$1        ${link(address, "Repository", ' class="wide-only"')}\n`)
      .replace(/(<span id="documents">.*<\/span>)/, `$1 ${link(address, "The repository")} has the code${issues}.`);
  }
  // The documents are in a folder of the page. Without an address of its own, the homepage is the repository's text.
  if (homepage === undefined || homepage.endsWith("#readme")) return page;
  const address = attribute(homepage.replace(/(?:\/docs)?\/?$/, "/"));
  const url = `<meta property="og:url" content="${address}" />\n    `;
  return page.replace(/<meta property="og:image" content="\.\//, `${url}<meta property="og:image" content="${address}`);
}

/** A link that opens beside the page, which keeps its game and its training. */
function link(address: string, text: string, attributes = ""): string {
  return `<a${attributes} href="${attribute(address)}" target="_blank" rel="noopener">${text}</a>`;
}

function attribute(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
