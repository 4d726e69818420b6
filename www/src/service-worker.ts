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

/** The site of the documents in the page's folder, which not every host has, and the caches of its versions. */
const DOCUMENTS = `${scope.registration.scope}docs/`;
const DOCUMENTS_PREFIX = `${PREFIX}documents `;

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
  if (event.data === "documents") event.waitUntil(keepDocuments());
});

/** Keeps the present version of the documents, all of its files or none, in place of the one before. */
async function keepDocuments(): Promise<void> {
  const response = await fetch(`${DOCUMENTS}files.json`, { cache: "no-cache" }).catch(() => undefined);
  if (!response?.ok) return;
  const list = (await response.json()) as { readonly version: string; readonly files: readonly string[] };
  const name = `${DOCUMENTS_PREFIX}${list.version}`;
  const kept = await caches.open(name);
  if ((await kept.keys()).length > 0) return;
  // All of them or none.
  await kept.addAll(list.files.map((file) => new Request(`${DOCUMENTS}${file}`, { cache: "no-cache" })));
  const others = (await caches.keys()).filter((other) => other.startsWith(DOCUMENTS_PREFIX) && other !== name);
  await Promise.all(others.map((other) => caches.delete(other)));
}

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
    names
      .filter((name) => name.startsWith(PREFIX) && name !== CACHE && !name.startsWith(DOCUMENTS_PREFIX))
      .map((name) => caches.delete(name)),
  );
}

scope.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(scope.registration.scope)) return;
  event.respondWith(request.url.startsWith(DOCUMENTS) ? answerDocument(request) : answer(request));
});

/** A document from the network, because it may be newer than the page, or as it is kept. */
async function answerDocument(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const address = new URL(request.url);
    if (address.pathname.endsWith("/")) address.pathname += "index.html";
    for (const name of await caches.keys()) {
      if (!name.startsWith(DOCUMENTS_PREFIX)) continue;
      const kept = await (await caches.open(name)).match(address.href, { ignoreSearch: true, ignoreVary: true });
      if (kept !== undefined) return kept;
    }
    throw error;
  }
}

async function answer(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  const page = request.mode === "navigate" ? "./index.html" : request;
  // A host may say that its files vary with the origin, of which there is one.
  return (await cache.match(page, { ignoreSearch: request.mode === "navigate", ignoreVary: true })) ?? fetch(request);
}
