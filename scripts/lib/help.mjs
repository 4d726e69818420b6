// Import this first in a script of Node: with --help it prints the head of the script, which describes it, and ends.

import { readFileSync } from "node:fs";

if (process.argv.includes("--help")) {
  const [head] = readFileSync(process.argv[1], "utf8").split(/\n(?!\/\/)/, 1);
  console.log(head.replaceAll(/^\/\/ ?/gm, ""));
  process.exit(0);
}
