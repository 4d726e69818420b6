/**
 * How a worker's death is noticed, and what follows.
 *
 * A worker dies by an uncaught error, by `terminate`, or because the browser or Node ends it, for example for want of memory.
 *
 * | who | what happens |
 * |---|---|
 * | `platform-node.ts` | the thread's `exit` event reports it |
 * | `worker/browser-port.ts` | the worker's `error` event reports it, or else its Web Lock: browsers have no event for a worker that they end |
 * | `worker/worker-client.ts` | rejects all pending requests, and later ones, with `worker-died` |
 * | `vector/vector-env.ts` | `error.lanes` are the lanes at fault, `error.rest` the other lanes' results, `deadLanes` all dead lanes |
 * | `vector/revival.ts` | `revive` starts a new worker and restores the lanes' last kept states |
 * | `learn/trainer.ts` | starts new workers, restores the last checkpoint and repeats the call |
 */

/** Milliseconds that a worker may take for its first request. Browsers do not report a worker that ended before its first reply. */
export const START_LIMIT_MS = 60_000;

let workers = 0;

/** A name for a worker's lock. Locks are common to all pages of an origin, so the name has to be unique among these. */
export function uniqueWorkerName(): string {
  return `gym2600-${Date.now()}-${Math.random()}-${workers++}`;
}

/**
 * In the worker: takes the lock `name` and holds it as long as the worker lives. Resolves when it is held, or at once where there are no
 * locks: on insecure pages, and in frames without storage, such as sandboxed ones, where the request is refused.
 */
export function holdLifeLock(name: string): Promise<void> {
  return new Promise((held) => {
    // The promise that would release the lock never settles.
    const forever = () => {
      held();
      return new Promise(() => {});
    };
    if (navigator.locks === undefined) held();
    else navigator.locks.request(name, forever).catch(held);
  });
}

/**
 * In the page: calls `died` when the lock `name` becomes free. Call it after the worker's first reply, which follows
 * {@link holdLifeLock}. Where there are no locks, a worker that the browser ends is not noticed. A page from a file has locks, and does not
 * share them with its workers.
 */
export function watchDeath(name: string, signal: AbortSignal, died: (reason: string) => void): void {
  if (origin === "null") return;
  navigator.locks?.request(name, { signal }, () => died("it was ended from outside")).catch(() => {});
}
