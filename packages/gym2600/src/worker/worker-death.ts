/**
 * How a worker's death is noticed, and what follows.
 *
 * A worker dies by an uncaught error, by `terminate`, or because the browser or Node ends it, for example for want of memory.
 *
 * | who | what happens |
 * |---|---|
 * | `platform-node.ts` | the thread's `exit` event reports it |
 * | `platform-browser.ts` | the worker's `error` event reports it, or else its Web Lock: browsers have no event for a worker that they end |
 * | `worker/worker-client.ts` | rejects all pending requests, and later ones, with `worker-died` |
 * | `vector/vector-env.ts` | names the lanes at fault in `error.lanes`, gives the other lanes' results in `error.rest`, and lists the lanes in `deadLanes` |
 * | `vector/revival.ts` | `revive` starts a new worker and restores the lanes' last kept states |
 */

let workers = 0;

/** A name for a worker's lock. Locks are common to all pages of an origin, so the name has to be unique among these. */
export function uniqueWorkerName(): string {
  return `gym2600-${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}-${workers++}`;
}

/** In the worker: takes the lock `name` and holds it as long as the worker lives. Settles when it is held. */
export function holdLifeLock(name: string): Promise<void> {
  return new Promise((held) => {
    if (navigator.locks === undefined) {
      held();
      return;
    }
    // The promise that would release the lock never settles.
    const forever = () => {
      held();
      return new Promise<void>(() => undefined);
    };
    void navigator.locks.request(name, forever);
  });
}

/**
 * In the page: calls `died` when the lock `name` becomes free. Call it after the worker's first reply, which follows
 * {@link holdLifeLock}. Insecure pages have no locks; a worker that the browser ends is not noticed there.
 */
export function watchDeath(name: string, signal: AbortSignal, died: (reason: string) => void): void {
  navigator.locks?.request(name, { signal }, () => died("it was ended from outside")).catch(() => undefined);
}
