/**
 * Keeps the page's own files, so that its second visit needs no network. It keeps nothing of other origins, and no ROM: a ROM is
 * never fetched.
 *
 * Versions never mix. A version is kept only if every file is the build's own. It serves the pages that it has opened and no others, and
 * takes the place of the version before when no page of that is left, or when the only one asks for it and loads itself again.
 */

/** The files and a version of them; the build writes both. */
declare const __PRECACHE__: {
  readonly version: string;
  /** Addresses, each with the digest of its file. */
  readonly files: readonly (readonly [file: string, integrity: string])[];
};

// TypeScript's types for pages do not have those of service workers.
interface ExtendableEvent extends Event {
  waitUntil(promise: Promise<unknown>): void;
}
interface FetchEvent extends ExtendableEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}
interface MessageEventWithPort extends ExtendableEvent {
  readonly data: unknown;
  readonly ports: readonly MessagePort[];
}
const scope = self as unknown as {
  readonly registration: { readonly scope: string };
  readonly clients: {
    matchAll(options: { type: "window"; includeUncontrolled: boolean }): Promise<readonly unknown[]>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", listener: (event: ExtendableEvent) => void): void;
  addEventListener(type: "fetch", listener: (event: FetchEvent) => void): void;
  addEventListener(type: "message", listener: (event: MessageEventWithPort) => void): void;
};

// Another copy of the page may be served from another path of the same origin.
const PREFIX = `gym2600 ${scope.registration.scope} `;
// The build writes the list in place of its name.
const { version, files } = __PRECACHE__;
const CACHE = `${PREFIX}${version}`;

scope.addEventListener("install", (event) => {
  // The HTTP cache may have files of the version before, and the host may be about to change them.
  const requests = files.map(([file, integrity]) => new Request(file, { cache: "reload", integrity }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(requests)));
});

scope.addEventListener("activate", (event) => {
  event.waitUntil(dropOld());
});

scope.addEventListener("message", (event) => {
  if (event.data === "use") event.waitUntil(use(event.ports[0]));
});

/** Takes the place of the version before, and answers whether it does: other pages still run on that. */
async function use(port: MessagePort | undefined): Promise<void> {
  const pages = await scope.clients.matchAll({ type: "window", includeUncontrolled: true });
  const alone = pages.length <= 1;
  port?.postMessage(alone);
  if (alone) await scope.skipWaiting();
}

async function dropOld(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)),
  );
}

scope.addEventListener("fetch", (event) => {
  const { request } = event;
  const root = scope.registration.scope;
  if (request.method !== "GET" || !request.url.startsWith(root)) return;
  // The documents are a site of their own, which needs the network.
  if (request.url.startsWith(`${root}docs/`)) return;
  event.respondWith(answer(request));
});

async function answer(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  const page = request.mode === "navigate" ? "./index.html" : request;
  return (await cache.match(page, { ignoreSearch: request.mode === "navigate" })) ?? fetch(request);
}
