/** Starts a background worker. It plays one request, and its starter ends it. */
export function startBackground(): Worker {
  return new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
}
