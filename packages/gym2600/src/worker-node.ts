/** The worker thread's script. */

import { parentPort } from "node:worker_threads";
import { Lookout } from "./lookout.js";
import { WorkerHost } from "./worker-host.js";

if (parentPort === null) throw new Error("this script is for worker threads");
const port = parentPort;

const host = new WorkerHost({
  post: (reply, transfer) => port.postMessage(reply, transfer),
  // A thread's end is told by its exit event.
  live: () => Promise.resolve(),
});

const lookout = new Lookout(setImmediate);

port.on("message", (data: unknown) => {
  lookout.asked(data);
  host.message(data);
  lookout.answered();
});
port.on("messageerror", () => host.messageError());
