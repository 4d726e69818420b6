/** The service worker: keeps the page's files, and tells of a new version, which the person may have at once. */

import * as store from "../state/store.js";

/** Has the page's files kept. */
export async function keepFiles(): Promise<void> {
  const registration = await navigator.serviceWorker?.register(new URL("./service-worker.js", document.baseURI));
  if (registration === undefined) return;
  follow(registration, registration.installing);
  registration.addEventListener("updatefound", () => follow(registration, registration.installing));
  if (registration.waiting !== null) tell(registration.waiting);
  (await navigator.serviceWorker.ready).active?.postMessage("documents");
}

function follow({ active }: ServiceWorkerRegistration, installing: ServiceWorker | null): void {
  // The first version has no page of another one to wait for.
  if (active === null) return;
  installing?.addEventListener("statechange", () => {
    if (installing.state === "installed") tell(installing);
  });
}

/** Tells of a version that waits, when no other message stands. */
function tell(worker: ServiceWorker): void {
  const stop = store.message.subscribe((standing) => {
    if (standing !== undefined) return;
    queueMicrotask(() => {
      stop();
      if (worker.state === "installed" && store.message.value === undefined) show(worker, "");
    });
  });
}

function show(worker: ServiceWorker, refusal: string): void {
  const run = store.trains.value ? " It offers to go on with your run." : "";
  store.message.value = {
    kind: "note",
    headline: "There is a new version of this page.",
    detail: refusal === "" ? `This tab stays with its own until you change.${run}` : refusal,
    actions: [{ label: "Load the new version", act: () => void use(worker) }],
  };
}

/** Loads the page again by the new version. With another tab open the version before stays, so that no tab has files of two. */
async function use(worker: ServiceWorker): Promise<void> {
  store.message.value = undefined;
  const { port1, port2 } = new MessageChannel();
  const alone = await new Promise((resolve) => {
    port1.addEventListener("message", ({ data }) => resolve(data));
    port1.start();
    worker.addEventListener("statechange", () => {
      if (worker.state === "activated") location.reload();
    });
    worker.postMessage("use", [port2]);
  });
  port1.close();
  if (alone !== true) show(worker, "Another tab has this page open, too. Close it first.");
}
