/** The Web Worker's script. */

import { StayAwake } from "./stay-awake.js";
import { WorkerHost } from "./worker-host.js";

/** What this script uses of a dedicated worker's global scope, whose types exclude those of a page. */
interface Scope {
  postMessage(message: unknown, transfer: Transferable[]): void;
  addEventListener(type: "message" | "messageerror", listener: (event: MessageEvent) => void): void;
}

const scope = globalThis as unknown as Scope;

const host = new WorkerHost({
  post: (reply, transfer) => scope.postMessage(reply, transfer),
  live: (name) =>
    new Promise((held) => {
      // The lock is held until this worker ends: the promise that would give it back never settles.
      const forever = () => {
        held();
        return new Promise<void>(() => undefined);
      };
      if (navigator.locks === undefined) held();
      else void navigator.locks.request(name, forever);
    }),
});

// A message to oneself comes behind those that have come already, and unlike a timer at once.
const { port1: inbox, port2: outbox } = new MessageChannel();
const stayAwake = new StayAwake((then) => {
  inbox.onmessage = then;
  outbox.postMessage(undefined);
});

scope.addEventListener("message", ({ data }) => {
  stayAwake.asked(data);
  host.message(data);
  stayAwake.answered();
});
scope.addEventListener("messageerror", () => host.messageError());
