/**
 * The files that commands write: whole, or not at all.
 *
 * A new file is written beside the old one under a name of its own, and takes its place when the disk has it. If that fails, the old file
 * stays and the new one is removed. Links of a path are followed to the file that they lead to; pipes and devices are written to directly.
 */

import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  closeSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { messageOf } from "../errors.js";
import { InputError } from "./input.js";

/** Links of a path that are followed to a file that does not exist yet. */
const MOST_LINKS = 40;

/** Calls `call`; its failures name the file. */
export function writing<T>(path: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`cannot write ${path}: ${messageOf(error)}`);
  }
}

/** Refuses a file that {@link write} cannot write, before the work of which it is to have the result. A file that exists keeps its content. */
export function check(path: string): void {
  writing(path, () => {
    const file = replaced(path);
    if (file === undefined) return;
    const { name, descriptor } = temporary(file);
    closeSync(descriptor);
    unlinkSync(name);
  });
}

/** Writes a file. If that fails, the previous file stays. */
export function write(path: string, bytes: Uint8Array): void {
  writing(path, () => {
    const file = replaced(path);
    if (file === undefined) writeFileSync(path, bytes);
    else replace(file, bytes);
  });
}

function replace(file: string, bytes: Uint8Array): void {
  const { name, descriptor } = temporary(file);
  try {
    try {
      writeFileSync(descriptor, bytes);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(name, file);
  } catch (error) {
    unlinkSync(name);
    throw error;
  }
  syncFolder(dirname(file));
}

/** Without it a loss of power may undo the change of names. Some systems cannot sync a folder. */
function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, "r");
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {}
}

/** A new file that can take the place of another one, with its permissions. */
function temporary(file: string): { name: string; descriptor: number } {
  const name = join(dirname(file), `.gym2600-${randomUUID()}.part`);
  const descriptor = openSync(name, "wx");
  const old = statSync(file, { throwIfNoEntry: false });
  if (old !== undefined) fchmodSync(descriptor, old.mode & 0o7777);
  return { name, descriptor };
}

/** The file that takes the place of another one, links followed, or of none yet. Undefined for a pipe or a device. */
function replaced(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return newFile(path);
  if (found.isDirectory()) throw new Error("it is a folder");
  return found.isFile() ? realpathSync(path) : undefined;
}

/** The place of a file that does not exist, though links to it may. */
function newFile(path: string): string {
  let file = path;
  for (let links = 0; links < MOST_LINKS; links++) {
    const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    if (!isLink) return join(realpathSync(dirname(file)), basename(file));
    file = resolve(dirname(file), readlinkSync(file));
  }
  throw new Error("too many links");
}

/** The file or folder of a path, to compare with others. Undefined for what several may use, which is pipes and devices. */
export function identity(path: string): string | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? realpathSync(path) : replaced(path);
  } catch {
    // Folders of a log that are still to be made.
    return resolve(path);
  }
}

/**
 * Holds a file that this process is going to write against other runs, by a lock that ends with the process at the latest. The lock is that of
 * a file `NAME.lock` beside it, because the file itself is replaced.
 */
export class Lock {
  readonly #path: string;
  readonly #descriptor: number;

  private constructor(path: string, descriptor: number) {
    this.#path = path;
    this.#descriptor = descriptor;
  }

  /** @throws InputError if another run has the file */
  static take(path: string): Lock | undefined {
    return writing(path, () => {
      const file = replaced(path);
      if (file === undefined) return undefined;
      const lock = `${file}.lock`;
      for (;;) {
        const descriptor = openLock(lock);
        try {
          hold(descriptor, path);
          // A run that ends removes the file that others may have opened already.
          if (isAt(lock, descriptor)) return new Lock(lock, descriptor);
        } catch (error) {
          closeSync(descriptor);
          throw error;
        }
        closeSync(descriptor);
      }
    });
  }

  /** Lets other runs have the file. */
  release(): void {
    try {
      unlinkSync(this.#path);
    } catch {
      // One that stays is taken by the next run.
    }
    closeSync(this.#descriptor);
  }
}

/**
 * A link is refused: another user may have made it, and the file that it names would be created. So is a file with content, which is no lock and
 * would be removed.
 */
function openLock(path: string): number {
  try {
    return openSync(path, "ax");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const there = lstatSync(path, { throwIfNoEntry: false });
    if (there !== undefined && (!there.isFile() || there.size > 0)) throw new Error(`${path} is no lock`);
    return openSync(path, "a");
  }
}

/**
 * Locks a file or a folder that is open.
 *
 * Node has no call for it. Where the program `flock` is, it locks what this process has opened, and the lock stays when it ends. It is part of
 * every Linux but the smallest containers; elsewhere there is no lock. The native program takes the same locks.
 *
 * @throws InputError if another run has the lock
 */
export function hold(descriptor: number, path: string): void {
  const { status } = spawnSync("flock", ["-n", "3"], { stdio: ["ignore", "ignore", "ignore", descriptor] });
  if (status === 1) throw new InputError(`${path} is in use by another run`);
}

function isAt(path: string, descriptor: number): boolean {
  const [found, opened] = [lstatSync(path, { throwIfNoEntry: false }), fstatSync(descriptor)];
  return found !== undefined && found.dev === opened.dev && found.ino === opened.ino;
}
