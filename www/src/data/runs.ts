/**
 * The training runs that the browser keeps, so that a reload or a crash of the tab loses little. In an IndexedDB database of their own,
 * because a run is kept whether or not ROMs and settings are remembered.
 *
 * A run belongs to the tab that holds its Web Lock. Only that tab writes it, and the browser frees the lock when the tab ends.
 */

import type { Row, SavedCurve } from "../state/curve.js";
import type { Cartridge, Setup } from "../state/setup.js";

const DATABASE = "gym2600-runs";
/** What is listed of a run, by its id; and its large parts, by its id and a name or a number. */
const RUNS = "runs";
const PARTS = "parts";
const CHECKPOINT = "checkpoint";

/** Runs that are kept without a tab. The oldest are dropped. */
const MOST_RUNS = 8;

/** What is listed of a kept run. */
export interface KeptRun {
  readonly id: string;
  /** When it was last written, in milliseconds since 1970. */
  readonly written: number;
  readonly title: string;
  readonly cartridge: Cartridge;
  readonly setup: Setup;
  /** Its time of training. */
  readonly milliseconds: number;
  readonly curve: SavedCurve;
}

/** A kept run with what it needs to go on. */
export interface TakenRun {
  readonly run: KeptRun;
  readonly checkpoint: Uint8Array;
  /** The updates that Data exports. */
  readonly rows: readonly Row[];
  readonly keeper: RunKeeper;
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => {
      for (const name of [RUNS, PARTS]) request.result.createObjectStore(name);
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** One transaction. `act` makes its requests; what it returns is called for the result when all of them are done. */
async function transact<T>(
  mode: IDBTransactionMode,
  act: (runs: IDBObjectStore, parts: IDBObjectStore) => () => T,
): Promise<T> {
  const database = await open();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction([RUNS, PARTS], mode);
      const result = act(transaction.objectStore(RUNS), transaction.objectStore(PARTS));
      transaction.oncomplete = () => resolve(result());
      // A storage that is full aborts the whole: what was kept before stays.
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}

/** All parts of a run. An array sorts after texts and numbers. */
function partsOf(id: string): IDBKeyRange {
  return IDBKeyRange.bound([id], [id, []]);
}

function remove(ids: readonly string[]): Promise<void> {
  return transact("readwrite", (runs, parts) => {
    for (const id of ids) {
      runs.delete(id);
      parts.delete(partsOf(id));
    }
    return () => undefined;
  });
}

const lockOf = (id: string): string => `${DATABASE} ${id}`;

/** Holds a run's lock until the returned function is called; undefined if another tab has it. */
function hold(id: string): Promise<(() => void) | undefined> {
  return new Promise((resolve, reject) => {
    navigator.locks
      .request(lockOf(id), { ifAvailable: true }, (lock) => {
        if (lock === null) return resolve(undefined);
        return new Promise<void>((release) => resolve(release));
      })
      .catch(reject);
  });
}

async function exists(): Promise<boolean> {
  return (await indexedDB.databases()).some(({ name }) => name === DATABASE);
}

/** The runs that no tab holds, the newest first. Opens nothing in a browser that keeps none. */
export async function keptRuns(): Promise<readonly KeptRun[]> {
  if (!(await exists())) return [];
  const all = await transact("readonly", (runs) => {
    const request: IDBRequest<KeptRun[]> = runs.getAll();
    return () => request.result;
  });
  const held = new Set((await navigator.locks.query()).held?.map(({ name }) => name));
  const free = all.filter(({ id }) => !held.has(lockOf(id))).sort((a, b) => b.written - a.written);
  const old = free.splice(MOST_RUNS);
  if (old.length > 0) await remove(old.map(({ id }) => id));
  return free;
}

/** Takes a run to go on with it in this tab; undefined if another tab has it, or it is gone. */
export async function takeRun(id: string): Promise<TakenRun | undefined> {
  const release = await hold(id);
  if (release === undefined) return undefined;
  try {
    const [run, checkpoint, rows] = await transact("readonly", (runs, parts) => {
      const found: IDBRequest<KeptRun | undefined> = runs.get(id);
      const bytes: IDBRequest<Uint8Array | undefined> = parts.get([id, CHECKPOINT]);
      const lists: IDBRequest<Row[][]> = parts.getAll(IDBKeyRange.bound([id, 0], [id, Number.POSITIVE_INFINITY]));
      return () => [found.result, bytes.result, lists.result.flat()] as const;
    });
    if (run !== undefined && checkpoint !== undefined) {
      return { run, checkpoint, rows, keeper: new RunKeeper(id, release, rows.at(-1)?.update ?? 0) };
    }
  } catch (error) {
    release();
    throw error;
  }
  release();
  return undefined;
}

/** Deletes a run that no tab holds. */
export async function forgetRun(id: string): Promise<void> {
  const release = await hold(id);
  if (release !== undefined) await remove([id]).finally(release);
}

/** Deletes all runs that no tab holds, and the database with the last. */
export async function forgetRuns(): Promise<void> {
  if (!(await exists())) return;
  const free = await keptRuns();
  await remove(free.map(({ id }) => id));
  const left = await transact("readonly", (runs) => {
    const request = runs.count();
    return () => request.result;
  });
  if (left > 0) return;
  await new Promise<void>((resolve, reject) => {
    const request = indexedDB.deleteDatabase(DATABASE);
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error);
  });
}

/** Keeps the run of this tab. */
export class RunKeeper {
  readonly #id: string;
  /** Leaves the run to other tabs and later visits, without another write. */
  readonly release: () => void;
  /** The last update whose row is written. */
  #written: number;
  #queue: Promise<unknown> = Promise.resolve();
  #ended = false;

  constructor(id: string, release: () => void, written: number) {
    this.#id = id;
    this.release = release;
    this.#written = written;
  }

  /** A keeper of a new run. Nothing is written before its first checkpoint. */
  static async start(): Promise<RunKeeper> {
    // Browsers give neither to a page without TLS.
    if (navigator.locks === undefined) throw new Error("a page without https has no locks");
    const id = crypto.randomUUID();
    const release = await hold(id);
    if (release === undefined) throw new Error("another tab has the lock of the run");
    return new RunKeeper(id, release, 0);
  }

  /** Writes the run as it is at a checkpoint. `rows` are those that are left of all updates. */
  keep(run: Omit<KeptRun, "id" | "written">, checkpoint: Uint8Array, rows: readonly Row[]): Promise<void> {
    const listed: KeptRun = { ...run, id: this.#id, written: Date.now() };
    const [first, last] = [rows[0]?.update ?? 0, rows.at(-1)?.update ?? 0];
    return this.#inTurn(async () => {
      if (this.#ended) return;
      const fresh = rows.filter(({ update }) => update > this.#written);
      await transact("readwrite", (runs, parts) => {
        runs.put(listed, this.#id);
        parts.put(checkpoint, [this.#id, CHECKPOINT]);
        // Each part is named by its last update.
        if (fresh.length > 0) parts.put(fresh, [this.#id, last]);
        parts.delete(IDBKeyRange.bound([this.#id, 0], [this.#id, first], false, true));
        return () => undefined;
      });
      this.#written = last;
    });
  }

  /** Deletes the run: it has ended, or is to be forgotten. Idempotent. */
  async end(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    await this.#inTurn(async () => {
      try {
        if (await exists()) await remove([this.#id]);
      } finally {
        this.release();
      }
    });
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(act);
    this.#queue = done.catch(() => undefined);
    return done;
  }
}
