// Replies of routes: JSON objects, and others, which send themselves.
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { sendJsonText, sendPage } from './respond.ts';
import { gathered } from './response-headers.ts';

/** The right to a reply that stays open. */
export interface Right {
  /** Rejects when the right is lost, and when nobody can say. */
  check(): Promise<void>;
  /** Calls `seen` when the right may be lost. Returns the end of it. */
  watch(seen: () => void): () => void;
}

type Send = (res: ServerResponse, rightOf: () => Right) => void | Promise<void>;

/** A reply that is no JSON object. It sends itself. */
export class Reply {
  readonly send: Send;

  constructor(send: Send) {
    this.send = send;
  }
}

export function sendReply(res: ServerResponse, reply: object, rightOf: () => Right): void | Promise<void> {
  if (reply instanceof Reply) return reply.send(res, rightOf);
  sendSuccess(res, reply);
}

const successOf = (reply: object): string => JSON.stringify({ success: true, ...reply });
const madeTexts = new WeakMap<object, string>();

/** Marks a reply that never changes: its text is made once. */
export function unchanging<T extends object>(reply: T): T {
  madeTexts.set(reply, successOf(reply));
  return reply;
}

/** Sends a JSON object with status 200, as spec 4 has it. */
export const sendSuccess = (res: ServerResponse, reply: object): void =>
  sendJsonText(res, 200, madeTexts.get(reply) ?? successOf(reply));

/**
 * Returns a file, sent part by part. Only a little of it is in memory at a time, however long it is. The reply waits for
 * the first part before it sends anything, so that an early failure becomes an error answer. A later failure, and a client
 * who leaves, end the parts and the connection.
 * @param name the file name; letters, digits, `-` and `.`
 */
export const download = (type: string, name: string, parts: AsyncIterable<string>): Reply =>
  new Reply(async (res) => {
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
  });

/**
 * Returns a page for a frame on a page of ours. It runs no script and has no origin, so it can use no session.
 * @param csp the policy of the page elsewhere
 */
export const framedPage = (body: string, csp: string): Reply =>
  new Reply((res) => {
    gathered(res)['Cache-Control'] = 'no-store';
    const framed = csp.replace(/frame-ancestors [^;]+/, "frame-ancestors 'self'");
    // The sandbox blocks scripts. Without them in the page, the browser reports no error.
    const silent = body.replace(/<script>[^<]*<\/script>/g, '');
    sendPage(res, 200, { body: silent, csp: `${framed}; sandbox` });
  });

/** The next site does not see the referrer, because the headers of every answer forbid it. */
export const redirect = (absoluteUrl: string): Reply =>
  new Reply((res) => {
    Object.assign(gathered(res), { Location: absoluteUrl, 'Cache-Control': 'no-store', 'Content-Length': 0 });
    res.writeHead(302).end();
  });
