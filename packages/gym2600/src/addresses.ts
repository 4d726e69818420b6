/** Where a page finds the files of the package. */

import { workerOfText } from "./worker/browser-port.js";

/**
 * A folder below `node_modules` in which Vite 6 and 7 keep what they optimise: `.vite`, or one that a framework has chosen, such as
 * `.cache/vite/client` of Nuxt 3. Package managers have folders with a dot too, and packages in a `node_modules` below those.
 */
const OPTIMISED = /(\/node_modules\/)\.(?:(?!\/node_modules\/).)+\/(?=(?:deps|wasm|wasm-learn|wasm-learn-gpu)\/[^/]+$)/;

/** The address of a file of the package. The optimizer of Vite 6 and 7 moves the package's modules, and not the files beside them. */
export function unmoved(address: URL): URL {
  if (!OPTIMISED.test(address.pathname)) return address;
  const path = address.pathname.replace(OPTIMISED, "$1gym2600/").replace("/gym2600/deps/", "/gym2600/dist/");
  return new URL(path, address);
}

/**
 * A worker with the script at an address. Browsers start workers from scripts of the page's own origin only; such a script may import one of
 * another origin. A sandboxed frame has no origin that any address has, whatever `location` says.
 */
export function workerAt(script: URL): Worker {
  const isForeign = script.origin !== origin && /^http/.test(script.protocol);
  return isForeign ? workerOfText(`import ${JSON.stringify(script.href)};`) : new Worker(script, { type: "module" });
}
