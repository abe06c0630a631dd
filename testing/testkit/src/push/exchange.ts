// One request and its answer, over HTTP/2 or HTTP/1.1.
import {
  constants,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Readable } from 'node:stream';
import { type Line, looksAt } from './lines.ts';

export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly authorization: string;
  /** Sent with the answer, in seconds. */
  retryAfter: number | undefined;
  body(): Promise<string>;
  /** A text is HTML, anything else JSON. */
  answer(status: number, body: object | string): void;
  /** It breaks: of HTTP/1.1 the connection, of HTTP/2 the stream alone. */
  reset(): void;
  /** The answer begins, and then breaks. */
  breakAfter(status: number, text: string): void;
  /** Nobody waits for an answer. */
  gone(): boolean;
}

const JSON_TYPE = 'application/json; charset=UTF-8';

export function ofStream(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, line: Line): Exchange {
  const exchange: Exchange = {
    method: headers[':method'] ?? '',
    path: headers[':path'] ?? '',
    authorization: headers.authorization ?? '',
    retryAfter: undefined,
    body: () => textOf(stream),
    answer(status, body) {
      if (stream.destroyed) return;
      stream.respond({ ':status': status, ...headersOf(body, exchange.retryAfter) });
      stream.end(typeof body === 'string' ? body : JSON.stringify(body));
    },
    reset: () => stream.close(constants.NGHTTP2_INTERNAL_ERROR),
    breakAfter(status, text) {
      stream.respond({ ':status': status, ...headersOf({}, undefined), 'content-length': 100 });
      stream.write(text, () => exchange.reset());
    },
    gone: () => !looksAt(line, stream),
  };
  return exchange;
}

export function ofRequest(request: Http2ServerRequest, response: Http2ServerResponse): Exchange {
  const exchange: Exchange = {
    method: request.method,
    path: request.url,
    authorization: request.headers.authorization ?? '',
    retryAfter: undefined,
    body: () => textOf(request),
    answer(status, body) {
      response.writeHead(status, headersOf(body, exchange.retryAfter));
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    },
    reset: () => void request.socket.destroy(),
    breakAfter(status, text) {
      response.writeHead(status, { ...headersOf({}, undefined), 'content-length': 100 });
      response.write(text, () => exchange.reset());
    },
    gone: () => request.socket.destroyed,
  };
  return exchange;
}

const headersOf = (body: object | string, retryAfter: number | undefined): Record<string, string> => ({
  'content-type': typeof body === 'string' ? 'text/html' : JSON_TYPE,
  ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
});

async function textOf(readable: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of readable) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
