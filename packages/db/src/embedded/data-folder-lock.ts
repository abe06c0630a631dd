// One Landfall for each data folder: a second one would stop the first one's PostgreSQL. `proper-lockfile` judges an
// owner by a file's age alone: it would take the folder from a process that was suspended, and keep it from one that
// starts again at once after a kill.
import { randomBytes } from 'node:crypto';
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { startOf } from './processes.ts';

export interface DataFolderLock {
  /** Releases the folder. May be called several times. */
  release(): void;
}

interface Owner {
  pid: number;
  /** The start time of that process. It distinguishes the process from a later one with the same id. */
  start: string;
  /** The scope of the process id: the machine, and on Linux the container. */
  place: string;
  /** The folder. A copy of it has a copy of this file, and no owner. An earlier version does not write it. */
  folder?: { path: string; inode: number };
}

/** Milliseconds between heartbeats, and without one until an owner is dead whose process id means nothing here. */
const defaultTimes = { beat: 2_000, silence: 7_000 };

/**
 * Locks the folder for this process, and makes it if it is missing. Throws a sentence that names the process that has
 * the lock. A killed owner does not block the folder: on its machine the lock is free at once. In another container the
 * process id means nothing, so this call blocks for 7 s, and takes the lock if there is no heartbeat.
 */
export function lockDataFolder(dir: string, times = defaultTimes): DataFolderLock {
  mkdirSync(dir, { recursive: true });
  const mine: Owner = { pid: process.pid, start: startOf(process.pid) ?? '', place: place(), folder: identityOf(dir) };
  // The owner is the process that made the file with the highest number, for example owner.7. Only who made a higher
  // one deletes it. So of several starts that see a dead owner, exactly one makes owner.8, and nobody deletes another's
  // file.
  for (let round = 0; round < 100; round++) {
    const last = highest(dir);
    if (last > 0) refuseIfAlive(dir, fileOf(dir, last), times.silence);
    const file = fileOf(dir, last + 1);
    if (!createWhole(file, JSON.stringify(mine))) continue;
    if (highest(dir) > last + 1) {
      rmSync(file, { force: true });
      continue;
    }
    for (const number of numbers(dir)) if (number <= last) rmSync(fileOf(dir, number), { force: true });
    return hold(file, times.beat);
  }
  throw new Error(`Landfall could not take the data folder ${dir}: too many start at once.`);
}

function hold(file: string, beatMs: number): DataFolderLock {
  const beat = setInterval(() => {
    try {
      const now = new Date();
      utimesSync(file, now, now);
    } catch {
      // The folder is gone, or the disk has a fault. Code that needs the disk reports this.
    }
  }, beatMs);
  beat.unref();
  let released = false;
  return {
    release() {
      if (released) return;
      released = true;
      clearInterval(beat);
      // The file is emptied, not deleted: its number must not be used again.
      const empty = `${file}.released`;
      try {
        writeFileSync(empty, '');
        renameSync(empty, file);
      } catch {
        // The folder is gone, and the lock with it.
      }
    },
  };
}

function refuseIfAlive(dir: string, file: string, silenceMs: number): void {
  const owner = readOwner(file);
  if (!owner || isOfAnother(owner, dir)) return;
  const here = owner.place === place();
  if (here ? startOf(owner.pid) !== owner.start : !beats(file, silenceMs)) return;
  const who = here ? `process ${owner.pid}` : `process ${owner.pid} on ${owner.place.split(' ')[0]}`;
  throw new Error(
    `Landfall already runs on the data folder ${path.resolve(dir)} (${who}): stop it, or set LANDFALL_DATA to another folder.`,
  );
}

/** Tells a folder from its copies. */
export const identityOf = (dir: string) => ({ path: realpathSync(dir), inode: statSync(dir).ino });

/** A folder that was moved has another path, and on some disks another inode after each mount. A copy has both. */
function isOfAnother({ folder }: Owner, dir: string): boolean {
  const mine = identityOf(dir);
  return folder !== undefined && folder.path !== mine.path && folder.inode !== mine.inode;
}

/** Compares two readings of the time of the file, because the clocks of two machines differ. */
function beats(file: string, silenceMs: number): boolean {
  const before = touched(file);
  const end = Date.now() + silenceMs;
  while (Date.now() < end) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    if (touched(file) !== before) return true;
  }
  return false;
}

const touched = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs;

function readOwner(file: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Owner;
  } catch {
    // The lock was released, or another process took it in the meantime.
    return undefined;
  }
}

/** Creates the file in one step. Returns false if it exists already. */
function createWhole(file: string, content: string): boolean {
  const half = `${file}.${randomBytes(6).toString('hex')}`;
  writeFileSync(half, content);
  try {
    linkSync(half, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(half, { force: true });
  }
}

const fileOf = (dir: string, number: number) => path.join(dir, `owner.${number}`);

function numbers(dir: string): number[] {
  return readdirSync(dir)
    .flatMap((name) => /^owner\.(\d+)$/.exec(name)?.[1] ?? [])
    .map(Number);
}

const highest = (dir: string) => Math.max(0, ...numbers(dir));

function place(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}
