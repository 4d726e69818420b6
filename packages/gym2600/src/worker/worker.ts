/** The Web Worker's script. */

import { StayAwake } from "./stay-awake.js";
import { holdLifeLock } from "./worker-death.js";
import { WorkerHost } from "./worker-host.js";

/** What this script uses of a dedicated worker's global scope; the DOM's types describe a page. */
interface Scope {
  postMessage(message: unknown, transfer: Transferable[]): void;
  addEventListener(type: "message" | "messageerror", listener: (event: MessageEvent) => void): void;
}

const scope = globalThis as unknown as Scope;

const host = new WorkerHost({ post: (reply, transfer) => scope.postMessage(reply, transfer), live: holdLifeLock });

// A message to this thread arrives after the messages that are already queued and, unlike a timer, without delay.
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
