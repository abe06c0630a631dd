// The data folder: its lock, the secrets that the first start makes, and facts for the operator's commands. Each secret
// and fact has its own file, and only the owner of the file may read it.
import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { lockDataFolder } from '@landfall/db';
import { type Running, StartError } from '@landfall/runtime';

/** Locks the folder until the stop. Throws a StartError when it cannot be used. */
export function takeFolder(folder: string): Running {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch {
    throw new StartError(`The data folder ${folder} cannot be written to: set LANDFALL_DATA to another folder.`);
  }
  try {
    const lock = lockDataFolder(folder);
    return { stop: async () => lock.release() };
  } catch (error) {
    throw folderError(error, folder);
  }
}

export const folderError = (error: unknown, folder: string): StartError =>
  new StartError(
    (error as NodeJS.ErrnoException).code === 'ENOSPC'
      ? `The disk of ${folder} is full: make room, and start again.`
      : (error as Error).message,
  );

/** Writes a fact for the operator's commands, and removes it at the stop. */
export function tellWhileRunning(folder: string, name: string, fact: string): Running {
  const file = path.join(folder, name);
  writeFileSync(file, `${fact}\n`, { mode: 0o600 });
  return { stop: async () => rmSync(file, { force: true }) };
}

/** Creates the file if it does not exist. The write is atomic: a partial file never appears under this name. */
export function keptFile(folder: string, name: string, make: () => string): string {
  const file = path.join(folder, name);
  if (!existsSync(file)) {
    writeFileSync(`${file}.new`, `${make()}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
  return readFileSync(file, 'utf8').trim();
}

interface Secret {
  /** The variable with its value. Empty: the environment has it. */
  env: Record<string, string>;
  /** Writes a value that was just made. A start that fails before its database is there leaves no secret behind. */
  keep(): void;
}

/** Makes a secret that the environment does not set, and keeps it in the data folder. */
export function madeSecret(env: NodeJS.ProcessEnv, name: string, folder: string, file: string): Secret {
  if (env[name] || env[`${name}_FILE`]) return { env: {}, keep: () => {} };
  const kept = existsSync(path.join(folder, file));
  const value = kept ? keptFile(folder, file, () => '') : randomHex(32);
  return { env: { [name]: value }, keep: () => void keptFile(folder, file, () => value) };
}

/** An installation was made in the folder: it has a secret, or the token of a start that was complete. */
export const wasInstalled = (folder: string): boolean =>
  ['hash-secret', 'seal-secret', 'owner-token'].some((name) => existsSync(path.join(folder, name)));

export const wasComplete = (folder: string): boolean => existsSync(path.join(folder, 'owner-token'));

export const randomHex = (bytes: number): string => randomBytes(bytes).toString('hex');
