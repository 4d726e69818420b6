/** Where a page finds the files of the package. */

import { workerOfText } from "./worker/browser-port.js";

/** The address of a file of the package. The optimizer of Vite 6 and 7 moves the package's modules, and not the files beside them. */
export function unmoved(address: URL): URL {
  const path = address.pathname
    .replace("/node_modules/.vite/wasm", "/node_modules/gym2600/wasm")
    .replace("/node_modules/.vite/deps/", "/node_modules/gym2600/dist/");
  return path === address.pathname ? address : new URL(path, address);
}

/**
 * A worker with this script, if it cannot be started from its address. Browsers start workers from scripts of the page's own origin only;
 * such a script may import one of another origin. A sandboxed frame has no origin that any address has, whatever `location` says.
 */
export function foreignWorker(script: URL): Worker | undefined {
  if (script.origin === origin || !/^http/.test(script.protocol)) return undefined;
  return workerOfText(`import ${JSON.stringify(script.href)};`);
}
