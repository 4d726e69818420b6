/** What the browser remembers, if the person wants it: ROMs, settings, and a saved state of each game. In IndexedDB. */

import type { SavedGame } from "../show/types.js";
import type { Cartridge, Setup } from "../state/setup.js";

const DATABASE = "gym2600";
const STORES = ["cartridges", "settings", "states"] as const;

type StoreName = (typeof STORES)[number];

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => {
      for (const name of STORES) request.result.createObjectStore(name);
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

let queue: Promise<unknown> = Promise.resolve();

/**
 * Does one thing after the other. Whatever opens the database goes through here and asks first whether it is still wanted: opening
 * creates it again after it has been deleted.
 */
export function inTurn<T>(act: () => Promise<T>): Promise<T> {
  const done = queue.then(act);
  queue = done.catch(() => undefined);
  return done;
}

async function use<T>(
  name: StoreName,
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const database = await open();
  try {
    return await new Promise((resolve, reject) => {
      const request = act(database.transaction(name, mode).objectStore(name));
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  } finally {
    database.close();
  }
}

/** Whether the person wanted to be remembered. Asks nothing of a browser that has no database yet. */
export async function isRemembered(): Promise<boolean> {
  const databases = await indexedDB.databases?.().catch(() => []);
  return databases?.some(({ name }) => name === DATABASE) ?? false;
}

export async function keepCartridge(title: string, cartridge: Cartridge): Promise<void> {
  await use("cartridges", "readwrite", (store) => store.put(cartridge, title));
}

/** The remembered cartridges by title. */
export async function cartridges(): Promise<ReadonlyMap<string, Cartridge>> {
  const [titles, kept] = await Promise.all([
    use("cartridges", "readonly", (store) => store.getAllKeys()),
    use("cartridges", "readonly", (store) => store.getAll() as IDBRequest<Cartridge[]>),
  ]);
  return new Map(kept.map((cartridge, at) => [String(titles[at]), cartridge]));
}

/** The last setup and the title of its game. */
export interface LastPlayed {
  readonly setup: Setup;
  readonly title: string;
}

export async function keepLast(last: LastPlayed): Promise<void> {
  await use("settings", "readwrite", (store) => store.put(last, "last"));
}

export function lastPlayed(): Promise<LastPlayed | undefined> {
  return use("settings", "readonly", (store) => store.get("last") as IDBRequest<LastPlayed | undefined>);
}

export async function keepState(key: string, state: SavedGame): Promise<void> {
  await use("states", "readwrite", (store) => store.put(state, key));
}

export function stateOf(key: string): Promise<SavedGame | undefined> {
  return use("states", "readonly", (store) => store.get(key) as IDBRequest<SavedGame | undefined>);
}

/** Deletes everything. */
export function forget(): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(DATABASE);
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error);
  });
}
