/** The Web Worker's script. */

import { holdLifeLock } from "../worker/worker-death.js";
import type { LearnRequest } from "./protocol.js";
import { LearnHost } from "./worker-host.js";

/** What this script uses of a dedicated worker's global scope; the DOM's types describe a page. */
interface Scope {
  postMessage(message: unknown, transfer: Transferable[]): void;
  addEventListener(type: "message", listener: (event: MessageEvent) => void): void;
}

const scope = globalThis as unknown as Scope;
const host = new LearnHost({ post: (reply, transfer) => scope.postMessage(reply, transfer), live: holdLifeLock });
scope.addEventListener("message", ({ data }) => void host.message(data as LearnRequest));
