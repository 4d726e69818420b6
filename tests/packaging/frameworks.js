/**
 * The targets of frameworks: those that build a server, and those that have a builder of pages of their own.
 *
 * Outputs of servers are copied out of their projects, so that they find no file that the build has left out.
 */

import { NEWER_NODE } from "./sources.js";

/** @typedef {import("./targets.js").Target} Target */

/** Where the output of a server is copied. @param {string} name */
const outside = (name) => `../output-${name.replaceAll(/\W+/g, "-")}`;

/** The lines that copy an output. @param {string} name @param {string} output */
const copied = (name, output) => `rm -rf ${outside(name)} && cp -r ${output} ${outside(name)}`;

/** What a page on the server shows, of the games or of the learner, as the value of an expression. */
const SHOWN = {
  games: {
    imports: 'import * as gym2600 from "gym2600";\nimport { result } from "{play}";',
    result: "await result(gym2600)",
  },
  learner: {
    imports:
      'import { wallop } from "gym2600";\nimport * as learn from "gym2600/learn";\nimport { learnerResult } from "{play}";',
    result: "await learnerResult(learn, wallop)",
  },
};

/** @typedef {keyof typeof SHOWN} Part */

/**
 * A target that a framework builds for a server: its pages, and one that the server answers with what it plays or learns itself.
 *
 * @param {string} name
 * @param {Part} part
 * @param {Omit<Target, "name">} target
 * @returns {Target}
 */
function served(name, part, target) {
  if (part === "games") return { name, ...target };
  // The pages of the framework are as those of Vite, whose targets train.
  return { ...target, name: `learner, ${name}`, learner: true, pages: { server: "/server" } };
}

/** @param {Part} part @param {string} play the address of play.js */
const imports = (part, play) => SHOWN[part].imports.replace("{play}", play);

/** A handler's answer. @param {Part} part */
const answer = (part) =>
  `new Response(\`<title>\${${SHOWN[part].result}}</title>\`, { headers: { "content-type": "text/html" } })`;

/** @param {Part} part */
const next = (part) => ({
  "app/layout.js": `export default function Layout({ children }) {
  return <html lang="en"><body>{children}</body></html>;
}
`,
  "app/client/page.js": `"use client";
import * as gym2600 from "gym2600";
import { useEffect } from "react";
import { report } from "../../play.js";

export default function Page() {
  useEffect(() => void report(gym2600), []);
  return null;
}
`,
  "app/server/page.js": `${imports(part, "../../play.js")}

export const dynamic = "force-dynamic";

export default async function Page() {
  return <title>{${SHOWN[part].result}}</title>;
}
`,
});

const NEXT_PACKAGES = { next: "16.4.6", react: "19.3.1", "react-dom": "19.3.1" };

/** @type {Target} */
const NEXT = {
  name: "next 16",
  packages: NEXT_PACKAGES,
  files: next("games"),
  build: ["next build"],
  server: "next start --port {port}",
  pages: { client: "/client", server: "/server" },
};

/**
 * Next's output for a server, with `options` of its configuration.
 *
 * @param {Part} part
 * @param {string} label
 */
function standalone(part, label, options = "") {
  const name = `next 16, standalone${label}`;
  const output = outside(`${part} ${name}`);
  return served(name, part, {
    packages: NEXT_PACKAGES,
    files: { ...next(part), "next.config.js": `export default { output: "standalone", ${options} };\n` },
    build: ["next build", `${copied(`${part} ${name}`, ".next/standalone")} && cp -r .next/static ${output}/.next`],
    server: `env PORT={port} HOSTNAME=localhost node ${output}/server.js`,
    pages: { client: "/client", server: "/server" },
  });
}

/** A runtime that reads no file and compiles no bytes. @type {Target} */
const NEXT_EDGE = {
  name: "next 16, edge runtime",
  packages: NEXT_PACKAGES,
  files: {
    ...NEXT.files,
    "app/edge/route.js": `${imports("games", "../../play.js")}

export const runtime = "edge";

export const GET = async () => ${answer("games")};
`,
  },
  build: ["next build"],
  server: "next start --port {port}",
  pages: { edge: "/edge" },
  refusal: /^Gym2600Error wasm-failed: .*does not run in edge runtimes: use that of Node/,
};

/** A page of Nuxt. @param {string} year the year of its defaults @param {string} folder */
const nuxtPage = (year, folder) => ({
  "nuxt.config.js": `export default defineNuxtConfig({ compatibilityDate: "${year}-01-01" });\n`,
  [`${folder}/app.vue`]: `<script setup>
import * as gym2600 from "gym2600";
import { onMounted } from "vue";
import { report } from "${folder === "." ? "." : ".."}/play.js";

onMounted(() => report(gym2600));
</script>

<template><div></div></template>
`,
});

/** A page, and a route of the server, which Nitro builds. @param {Part} part */
const nuxtFiles = (part) => ({
  ...nuxtPage("2026", "app"),
  "server/routes/server.get.js": `${imports(part, "../../play.js")}

export default defineEventHandler(async (event) => {
  setHeader(event, "content-type", "text/html");
  return \`<title>\${${SHOWN[part].result}}</title>\`;
});
`,
});

/** @param {Part} part */
function nuxt(part) {
  const name = "nuxt 4";
  return served(name, part, {
    packages: { nuxt: "4.5.2" },
    node: NEWER_NODE,
    files: nuxtFiles(part),
    build: ["nuxt build", copied(`${part} ${name}`, ".output")],
    server: `env PORT={port} node ${outside(`${part} ${name}`)}/server/index.mjs`,
    pages: { client: "", server: "/server" },
  });
}

/** Its development server, whose Vite has its cache in a folder of its own. @type {Target} */
const NUXT_3 = {
  name: "nuxt 3 dev",
  packages: { nuxt: "3.21.11" },
  node: NEWER_NODE,
  files: nuxtPage("2025", "."),
  server: "nuxt dev --port {port}",
};

/** Nitro answers with an `index.html` where there is one. */
const NO_PAGE = { "index.html": null };

/** @param {Part} part */
const tanstackFiles = (part) => ({
  ...NO_PAGE,
  "vite.config.js": `import { tanstackStart } from "@tanstack/react-start/plugin/vite";
import react from "@vitejs/plugin-react";
import { nitro } from "nitro/vite";

export default { plugins: [tanstackStart(), nitro({ traceDeps: ["gym2600"] }), react()] };
`,
  "src/router.jsx": `import { createRouter } from "@tanstack/react-router";
import { routeTree } from "./routeTree.gen";

export const getRouter = () => createRouter({ routeTree });
`,
  "src/routes/__root.jsx": `import { createRootRoute, HeadContent, Outlet, Scripts } from "@tanstack/react-router";

export const Route = createRootRoute({
  component: () => <html lang="en"><head><HeadContent /></head><body><Outlet /><Scripts /></body></html>,
});
`,
  "src/routes/index.jsx": `import { createFileRoute } from "@tanstack/react-router";
import * as gym2600 from "gym2600";
import { useEffect } from "react";
import { report } from "../../play.js";

export const Route = createFileRoute("/")({ component: Page });

function Page() {
  useEffect(() => void report(gym2600), []);
  return null;
}
`,
  "src/routes/server.jsx": `import { createFileRoute } from "@tanstack/react-router";
${imports(part, "../../play.js")}

export const Route = createFileRoute("/server")({
  server: { handlers: { GET: async () => ${answer(part)} } },
});
`,
});

/** @param {Part} part */
function tanstack(part) {
  const name = "tanstack start";
  return served(name, part, {
    packages: {
      "@tanstack/react-start": "1.169.5",
      "@tanstack/react-router": "1.170.46",
      "@vitejs/plugin-react": "6.3.0",
      nitro: "3.0.260903-beta",
      react: "19.3.1",
      "react-dom": "19.3.1",
      vite: "8.3.8",
    },
    node: NEWER_NODE,
    files: tanstackFiles(part),
    build: ["vite build", copied(`${part} ${name}`, ".output")],
    server: `env PORT={port} node ${outside(`${part} ${name}`)}/server/index.mjs`,
    pages: { client: "", server: "/server" },
  });
}

/** @param {Part} part */
const solidFiles = (part) => ({
  ...NO_PAGE,
  "vite.config.js": `import { solidStart } from "@solidjs/start/config";
import { nitro } from "nitro/vite";

export default { plugins: [solidStart(), nitro({ traceDeps: ["gym2600"] })] };
`,
  "src/app.jsx": `import * as gym2600 from "gym2600";
import { onMount } from "solid-js";
import { report } from "../play.js";

export default function App() {
  onMount(() => report(gym2600));
  return <div></div>;
}
`,
  "src/entry-client.jsx": `import { mount, StartClient } from "@solidjs/start/client";

mount(() => <StartClient />, document.getElementById("app"));
`,
  "src/entry-server.jsx": `import { createHandler, StartServer } from "@solidjs/start/server";

const Page = ({ assets, children, scripts }) => (
  <html lang="en"><head>{assets}</head><body><div id="app">{children}</div>{scripts}</body></html>
);

export default createHandler(() => <StartServer document={Page} />);
`,
  "src/routes/server.js": `${imports(part, "../../play.js")}

export const GET = async () => ${answer(part)};
`,
});

const SOLID_PACKAGES = {
  "@solidjs/start": "2.0.5",
  nitro: "3.0.260903-beta",
  "solid-js": "1.9.20",
  vite: "8.3.8",
};

/** @param {Part} part */
function solid(part) {
  const name = "solidstart 2";
  return served(name, part, {
    packages: SOLID_PACKAGES,
    node: NEWER_NODE,
    files: solidFiles(part),
    build: ["vite build", copied(`${part} ${name}`, ".output")],
    server: `env PORT={port} node ${outside(`${part} ${name}`)}/server/index.mjs`,
    pages: { client: "", server: "/server" },
  });
}

/** @type {Target} */
const SOLID_DEV = {
  name: "solidstart 2 dev",
  packages: SOLID_PACKAGES,
  node: NEWER_NODE,
  files: solidFiles("games"),
  server: "vite dev --port {port} --strictPort",
  pages: { client: "", server: "/server" },
};

/** @type {readonly Target[]} */
export const FRAMEWORKS = [
  NEXT,
  NEXT_EDGE,
  standalone("games", ""),
  standalone("games", ", external", 'serverExternalPackages: ["gym2600"]'),
  standalone("learner", ""),
  standalone("learner", ", external", 'serverExternalPackages: ["gym2600"]'),
  nuxt("games"),
  nuxt("learner"),
  NUXT_3,
  tanstack("games"),
  tanstack("learner"),
  solid("games"),
  solid("learner"),
  SOLID_DEV,
];
