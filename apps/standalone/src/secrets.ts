// Creates the secrets at the first start. Each secret has its own file in the data folder, and only the owner of the
// file may read it.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Returns the content of the file. Creates the file first if it does not exist. The write is atomic: a partial file
 * never appears under this name.
 */
export function keptFile(folder: string, name: string, make: () => string): string {
  const file = path.join(folder, name);
  if (!existsSync(file)) {
    writeFileSync(`${file}.new`, `${make()}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
  return readFileSync(file, 'utf8').trim();
}

export interface Secret {
  /** The variable with its value. Empty: the environment has it. */
  env: Record<string, string>;
  /** Writes a value that was just made. A start that fails before its database is there leaves no secret behind. */
  keep(): void;
}

/** Returns a generated secret, kept in the data folder, when the environment does not set this secret. */
export function madeSecret(env: NodeJS.ProcessEnv, name: string, folder: string, file: string): Secret {
  if (env[name] || env[`${name}_FILE`]) return { env: {}, keep: () => {} };
  const kept = existsSync(path.join(folder, file));
  const value = kept ? keptFile(folder, file, () => '') : randomHex(32);
  return { env: { [name]: value }, keep: () => void keptFile(folder, file, () => value) };
}

/** Returns whether an installation was made in the folder: it has a secret, or the token of a start that was complete. */
export const wasInstalled = (folder: string): boolean =>
  ['hash-secret', 'seal-secret', 'owner-token'].some((name) => existsSync(path.join(folder, name)));

/** Returns whether a start was complete in the folder. */
export const wasComplete = (folder: string): boolean => existsSync(path.join(folder, 'owner-token'));

/** @param bytes number of random bytes, returned as hexadecimal */
export const randomHex = (bytes: number): string => randomBytes(bytes).toString('hex');
