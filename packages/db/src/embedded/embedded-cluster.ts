// PostgreSQL's data folder: it is created once, and no server of an earlier start may run on it.
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
import { setTimeout as sleep } from 'node:timers/promises';
import { placeOf } from './data-place.ts';
import { installedMajor, nativeFolder, type RunAs, unprivileged } from './embedded-binaries.ts';
import { commandOf, isAlive } from './processes.ts';

export type Cluster = ReturnType<typeof openCluster>;

/** Makes the cluster in one step: an interrupted creation begins anew. Without `create`, throws if there is none. */
export function openCluster(dir: string, durable: boolean, create: boolean) {
  const as = unprivileged();
  const { home, lock } = placeOf(path.resolve(dir), as, create);
  try {
    return { ...openAt(home, as, durable), elsewhere: lock !== undefined, release: () => lock?.release() };
  } catch (error) {
    lock?.release();
    throw error;
  }
}

function openAt(home: string, as: RunAs, durable: boolean) {
  const native = nativeFolder(as);
  const data = path.join(home, 'data');
  const passwordFile = path.join(home, 'password');
  const made = () => ({
    as,
    native,
    data,
    /** Of the superuser. */
    password: readFileSync(passwordFile, 'utf8').trim(),
    /** Of the role that Landfall uses. */
    rolePassword: keptPassword(path.join(home, 'role-password'), as, durable),
  });
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

/** Returns the password in a file. The first start that needs it makes it: folders of earlier versions have none. */
function keptPassword(file: string, as: RunAs, durable: boolean): string {
  // The file is empty if an earlier write was interrupted.
  if (!existsSync(file) || readFileSync(file, 'utf8') === '') writePassword(file, as, durable);
  return readFileSync(file, 'utf8').trim();
}

function writePassword(file: string, as: RunAs, durable: boolean): void {
  writeFileSync(file, randomBytes(18).toString('base64url'), { mode: 0o600, flush: durable });
  if (as.uid !== undefined && as.gid !== undefined) chownSync(file, as.uid, as.gid);
}

/** PostgreSQL's programs would read PG… variables and the user's language, and do not need our secrets. */
export function environment(): NodeJS.ProcessEnv {
  const kept = ['PATH', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot'];
  return { ...Object.fromEntries(kept.map((name) => [name, process.env[name]])), LC_ALL: 'C' };
}

/** Stops a server that survived its owner (kill -9): orderly within 15 s, else at once within 5 s more. */
export async function stopLeftOver(data: string): Promise<void> {
  const file = path.join(data, 'postmaster.pid');
  let lines: string[];
  try {
    lines = readFileSync(file, 'utf8').split('\n');
  } catch {
    return;
  }
  const pid = Number(lines[0]);
  // PostgreSQL refuses an empty file, which a power cut or a full disk leaves behind.
  if (!(pid > 0)) return rmSync(file);
  if (!isAlive(pid)) return;
  if (!isServerOf(data, pid)) {
    // After a reboot, or in a new container, the process id can belong to another process, and PostgreSQL would refuse
    // to start. PostgreSQL ignores our own id, because we are its parent. It still checks for left-over shared memory.
    writeFileSync(file, [process.pid, ...lines.slice(1)].join('\n'));
    return;
  }
  for (const [signal, limitMs] of [
    ['SIGINT', 15_000],
    ['SIGQUIT', 5_000],
  ] as const) {
    if (!isServerOf(data, pid)) return;
    process.kill(pid, signal);
    const end = Date.now() + limitMs;
    while (Date.now() < end) {
      if (!isServerOf(data, pid)) return;
      await sleep(20);
    }
  }
  throw new Error(`A PostgreSQL of an earlier start (process ${pid}) still runs on ${data} and does not end: stop it.`);
}

/** A process that has ended, but whose parent has not waited for it, has an empty command line. */
function isServerOf(data: string, pid: number): boolean {
  const command = commandOf(pid);
  return command?.includes('postgres') === true && command.includes(` -D ${data} `);
}
