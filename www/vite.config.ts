import { defineConfig } from "vite";

export default defineConfig({
  // Relative addresses, so that the built page works in any folder.
  base: "./",
  build: {
    target: "es2023",
    // No inlined assets: the page's content security policy forbids `data:` requests.
    assetsInlineLimit: 0,
  },
  worker: { format: "es" },
});
