// Sends a file as a reply, part by part. Only a little of it is in memory at a time, however long it is.
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Reply } from './respond.ts';
import { gathered } from './response-headers.ts';

export class Download extends Reply {
  readonly type: string;
  readonly name: string;
  readonly parts: AsyncIterable<string>;

  /** @param name the file name; letters, digits, `-` and `.` */
  constructor(type: string, name: string, parts: AsyncIterable<string>) {
    super();
    this.type = type;
    this.name = name;
    this.parts = parts;
  }

  /**
   * Waits for the first part before it sends anything, so that an early failure becomes an error answer. A later failure,
   * and a client who leaves, end the parts and the connection.
   */
  async send(res: ServerResponse): Promise<void> {
    const { type, name, parts } = this;
    const iterator = parts[Symbol.asyncIterator]();
    const first = await iterator.next();
    Object.assign(gathered(res), {
      'Cache-Control': 'no-store',
      'Content-Type': `${type}; charset=utf-8`,
      'Content-Disposition': `attachment; filename="${name}"`,
    });
    res.writeHead(200);
    await pipeline(async function* () {
      if (first.done) return;
      yield first.value;
      yield* { [Symbol.asyncIterator]: () => iterator };
    }, res);
  }
}
