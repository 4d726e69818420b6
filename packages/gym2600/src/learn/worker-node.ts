/** The worker thread's script. */

import { parentPort } from "node:worker_threads";
import type { LearnRequest } from "./protocol.js";
import { LearnHost } from "./worker-host.js";

if (parentPort === null) throw new Error("this script is for worker threads");
const port = parentPort;
const host = new LearnHost({
  post: (reply, transfer) => port.postMessage(reply, transfer as ArrayBuffer[]),
  // The thread's `exit` event reports its death.
  live: () => Promise.resolve(),
});
port.on("message", (data: unknown) => void host.message(data as LearnRequest));
