// Creates PostgreSQL's data folder once.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { placeOf } from './data-place.ts';
import { installedMajor, nativeFolder, type RunAs, unprivileged } from './embedded-binaries.ts';

export interface Cluster {
  as: RunAs;
  /** The folder with PostgreSQL's programs. */
  native: string;
  data: string;
  /** The password of the superuser. */
  password: string;
  /** The password of the role that Landfall uses. */
  rolePassword: string;
  elsewhere: boolean;
  /** Releases the lock of the data's place, if it has one. */
  release(): void;
}

/**
 * Creates the cluster in `dir` if there is none. This happens in one step: an interrupted creation starts again from
 * the beginning.
 * @param create false: throws a sentence if there is none
 */
export function openCluster(dir: string, durable: boolean, create: boolean): Cluster {
  const as = unprivileged();
  const { home, lock } = placeOf(path.resolve(dir), as, create);
  try {
    return { ...openAt(home, as, durable), elsewhere: lock !== undefined, release: () => lock?.release() };
  } catch (error) {
    lock?.release();
    throw error;
  }
}

function openAt(home: string, as: RunAs, durable: boolean): Omit<Cluster, 'release' | 'elsewhere'> {
  const native = nativeFolder(as);
  const data = path.join(home, 'data');
  const passwordFile = path.join(home, 'password');
  const made = () => {
    const password = readFileSync(passwordFile, 'utf8').trim();
    return { as, native, data, password, rolePassword: keptPassword(path.join(home, 'role-password'), as, durable) };
  };
  if (existsSync(data)) {
    assertVersion(data);
    return made();
  }

  const half = `${data}.new`;
  rmSync(half, { recursive: true, force: true });
  writePassword(passwordFile, as, durable);
  const flags = ['-D', half, '-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8'];
  flags.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '--no-instructions');
  if (!durable) flags.push('--no-sync');
  const initialised = spawnSync(path.join(native, 'bin/initdb'), flags, {
    ...as,
    env: environment(),
    cwd: home,
    encoding: 'utf8',
  });
  if (initialised.status !== 0) {
    throw new Error(
      `PostgreSQL could not make its data folder ${data}: ${(initialised.stderr || String(initialised.error)).trim()}`,
    );
  }
  renameSync(half, data);
  if (durable && process.platform !== 'win32') {
    const folder = openSync(home, 'r');
    fsyncSync(folder);
    closeSync(folder);
  }
  return made();
}

function assertVersion(data: string): void {
  const made = readFileSync(path.join(data, 'PG_VERSION'), 'utf8').trim();
  const ours = installedMajor();
  if (made !== ours)
    throw new Error(
      `PostgreSQL ${made} has made the data in ${data}, and this version of Landfall brings PostgreSQL ${ours}: make a backup with the version of Landfall that ran on it (npm run landfall -- backup FILE), and restore it with this one into another LANDFALL_DATA.`,
    );
}

/**
 * Returns the password in a file. The first start that needs the file creates it: folders of earlier versions have
 * none.
 */
function keptPassword(file: string, as: RunAs, durable: boolean): string {
  // The file is empty if an earlier write was interrupted.
  if (!existsSync(file) || readFileSync(file, 'utf8') === '') writePassword(file, as, durable);
  return readFileSync(file, 'utf8').trim();
}

function writePassword(file: string, as: RunAs, durable: boolean): void {
  writeFileSync(file, randomBytes(18).toString('base64url'), { mode: 0o600, flush: durable });
  if (as.uid !== undefined && as.gid !== undefined) chownSync(file, as.uid, as.gid);
}

/**
 * Returns the few environment variables that PostgreSQL's programs get. They would read PG… variables, would use the
 * user's language, and do not need our secrets.
 */
export function environment(): NodeJS.ProcessEnv {
  const kept = ['PATH', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot'];
  return { ...Object.fromEntries(kept.map((name) => [name, process.env[name]])), LC_ALL: 'C' };
}
