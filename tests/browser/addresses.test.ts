/** The owner's addresses in the page. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { withAddresses } from "../../www/addresses.js";

const html = readFileSync(new URL("../../www/index.html", import.meta.url), "utf8");
const repository = { url: "git+https://host.example/owner/name.git" };

test("without an owner the page names no address", () => {
  expect(withAddresses(html, {})).toBe(html);
});

test("the page links to its repository", () => {
  const page = withAddresses(html, { repository, homepage: "https://host.example/owner/name#readme" });
  expect(page).toContain('<a class="wide-only" href="https://host.example/owner/name">Repository</a>');
  expect(page).toContain('content="./og.png"');
});

test("with a demo page the preview has absolute addresses", () => {
  const page = withAddresses(html, { repository, homepage: "https://demo.example/gym/docs/" });
  expect(page).toContain('<meta property="og:url" content="https://demo.example/gym/" />');
  expect(page).toContain('<meta property="og:image" content="https://demo.example/gym/og.png" />');
});
