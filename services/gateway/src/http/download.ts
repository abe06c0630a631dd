// Sends a file as a reply, part by part. Only a little of it is in memory at a time, however long it is.
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { gathered } from './response-headers.ts';

export class Download {
  readonly type: string;
  readonly name: string;
  readonly parts: AsyncIterable<string>;

  /** @param name the file name; letters, digits, `-` and `.` */
  constructor(type: string, name: string, parts: AsyncIterable<string>) {
    this.type = type;
    this.name = name;
    this.parts = parts;
  }
}

/** Waits for the first part before it sends anything, so that an early failure becomes an error answer. */
export async function sendDownload(res: ServerResponse, { type, name, parts }: Download): Promise<void> {
  const iterator = parts[Symbol.asyncIterator]();
  let part = await iterator.next();
  Object.assign(gathered(res), {
    'Cache-Control': 'no-store',
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Disposition': `attachment; filename="${name}"`,
  });
  res.writeHead(200);
  for (; !part.done && !res.destroyed; part = await iterator.next()) {
    if (!res.write(part.value)) await Promise.race([once(res, 'drain'), once(res, 'close')]);
  }
  res.end();
}
