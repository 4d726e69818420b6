import { defineConfig } from "vite";

export default defineConfig({
  // Relative addresses, so that the built page works from any folder of any host.
  base: "./",
  build: {
    target: "es2023",
    // Every asset stays a file of its own: the page's content security policy forbids `data:` requests.
    assetsInlineLimit: 0,
  },
  worker: { format: "es" },
});
