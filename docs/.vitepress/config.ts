/** The site of the documents in docs, and of the API pages that TypeDoc writes to docs/api. */

import { readFileSync } from "node:fs";
import type { DefaultTheme } from "vitepress";
import { defineConfig } from "vitepress";
import { tabsMarkdownPlugin } from "vitepress-plugin-tabs";
import { leads, MANIFEST, ownersLinks } from "./addresses.js";
import { checkAnchors } from "./anchors.js";
import { writeList } from "./offline.js";

const icon = readFileSync(new URL("../../www/public/favicon.svg", import.meta.url), "utf8");

const sidebar: DefaultTheme.SidebarItem[] = [
  {
    text: "Guide",
    items: [
      { text: "Start in five minutes", link: "/start" },
      { text: "Concepts", link: "/concepts" },
      { text: "Recipes", link: "/recipes" },
      { text: "Wrappers and presets", link: "/wrappers" },
      { text: "Game definitions", link: "/games" },
      { text: "An environment of your own ROM", link: "/own-game" },
      { text: "Games of the catalogue", link: "/catalogue/" },
      { text: "Learning to play", link: "/learning" },
    ],
  },
  {
    text: "JavaScript",
    items: [
      { text: "Bundlers and hosting", link: "/bundlers" },
      { text: "From Gymnasium to JavaScript", link: "/gymnasium" },
      { text: "Reference", link: "/api/" },
    ],
  },
  {
    text: "Python",
    items: [
      { text: "Start in Python", link: "/python/" },
      { text: "Gymnasium and Stable-Baselines3", link: "/python/gymnasium" },
      { text: "Batches", link: "/python/batches" },
      { text: "ALE's interface", link: "/python/ale" },
      { text: "TorchRL", link: "/python/torchrl" },
      { text: "Train on one card", link: "/train-on-one-card" },
      { text: "Processes, machines and Ray", link: "/beyond-one-machine" },
      { text: "Differences to the originals", link: "/python/differences" },
      { text: "Reference", link: "/python/reference" },
    ],
  },
  {
    text: "Rust",
    items: [{ text: "Which crate is for whom", link: "/rust" }],
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
  description: "Atari 2600 reinforcement-learning environments for browsers, Node, Python and Rust",
  lang: "en",
  // Any folder of a host can have the site. The page is in the folder above.
  base: "./",
  // In the page itself, because its address would depend on the folder of the document.
  head: [["link", { rel: "icon", href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
  outDir: "../www/dist/docs",
  buildEnd: ({ outDir }) => {
    checkAnchors(outDir);
    writeList(outDir);
  },
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
      markdown.use(tabsMarkdownPlugin);
      // A link to a file that the site does not have leads to the repository, or becomes its text.
      markdown.core.ruler.push("elsewhere", ({ tokens }) => {
        for (const { children } of tokens) {
          let dropped = false;
          for (const token of children ?? []) {
            if (token.type === "link_open") {
              const found = leads(token.attrGet("href") ?? "", MANIFEST);
              dropped = found !== "page" && found.to === undefined;
              if (found !== "page" && found.to !== undefined) token.attrSet("href", found.to);
            }
            if (!dropped || !token.type.startsWith("link_")) continue;
            Object.assign(token, { type: "text", tag: "", content: "", nesting: 0 });
          }
        }
      });
    },
  },
  themeConfig: {
    nav: [
      { text: "JavaScript", link: "/start" },
      { text: "Python", link: "/python/" },
      { text: "Rust", link: "/rust" },
      { text: "Demo", link: "/../", target: "_self" },
      ...ownersLinks(MANIFEST),
    ],
    sidebar,
    outline: [2, 3],
    search: { provider: "local" },
  },
});
