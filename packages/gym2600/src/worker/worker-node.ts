/** The worker thread's script. */

import { parentPort } from "node:worker_threads";
import { StayAwake } from "./stay-awake.js";
import { noWorker, WorkerHost } from "./worker-host.js";

if (parentPort === null) throw noWorker();
const port = parentPort;

const host = new WorkerHost({
  post: (reply, transfer) => port.postMessage(reply, transfer),
  // The thread's `exit` event reports its death.
  live: () => Promise.resolve(),
});

const stayAwake = new StayAwake(setImmediate);

port.on("message", (data: unknown) => {
  stayAwake.asked(data);
  host.message(data);
  stayAwake.answered();
});
port.on("messageerror", () => host.messageError());
