/** What the browser remembers, if the person wants it: ROMs, settings, and saved states. In IndexedDB. */

import type { Speed } from "../show/protocol.js";
import type { Player, SavedGame } from "../show/types.js";
import type { Cartridge, Setup } from "../state/setup.js";

const DATABASE = "gym2600";
const STORES = ["cartridges", "settings", "states"] as const;

type StoreName = (typeof STORES)[number];

/** A remembered cartridge. */
export interface Kept {
  /** Its ROM and description, as `store.cartridgeKey` writes them. */
  readonly key: string;
  readonly title: string;
  readonly cartridge: Cartridge;
}

/** What was played last. */
export interface LastPlayed {
  /** The cartridge's key. */
  readonly key: string;
  readonly setup: Setup;
}

/** How the person watches and listens. */
export interface Manner {
  readonly player: Player;
  /** The shipped policy. */
  readonly policy: 0 | 1 | 2;
  readonly speed: Speed;
  readonly saliency: boolean;
  readonly volume: number;
}

export interface Remembered {
  readonly kept: readonly Kept[];
  readonly manner: Manner | undefined;
  readonly last: LastPlayed | undefined;
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    // Version 1 had titles as keys. Its contents are dropped.
    const request = indexedDB.open(DATABASE, 2);
    request.onupgradeneeded = () => {
      const { result } = request;
      for (const name of STORES) {
        if (result.objectStoreNames.contains(name)) result.deleteObjectStore(name);
        result.createObjectStore(name);
      }
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

let queue: Promise<unknown> = Promise.resolve();
/** Counts how often everything has been forgotten. */
let forgotten = 0;

function enqueue<T>(act: () => Promise<T>): Promise<T> {
  const done = queue.then(act);
  queue = done.catch(() => undefined);
  return done;
}

/**
 * A turn at the database: the returned function does one thing after what came before. It gives undefined if everything has been
 * forgotten since the turn was taken. All that opens the database needs a turn: opening creates it again after it has been deleted.
 */
export function turn(): <T>(act: () => Promise<T>) => Promise<T | undefined> {
  const mine = forgotten;
  return (act) =>
    enqueue(async () => {
      const result = mine === forgotten ? await act() : undefined;
      return mine === forgotten ? result : undefined;
    });
}

/** Deletes everything. */
export function forget(): Promise<void> {
  forgotten += 1;
  return enqueue(
    () =>
      new Promise((resolve, reject) => {
        const request = indexedDB.deleteDatabase(DATABASE);
        request.onsuccess = () => resolve();
        request.onerror = () => reject(request.error);
      }),
  );
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

/** What is remembered; undefined if nothing is wanted to be. Asks nothing of a browser that has no database yet. */
export async function read(): Promise<Remembered | undefined> {
  const databases = await indexedDB.databases?.().catch(() => []);
  if (!databases?.some(({ name }) => name === DATABASE)) return undefined;
  const get = <T>(key: string) => use("settings", "readonly", (store) => store.get(key) as IDBRequest<T | undefined>);
  return {
    kept: await cartridges(),
    manner: await get<Manner>("manner"),
    last: await get<LastPlayed>("last"),
  };
}

export async function keepCartridge(kept: Kept): Promise<void> {
  await use("cartridges", "readwrite", (store) => store.put(kept, kept.key));
}

export function cartridges(): Promise<readonly Kept[]> {
  return use("cartridges", "readonly", (store) => store.getAll() as IDBRequest<Kept[]>);
}

/** Keeps one of the settings. */
export async function keepSetting<Name extends "last" | "manner">(
  name: Name,
  value: NonNullable<Remembered[Name]>,
): Promise<void> {
  await use("settings", "readwrite", (store) => store.put(value, name));
}

export async function keepState(key: string, state: SavedGame): Promise<void> {
  await use("states", "readwrite", (store) => store.put(state, key));
}

export function stateOf(key: string): Promise<SavedGame | undefined> {
  return use("states", "readonly", (store) => store.get(key) as IDBRequest<SavedGame | undefined>);
}
