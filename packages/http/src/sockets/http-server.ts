// The socket side of the gateway: listening, invalid HTTP, and closing.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { StartError } from '@landfall/runtime';
import { PlainRequest, PlainResponse } from '../requests/http-messages.ts';
import { boundConnections, type ConnectionsOptions } from './connections.ts';

export interface HttpServerOptions extends Omit<ConnectionsOptions, 'stuckMs'> {
  /** The maximum number of open connections. A further one is closed at once. */
  maxConnections: number;
  /** Milliseconds that a client has for a whole request. */
  requestMs: number;
  /** The headers of every answer. */
  headers: Readonly<Record<string, string>>;
}

/** Milliseconds. Live streams send a sign of life every 15 s. */
const STUCK_MS = 30_000;

type Listener<Q extends IncomingMessage, S extends ServerResponse> = (req: Q, res: S) => void;

export function createHttpServer(app: Listener<PlainRequest, PlainResponse>, options: HttpServerOptions): Server {
  const { requestMs, headers, maxConnections, ...ofConnections } = options;
  const server = createServer(
    {
      IncomingMessage: PlainRequest,
      ServerResponse: PlainResponse as unknown as typeof ServerResponse,
      // We answer a missing host in our own format.
      requireHostHeader: false,
      requestTimeout: requestMs,
      headersTimeout: requestMs,
      // The maximum delay until a slow request is noticed.
      connectionsCheckingInterval: Math.max(10, Math.floor(requestMs / 15)),
    },
    inTurn(app) as never,
  );
  server.on('clientError', answerClientError(headers));
  server.maxConnections = maxConnections;
  server.on('drop', ofConnections.onRefused);
  boundConnections(server, { ...ofConnections, stuckMs: STUCK_MS });
  // Longer than the idle time-out of common load balancers, so that they close first.
  server.keepAliveTimeout = 65_000;
  return server;
}

/**
 * Starts the requests that a client sends without waiting for its answers one after the other. Node starts every request
 * that has arrived: 60 of them fit into one packet, and 300 connections start 18,000 at once. An early request starts
 * when the operating system has taken the answer to the one before it, so a client that does not read starts no more.
 * In each turn of the event loop one of them starts: clients that wait for their answers go first.
 */
export function inTurn<Q extends IncomingMessage, S extends ServerResponse>(listener: Listener<Q, S>): Listener<Q, S> {
  const early: [Q, S][] = [];
  function startNext(): void {
    const [req, res] = early.shift()!;
    if (early.length > 0) setImmediate(startNext);
    if (!req.destroyed) listener(req, res);
  }
  return (req, res) => {
    // Node gives a response its socket when the responses before it are sent.
    if (res.socket) return listener(req, res);
    res.once('socket', () => {
      if (early.push([req, res]) === 1) setImmediate(startNext);
    });
  };
}

/** Answers invalid HTTP in our format. It never reaches express. */
function answerClientError(headers: Readonly<Record<string, string>>) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const { status, says } = refusalOf(error.code);
    const body = JSON.stringify({ error: says, code: 'INVALID_REQUEST' });
    const all = {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      'x-request-id': randomUUID(),
      ...headers,
      Connection: 'close',
    };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`);
    // A client that neither reads nor closes must not keep its connection.
    socket.setTimeout(LAST_WORD_MS, () => socket.destroy());
  };
}

const LAST_WORD_MS = 1_000;

function refusalOf(code: string | undefined): { status: string; says: string } {
  if (code === 'HPE_HEADER_OVERFLOW')
    return { status: '431 Request Header Fields Too Large', says: 'The request headers are too large.' };
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return { status: '408 Request Timeout', says: 'The request did not arrive in time.' };
  return { status: '400 Bad Request', says: 'This is not a valid HTTP request.' };
}

/** @param host an address of this machine; undefined: all of them */
export function listen(server: Server, port: number, host?: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') reject(portTaken(port));
      else if (error.code === 'EACCES')
        reject(new StartError(`Port ${port} needs more rights than this user has: set PORT to a number above 1023.`));
      else if (error.code === 'EADDRNOTAVAIL')
        reject(new StartError(`${host} is no address of this machine: set LISTEN_HOST to another.`));
      else reject(error);
    });
    server.listen({ port, host }, resolve);
  });
}

export const portTaken = (port: number): StartError =>
  new StartError(
    `Port ${port} is taken: stop the program that uses it, or set PORT to another, e.g. PORT=${port + 1} npm start.`,
  );

/** Milliseconds that a client has at a stop for the rest of its request. The whole stop has 9 s. */
const CLOSE_WITHIN_MS = 5_000;
/** Milliseconds that idle connections stay open at a stop, because a request may be on its way. */
const IDLE_MS = 500;

/**
 * Stops accepting connections. Open connections end with the answer to their next request, or after a while when idle.
 */
export function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    let idle: NodeJS.Timeout | undefined;
    const quiet = setTimeout(() => {
      idle = setInterval(() => server.closeIdleConnections(), 50);
    }, IDLE_MS);
    const late = setTimeout(() => server.closeAllConnections(), CLOSE_WITHIN_MS);
    // The close method of http would end idle connections at once.
    NetServer.prototype.close.call(server, () => {
      clearTimeout(quiet);
      clearInterval(idle);
      clearTimeout(late);
      resolve();
    });
  });
}
