// Requests and responses as Node makes them, with what our handlers use of express. Taps and calls of SDKs are answered
// with these alone, before express, which takes as much CPU as the sockets and HTTP together: it changes the prototype of
// both objects, and everything that follows is slower for it.
import { IncomingMessage, ServerResponse } from 'node:http';

/** A request with or without express. */
export type HttpRequest = IncomingMessage & {
  url: string;
  method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly params: Readonly<Record<string, string | string[]>>;
};

/** A response with or without express. */
export type HttpResponse = ServerResponse & { locals: Express.Locals };

declare global {
  namespace Express {
    interface Locals {
      requestId: string;
      headers: Gathered;
      /** The pattern that answers, where express does not know it. */
      route?: string;
    }
  }
}

/** Header names and values. Every file must spell a name in the same way, because names are compared exactly. */
export type Gathered = Record<string, string | number>;

/** Calls the next handler, or answers with the error. */
export type Next = (error?: unknown) => void;
export type HttpHandler = (req: HttpRequest, res: HttpResponse, next: Next) => void | Promise<void>;

/** Returns the parameters. The last value of a repeated one counts. */
export const parseQuery = (query: string): Record<string, string> => Object.fromEntries(new URLSearchParams(query));

const NO_PARAMS = Object.freeze({});

export class PlainRequest extends IncomingMessage {
  declare url: string;
  declare method: string;

  get path(): string {
    const { url } = this;
    const end = url.search(/[?#]/);
    return end < 0 ? url : url.slice(0, end);
  }

  get query(): Record<string, string> {
    const { url } = this;
    const at = url.indexOf('?');
    return at < 0 ? {} : parseQuery(url.slice(at + 1));
  }

  get params(): Readonly<Record<string, string>> {
    return NO_PARAMS;
  }
}

/** Writes the collected headers with its head. */
export class PlainResponse extends ServerResponse {
  declare locals: Express.Locals;
}
PlainResponse.prototype.writeHead = writeHead as PlainResponse['writeHead'];

/** Adds the collected headers (see answers/response-headers.ts). Node calls it for each answer, even when no other code does. */
export function writeHead(this: HttpResponse, status: number, ...more: unknown[]) {
  const headers: Gathered = this.locals?.headers ?? {};
  const plain = more.length === 0 && this.getHeaderNames().length === 0;
  if (!plain) for (const name in headers) if (!this.hasHeader(name)) this.setHeader(name, headers[name]!);
  return Reflect.apply(ServerResponse.prototype.writeHead, this, [status, ...(plain ? [headers] : more)]);
}
