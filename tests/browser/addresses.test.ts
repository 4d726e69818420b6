/** The owner's addresses in the page and in the site of the documents. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { leads, ownersLinks } from "../../docs/.vitepress/addresses.js";
import { withAddresses } from "../../www/addresses.js";

const html = readFileSync(new URL("../../www/index.html", import.meta.url), "utf8");
const repository = { url: "git+https://host.example/owner/name.git" };
const bugs = { url: "https://host.example/owner/name/issues" };

test("without an owner the page names no address", () => {
  expect(withAddresses(html, {})).toBe(html);
});

test("the page links to its repository and issues, beside the page, and on a phone in Docs", () => {
  const page = withAddresses(html, { repository, bugs, homepage: "https://host.example/owner/name#readme" });
  const links = [...page.matchAll(/<a ([^>]*)href="(https:[^"]*)" (.*?)>(.*?)<\/a>/g)].map((found) => found.slice(1));
  const beside = 'target="_blank" rel="noopener"';
  expect(links).toEqual([
    ['class="wide-only" ', "https://host.example/owner/name", beside, "Repository"],
    ["", "https://host.example/owner/name", beside, "The repository"],
    ["", bugs.url, beside, "the issues"],
  ]);
  expect(page).toContain('content="./og.png"');
});

test("the documents link to the repository, to its issues and to its files, or without an owner to none", () => {
  expect(ownersLinks({})).toEqual([]);
  expect(ownersLinks({ repository, bugs })).toEqual([
    { text: "Repository", link: "https://host.example/owner/name" },
    { text: "Issues", link: bugs.url },
  ]);
  expect(leads("../crates/arcade/games", {})).toEqual({ to: undefined });
  expect(leads("../crates/arcade/games", { repository })).toEqual({
    to: "https://host.example/owner/name/blob/main/crates/arcade/games",
  });
  for (const page of ["concepts.md", "../wrappers.md", "python/index.md"])
    expect(leads(page, { repository })).toBe("page");
});

test("with a demo page the preview has absolute addresses", () => {
  const page = withAddresses(html, { repository, homepage: "https://demo.example/gym/docs/" });
  expect(page).toContain('<meta property="og:url" content="https://demo.example/gym/" />');
  expect(page).toContain('<meta property="og:image" content="https://demo.example/gym/og.png" />');
});
