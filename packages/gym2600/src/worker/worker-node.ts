/** The worker thread's script. */

import { parentPort } from "node:worker_threads";
import { Gym2600Error } from "../errors.js";
import { StayAwake } from "./stay-awake.js";
import { WorkerHost } from "./worker-host.js";

if (parentPort === null) {
  throw new Gym2600Error(
    "bad-state",
    "gym2600/worker is the script of a worker: give its address to init({ worker }) and do not import it",
  );
}
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
