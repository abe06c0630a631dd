// One connection to FCM: an HTTP/2 session that is kept open, and its requests.
import { type ClientHttp2Stream, connect as connectSession, constants } from 'node:http2';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';

export interface LineOptions {
  /** The server and its trusted certificates. Empty: Google's. */
  readonly connect: ConnectionOptions;
  /** Milliseconds that the connection may take to open. */
  readonly timeoutMs: number;
  /** Called when the line takes requests, or when it takes one more again. */
  free(): void;
  /** Called when the line takes no more requests. The line finishes the requests that it has. */
  retired(line: Line): void;
  /** @param began true when the line took requests, or when its server announced its end in time */
  closed(line: Line, began: boolean): void;
}

export interface LineRequest {
  readonly path: string;
  readonly accessToken: string;
  readonly body: string;
}

export type Reply =
  /** `whole`: true when the body is complete. */
  | { readonly status: number; readonly retryAfter: string | undefined; readonly body: string; readonly whole: boolean }
  /** No answer came. `unsent`: true when FCM has certainly not processed the request. */
  | { readonly status: null; readonly unsent: boolean; readonly timedOut: boolean };

/** A request that is on a line. */
export interface OnLine {
  /**
   * Cancels the request when its caller no longer waits. `over` is not called. Returns the part of the answer that is
   * known.
   */
  expire(): Reply;
}

export interface Line {
  /** True when the line is not connected yet, or when the server has not reported how many streams it allows. */
  isOpening(): boolean;
  hasRoom(): boolean;
  isClosed(): boolean;
  /** @param over called once, unless the request expires first */
  begin(request: LineRequest, over: (reply: Reply) => void): OnLine;
  /** Retires the line when it is idle. Closes the line when it has requests under way and the connection is dead. */
  look(): void;
  /** Closes the line, even with requests under way. Resolves when the line is closed. */
  end(): Promise<void>;
}

const HOST = 'fcm.googleapis.com';
const { NGHTTP2_CANCEL, NGHTTP2_NO_ERROR, NGHTTP2_REFUSED_STREAM } = constants;

/**
 * The number of streams that Google allows on a session. The number that a server allows is known after the line is
 * connected.
 */
export const USUAL_STREAMS = 100;
/** Milliseconds between two checks of a line. A line with requests under way that is silent for longer gets a ping. */
export const LOOK_MS = 3_000;
/** Milliseconds without work after which a line is closed. */
const IDLE_MS = 30_000;
/**
 * The line is retired after this stream number. Stream numbers end at 2^31, and the client has only every second
 * number.
 */
const LAST_STREAM = 2 ** 30;

export function openLine({ connect, timeoutMs, free, retired, closed }: LineOptions): Line {
  const socket = connectTls({ host: HOST, port: 443, servername: HOST, ...connect, ALPNProtocols: ['h2'] });
  const session = connectSession(`https://${HOST}`, { createConnection: () => socket.setNoDelay(true) });
  const state = {
    open: false,
    retired: false,
    most: 0,
    underWay: 0,
    /** The last stream that the server processes; infinity until the server announces it. */
    lastSeen: Number.POSITIVE_INFINITY,
    /** When the server was last heard from, by `performance.now()`. */
    heardAt: performance.now(),
    /** A ping is under way. */
    asked: false,
  };
  const tooLate = setTimeout(end, timeoutMs);
  const whenClosed = new Promise<void>((resolve) => session.once('close', resolve));

  session.on('error', () => {});
  session.on('remoteSettings', ({ maxConcurrentStreams = USUAL_STREAMS }) => {
    clearTimeout(tooLate);
    state.open = true;
    state.most = maxConcurrentStreams;
    free();
  });
  session.on('goaway', (_code, lastStream) => {
    state.lastSeen = Math.min(state.lastSeen, lastStream);
    retire();
    free();
  });
  session.once('close', () => {
    clearTimeout(tooLate);
    closed(line, state.open || state.lastSeen < Number.POSITIVE_INFINITY);
  });

  /** Stops new requests. Closes the line when its requests are finished. */
  function retire(): void {
    state.retired = true;
    retired(line);
    if (state.underWay === 0) end();
  }

  /** Closes the session at once. A normal close would wait until the server closes its side, too. */
  function end(): void {
    session.destroy();
    setImmediate(() => socket.destroy());
  }

  function begin({ path, accessToken, body }: LineRequest, over: (reply: Reply) => void): OnLine {
    const stream = session.request({
      ':method': 'POST',
      ':path': path,
      authorization: `Bearer ${accessToken}`,
      'content-type': 'application/json',
    });
    const at = performance.now();
    const chunks: Buffer[] = [];
    let status: number | null = null;
    let retryAfter: string | undefined;
    let ended = false;
    let expired = false;
    state.underWay++;
    stream.on('error', () => {});
    stream.once('response', (headers) => {
      state.heardAt = performance.now();
      status = headers[':status'] ?? null;
      retryAfter = headers['retry-after'];
    });
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.once('end', () => {
      ended = true;
    });
    stream.once('close', () => {
      state.underWay--;
      if (!expired) over(replyOf());
      if (state.underWay === 0 && state.retired) end();
      free();
    });
    stream.end(body);
    if (stream.id !== undefined && stream.id > LAST_STREAM) retire();

    function replyOf(): Reply {
      if (status === null) return { status, unsent: isUnseen(stream), timedOut: false };
      const whole = ended && stream.rstCode === NGHTTP2_NO_ERROR;
      return { status, retryAfter, body: Buffer.concat(chunks).toString(), whole };
    }

    return {
      expire() {
        expired = true;
        // The line has been silent since before this request. The server may be gone without notice.
        if (state.heardAt < at && !state.retired) retire();
        stream.close(NGHTTP2_CANCEL);
        return status === null
          ? { status, unsent: false, timedOut: true }
          : { status, retryAfter, body: '', whole: false };
      },
    };
  }

  /** True when the server has certainly not read the request. */
  const isUnseen = ({ rstCode, id }: ClientHttp2Stream): boolean =>
    rstCode === NGHTTP2_REFUSED_STREAM || id === undefined || id > state.lastSeen;

  function ping(): void {
    state.asked = true;
    session.ping((error) => {
      if (error) return;
      state.asked = false;
      state.heardAt = performance.now();
    });
  }

  const isClosed = () => session.closed || session.destroyed;
  const line: Line = {
    isOpening: () => !state.open,
    isClosed,
    hasRoom: () => state.open && !state.retired && !isClosed() && state.underWay < state.most,
    begin,
    look() {
      if (!state.open) return;
      const silentMs = performance.now() - state.heardAt;
      if (state.underWay === 0) {
        if (silentMs > IDLE_MS && !state.retired) retire();
      } else if (state.asked) end();
      else if (silentMs > LOOK_MS) ping();
    },
    end() {
      end();
      return whenClosed;
    },
  };
  return line;
}
