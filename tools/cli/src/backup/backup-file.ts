// The file of a backup: compressed, for its owner's eyes alone, and whole or not there.
import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chown, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

export const STANDARD = '-';
const CHUNK = { chunkSize: 256 * 1024 };

type Text = AsyncIterable<Buffer | string>;

/**
 * Returns the size in bytes. The file has another name until it is complete and on the disk: one that was there before
 * stays until then, and for ever when something fails.
 */
export async function writeBackupFile(file: string, text: Text): Promise<number> {
  if (file === STANDARD) return compress(text, process.stdout);
  const half = path.join(path.dirname(file), `.${path.basename(file)}.${randomBytes(4).toString('hex')}`);
  const handle = await open(half, 'wx', 0o600);
  try {
    const size = await compress(text, handle.createWriteStream({ flush: true }));
    if (process.getuid?.() === 0) await giveToOwner(half, path.dirname(file));
    await rename(half, file);
    return size;
  } catch (error) {
    await handle.close();
    await rm(half, { force: true });
    throw error;
  }
}

/** In a container, root writes into a folder of somebody who must be able to read the file. */
async function giveToOwner(file: string, folder: string): Promise<void> {
  const { uid, gid } = await stat(folder);
  await chown(file, uid, gid);
}

async function compress(text: Text, to: Writable): Promise<number> {
  const gzip = createGzip({ ...CHUNK, level: 3 });
  let size = 0;
  gzip.on('data', (chunk: Buffer) => {
    size += chunk.length;
  });
  await pipeline(text, gzip, to);
  return size;
}

export async function* readBackupFile(file: string): AsyncGenerator<Buffer> {
  const gunzip = createGunzip(CHUNK);
  const from = file === STANDARD ? process.stdin : createReadStream(file);
  from.on('error', (error: Error) => gunzip.destroy(error));
  yield* from.pipe(gunzip) as AsyncIterable<Buffer>;
}
