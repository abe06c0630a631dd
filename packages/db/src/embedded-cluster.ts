// PostgreSQL's data folder, made once.
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
import { nativeFolder, ownFolder, type RunAs, unprivileged } from './embedded-binaries.ts';

export interface Cluster {
  as: RunAs;
  /** The folder with PostgreSQL's programs. */
  native: string;
  data: string;
  password: string;
}

/** Makes the cluster in `dir` if there is none, in one step: one that was interrupted is begun anew. */
export function openCluster(dir: string, durable: boolean): Cluster {
  const as = unprivileged();
  const home = ownFolder(path.resolve(dir), as);
  const native = nativeFolder(as);
  const data = path.join(home, 'data');
  const passwordFile = path.join(home, 'password');
  if (existsSync(data)) return { as, native, data, password: readFileSync(passwordFile, 'utf8').trim() };

  const half = `${data}.new`;
  rmSync(half, { recursive: true, force: true });
  const password = randomBytes(18).toString('base64url');
  writeFileSync(passwordFile, password, { mode: 0o600, flush: durable });
  if (as.uid !== undefined && as.gid !== undefined) chownSync(passwordFile, as.uid, as.gid);
  const flags = ['-D', half, '-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8'];
  flags.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '--no-instructions');
  if (!durable) flags.push('--no-sync');
  const made = spawnSync(path.join(native, 'bin/initdb'), flags, {
    ...as,
    env: environment(),
    cwd: home,
    encoding: 'utf8',
  });
  if (made.status !== 0) {
    throw new Error(`PostgreSQL could not make its data folder ${data}: ${(made.stderr || String(made.error)).trim()}`);
  }
  renameSync(half, data);
  if (durable && process.platform !== 'win32') {
    const folder = openSync(home, 'r');
    fsyncSync(folder);
    closeSync(folder);
  }
  return { as, native, data, password };
}

/** Little of ours: PostgreSQL's programs read PG… variables, speak the user's language, and need none of our secrets. */
export function environment(): NodeJS.ProcessEnv {
  const kept = ['PATH', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot'];
  return { ...Object.fromEntries(kept.map((name) => [name, process.env[name]])), LC_ALL: 'C' };
}
