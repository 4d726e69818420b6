/**
 * Keeps the page's own files, so that its second visit needs no network. It keeps nothing of other origins, and no ROM: a ROM is
 * never fetched.
 */

/** The files and a version of them; the build writes both. */
declare const __PRECACHE__: { readonly version: string; readonly files: readonly string[] };

// TypeScript's types for pages do not have those of service workers.
interface ExtendableEvent extends Event {
  waitUntil(promise: Promise<unknown>): void;
}
interface FetchEvent extends ExtendableEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}
const scope = self as unknown as {
  readonly registration: { readonly scope: string };
  readonly clients: { claim(): Promise<void> };
  addEventListener(type: "install" | "activate", listener: (event: ExtendableEvent) => void): void;
  addEventListener(type: "fetch", listener: (event: FetchEvent) => void): void;
};

// Another copy of the page may be served from another path of the same origin.
const PREFIX = `gym2600 ${scope.registration.scope} `;
const CACHE = `${PREFIX}${__PRECACHE__.version}`;

scope.addEventListener("install", (event) => {
  // The HTTP cache may have files of the version before.
  const files = __PRECACHE__.files.map((file) => new Request(file, { cache: "reload" }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(files)));
});

scope.addEventListener("activate", (event) => {
  event.waitUntil(dropOld().then(() => scope.clients.claim()));
});

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
