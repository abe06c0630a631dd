// Replies that are no JSON object. Each sends itself.
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { sendJson, sendPage } from './respond.ts';
import { gathered } from './response-headers.ts';

/** The right to a reply that stays open. */
export interface Right {
  /** Rejects when the right is lost, and when nobody can say. */
  check(): Promise<void>;
  /** Calls `seen` when the right may be lost. Returns the end of it. */
  watch(seen: () => void): () => void;
}

/** A reply that is no JSON object. It sends itself. */
export abstract class Reply {
  abstract send(res: ServerResponse, rightOf: () => Right): void | Promise<void>;
}

export function sendReply(res: Response, reply: object, rightOf: () => Right): void | Promise<void> {
  if (reply instanceof Reply) return reply.send(res, rightOf);
  sendJson(res, 200, { success: true, ...reply });
}

/** A file, sent part by part. Only a little of it is in memory at a time, however long it is. */
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

/** A page for a frame on a page of ours. It runs no script and has no origin, so it can use no session. */
export class FramedPage extends Reply {
  readonly body: string;
  readonly csp: string;

  /** @param csp the policy of the page elsewhere */
  constructor(body: string, csp: string) {
    super();
    this.body = body;
    this.csp = csp;
  }

  send(res: ServerResponse): void {
    const { body, csp } = this;
    gathered(res)['Cache-Control'] = 'no-store';
    const framed = csp.replace(/frame-ancestors [^;]+/, "frame-ancestors 'self'");
    // The sandbox blocks scripts. Without them in the page, the browser reports no error.
    const silent = body.replace(/<script>[^<]*<\/script>/g, '');
    sendPage(res, 200, { body: silent, csp: `${framed}; sandbox` });
  }
}

export class Redirect extends Reply {
  readonly url: string;

  /** @param url an absolute URL */
  constructor(url: string) {
    super();
    this.url = url;
  }

  /** The next site does not see the referrer, because the headers of every answer forbid it. */
  send(res: ServerResponse): void {
    Object.assign(gathered(res), { Location: this.url, 'Cache-Control': 'no-store', 'Content-Length': 0 });
    res.writeHead(302).end();
  }
}
