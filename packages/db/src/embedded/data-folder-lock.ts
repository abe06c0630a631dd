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
  /** Gives the folder free. May be called again. */
  release(): void;
}

interface Owner {
  pid: number;
  /** When that process began, so that another one with its number is not taken for it. */
  start: string;
  /** The scope of a process id: the machine, and on Linux the container. */
  place: string;
}

/**
 * Milliseconds between two signs of life of an owner, and milliseconds of silence after which an owner with a
 * meaningless process id is dead.
 */
const defaultTimes = { beat: 2_000, silence: 7_000 };

/**
 * Takes the folder (made when missing) for this process, or throws one sentence that names the process that has it.
 * A killed owner does not matter: at once on the same machine; in another container, where its number says nothing, after
 * 7 s without a sign of life (this call blocks for so long).
 */
export function lockDataFolder(dir: string, times = defaultTimes): DataFolderLock {
  mkdirSync(dir, { recursive: true });
  const mine: Owner = { pid: process.pid, start: startOf(process.pid) ?? '', place: place() };
  // The owner is who made the file with the highest number, owner.7. It is only ever deleted by the maker of a higher one,
  // so of any number of starts that see a dead owner exactly one makes owner.8, and nobody deletes what another one made.
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
      // The folder is gone, or the disk is ill: what needs the disk will say so.
    }
  }, beatMs);
  beat.unref();
  let released = false;
  return {
    release() {
      if (released) return;
      released = true;
      clearInterval(beat);
      // Emptied, not deleted: the number must not be given again.
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
  if (!owner) return;
  const here = owner.place === place();
  if (here ? startOf(owner.pid) !== owner.start : !beats(file, silenceMs)) return;
  const who = here ? `process ${owner.pid}` : `process ${owner.pid} on ${owner.place.split(' ')[0]}`;
  throw new Error(
    `Landfall already runs on the data folder ${path.resolve(dir)} (${who}): stop it, or set LANDFALL_DATA to another folder.`,
  );
}

/** Returns true when its owner touches the file. It compares two looks, because the clocks of two machines differ. */
function beats(file: string, silenceMs: number): boolean {
  const before = touched(file);
  const end = Date.now() + silenceMs;
  while (Date.now() < end) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    if (touched(file) !== before) return true;
  }
  return false;
}

function touched(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}

function readOwner(file: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Owner;
  } catch {
    // Released, or taken over while we looked.
    return undefined;
  }
}

/** Makes a file with all its content at once, or returns false because there is one. */
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

function highest(dir: string): number {
  return Math.max(0, ...numbers(dir));
}

function place(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}
