/** Starts a background worker. It plays one request, and its starter ends it. */
export function startBackground(): Worker {
  return new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
}

/** Asks a background worker for its one answer, and ends it then. */
export function askBackground<Answer>(request: unknown): Promise<Answer> {
  const worker = startBackground();
  return new Promise<Answer>((resolve, reject) => {
    worker.addEventListener("message", ({ data }: MessageEvent<Answer>) => resolve(data));
    worker.addEventListener("error", ({ message }) => reject(new Error(message || "the worker could not start")));
    worker.postMessage(request);
  }).finally(() => worker.terminate());
}
