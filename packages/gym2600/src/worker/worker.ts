/** The Web Worker's script. */

import type { WorkerReply } from "./protocol.js";
import { StayAwake } from "./stay-awake.js";
import { holdLifeLock } from "./worker-death.js";
import { noWorker, WorkerHost } from "./worker-host.js";

/** What this script uses of a dedicated worker's global scope; the DOM's types describe a page. */
interface Scope {
  postMessage(message: unknown, transfer: Transferable[]): void;
  addEventListener(type: "message" | "messageerror", listener: (event: MessageEvent) => void): void;
}

const scope = globalThis as unknown as Scope;

// A page has no use for this script: it would wait for messages that never come.
if (typeof document !== "undefined") throw noWorker();

const post = (reply: WorkerReply, transfer: Transferable[] = []) => scope.postMessage(reply, transfer);

/** Takes the lock, and says so: the page watches the lock from the first message on, so that it notices an end while games are loaded. */
const live = async (name: string) => {
  await holdLifeLock(name);
  post({ type: "alive", id: -1 });
};

const host = new WorkerHost({ post, live });

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
