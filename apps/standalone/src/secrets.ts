// The secrets that a first start makes, each in a file of its own in the data folder that only its owner may read.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The file's content, made first if there is none. Written whole or not at all. */
export function keptFile(folder: string, name: string, make: () => string): string {
  const file = path.join(folder, name);
  if (!existsSync(file)) {
    writeFileSync(`${file}.new`, `${make()}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
  return readFileSync(file, 'utf8').trim();
}

/** @param bytes of randomness, as hexadecimal */
export const randomHex = (bytes: number): string => randomBytes(bytes).toString('hex');
