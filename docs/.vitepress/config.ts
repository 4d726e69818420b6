/** The site of the documents in docs, and of the API pages that TypeDoc writes to docs/api. */

import { readFileSync } from "node:fs";
import type { DefaultTheme } from "vitepress";
import { defineConfig } from "vitepress";
import { checkAnchors } from "./anchors.js";

const icon = readFileSync(new URL("../../www/public/favicon.svg", import.meta.url), "utf8");

/** Files of the repository that are no pages of the site. */
const ELSEWHERE = /^(?:\.\.\/)+(?:crates|packages|python|roms|scripts|tests|www|[A-Z]+\.md)/;

const sidebar: DefaultTheme.SidebarItem[] = [
  {
    text: "Guide",
    items: [
      { text: "Start in five minutes", link: "/start" },
      { text: "Concepts", link: "/concepts" },
      { text: "Recipes", link: "/recipes" },
      { text: "Bundlers and hosting", link: "/bundlers" },
      { text: "From Gymnasium", link: "/gymnasium" },
      { text: "Train on one card", link: "/train-on-one-card" },
      { text: "Beyond one machine", link: "/beyond-one-machine" },
    ],
  },
  {
    text: "Reference",
    items: [
      { text: "API", link: "/api/" },
      { text: "Wrappers and presets", link: "/wrappers" },
      { text: "Game definitions", link: "/games" },
      { text: "Learning to play", link: "/learning" },
    ],
  },
  {
    text: "Evidence",
    items: [
      { text: "Conformance", link: "/conformance" },
      { text: "Performance", link: "/performance" },
      { text: "Decisions", link: "/decisions/" },
    ],
  },
  {
    text: "Lab",
    items: [
      { text: "Training runs", link: "/lab/learning" },
      { text: "Speed trials", link: "/lab/speed" },
    ],
  },
];

export default defineConfig({
  title: "gym2600",
  description: "Atari 2600 reinforcement-learning environments for browsers, Node and Rust",
  lang: "en",
  // Any folder of a host can have the site. The page is in the folder above.
  base: "./",
  // In the page itself, because its address would depend on the folder of the document.
  head: [["link", { rel: "icon", href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
  outDir: "../www/dist/docs",
  buildEnd: ({ outDir }) => checkAnchors(outDir),
  rewrites: { "decisions/README.md": "decisions/index.md" },
  markdown: {
    config(markdown) {
      // TypeDoc's headings of constants have "_" in their anchors, where VitePress writes "-" in the links to them.
      markdown.core.ruler.before("anchor", "dashes", ({ tokens }) => {
        for (const token of tokens) {
          const anchor = token.type === "heading_open" ? token.attrGet("id") : null;
          if (anchor !== null) token.attrSet("id", anchor.replaceAll("_", "-"));
        }
      });
      // A link to a file that the site does not have becomes its text.
      markdown.core.ruler.push("elsewhere", ({ tokens }) => {
        for (const { children } of tokens) {
          let dropped = false;
          for (const token of children ?? []) {
            if (token.type === "link_open") dropped = ELSEWHERE.test(token.attrGet("href") ?? "");
            if (!dropped || !token.type.startsWith("link_")) continue;
            Object.assign(token, { type: "text", tag: "", content: "", nesting: 0 });
          }
        }
      });
    },
  },
  themeConfig: {
    nav: [
      { text: "Guide", link: "/start" },
      { text: "API", link: "/api/" },
      { text: "Demo", link: "/../", target: "_self" },
    ],
    sidebar,
    outline: [2, 3],
    search: { provider: "local" },
  },
});
