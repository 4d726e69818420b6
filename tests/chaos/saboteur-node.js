/**
 * Loaded into every worker thread before the package's own script (`node --import`). Where a message asks for it, ends the
 * thread from inside, each kind in its own way.
 */

import { isMainThread, parentPort } from "node:worker_threads";
import { beginRequest, TRAP_SABOTAGES } from "./trap.js";

const SABOTAGES = {
  exit: () => process.exit(3),
  throw: () => {
    throw new Error("thrown by the saboteur");
  },
  // Anything can be thrown.
  throwNull: () => {
    throw null;
  },
  reject: () => void Promise.reject(new Error("rejected by the saboteur")),
  ...TRAP_SABOTAGES,
  memory: () => {
    for (const kept = []; ; ) kept.push(new Array(1000).fill(kept.length));
  },
};

if (!isMainThread && parentPort !== null) {
  const listen = parentPort.on.bind(parentPort);
  parentPort.on = (event, listener) =>
    listen(event, (data) => {
      const sabotage = event === "message" ? SABOTAGES[data?.sabotage] : undefined;
      if (sabotage !== undefined) return sabotage(data.after);
      beginRequest();
      listener(data);
    });
}
