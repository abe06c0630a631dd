// Finds what a backup holds and a restore replaces: the database, and the files beside it.
import { chmodSync, chownSync, existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { lockDataFolder, startEmbedded } from '@landfall/db';
import { readConfig, StartError } from '@landfall/runtime';
import { DatabaseConfig } from '../database-url.ts';

export interface Installation {
  url: string;
  close(): Promise<void>;
}

/** Opens the database for a backup. A running npm start is asked, and one that is stopped is started for it. */
export async function openForBackup(env: NodeJS.ProcessEnv): Promise<Installation> {
  const { LANDFALL_DATA: folder, DATABASE_URL } = readConfig(DatabaseConfig, env);
  if (DATABASE_URL !== undefined) return { url: DATABASE_URL, close: async () => {} };
  if (!existsSync(path.join(folder, 'postgres')))
    throw new StartError(
      `There is nothing to back up in ${path.resolve(folder)}: set LANDFALL_DATA to the folder of npm start, or DATABASE_URL.`,
    );
  try {
    return await openEmbedded(folder, false);
  } catch (error) {
    const file = path.join(folder, 'database-url');
    if (!/already runs/.test((error as Error).message) || !existsSync(file)) throw error;
    return { url: readFileSync(file, 'utf8').trim(), close: async () => {} };
  }
}

export async function openForRestore(env: NodeJS.ProcessEnv): Promise<Installation> {
  const { LANDFALL_DATA: folder, DATABASE_URL } = readConfig(DatabaseConfig, env);
  return DATABASE_URL === undefined ? openEmbedded(folder, true) : { url: DATABASE_URL, close: async () => {} };
}

async function openEmbedded(folder: string, create: boolean): Promise<Installation> {
  const lock = lockDataFolder(folder);
  try {
    const { url, stop } = await startEmbedded({ dir: path.join(folder, 'postgres'), durable: true, create });
    return {
      url,
      async close() {
        await stop();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** The secrets, without which parts of the data mean nothing, and their variables. */
const SECRETS = { 'hash-secret': 'HASH_SECRET', 'seal-secret': 'SEAL_SECRET' } as const;
const OWN_FILES = ['owner-token', 'demo.json', 'demo-key'] as const;

const variableOf = (name: string): string | undefined => (SECRETS as Record<string, string>)[name];

type Files = Readonly<Record<string, string>>;

/** Returns the files by name, and the variables whose values are in no file that the command can read. */
export function readFiles(env: NodeJS.ProcessEnv): { files: Files; missing: string[] } {
  const files: Record<string, string> = {};
  const missing: string[] = [];
  for (const [name, file] of placesOf(env)) {
    if (file !== undefined && existsSync(file)) files[name] = readFileSync(file, 'utf8').trim();
    else if (variableOf(name)) missing.push(variableOf(name)!);
  }
  return { files, missing };
}

/** Writes the files beside those that they replace. `toSet`: variables that must be set to the values of the backup. */
export function stageFiles(files: Files, env: NodeJS.ProcessEnv) {
  const staged: [from: string, to: string][] = [];
  const toSet: string[] = [];
  for (const [name, file] of placesOf(env)) {
    const content = files[name];
    if (content === undefined) continue;
    if (file === undefined) {
      const variable = variableOf(name)!;
      if (env[variable] !== content) toSet.push(variable);
      continue;
    }
    const half = `${file}.restored`;
    rmSync(half, { force: true });
    writeFileSync(half, `${content}\n`, { mode: 0o600, flush: true });
    const before = statSync(file, { throwIfNoEntry: false });
    if (before) {
      chmodSync(half, before.mode);
      if (process.getuid?.() === 0) chownSync(half, before.uid, before.gid);
    }
    staged.push([half, file]);
  }
  return {
    keep() {
      for (const [half, file] of staged) renameSync(half, file);
    },
    remove() {
      for (const [half] of staged) rmSync(half, { force: true });
    },
    toSet,
  };
}

/** Returns the name of each file and its place. Undefined: the value comes from a variable. */
function placesOf(env: NodeJS.ProcessEnv): [name: string, file: string | undefined][] {
  const folder = env.LANDFALL_DATA || '.landfall';
  const secrets = Object.entries(SECRETS).map(([name, variable]): [string, string | undefined] => [
    name,
    env[`${variable}_FILE`] || (env[variable] ? undefined : path.join(folder, name)),
  ]);
  // Elsewhere than beside npm start, nothing reads them.
  const own = secrets.every(([name, file]) => file === path.join(folder, name)) ? OWN_FILES : [];
  return [...secrets, ...own.map((name): [string, string] => [name, path.join(folder, name)])];
}
