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

/** @param bytes number of random bytes, returned as hexadecimal */
export const randomHex = (bytes: number): string => randomBytes(bytes).toString('hex');
