// One connection to FCM or APNs: an HTTP/2 session that is kept open, and its requests.
import {
  type ClientHttp2Stream,
  connect as connectSession,
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { connect as connectTls } from 'node:tls';

export interface Http2Options {
  /** Another server than Google's or Apple's, and its trusted certificates. */
  readonly connect: {
    readonly host?: string;
    readonly port?: number;
    readonly servername?: string;
    readonly ca?: string;
  };
  /** Milliseconds that the server may take to answer. */
  readonly timeoutMs: number;
}

export interface LineOptions extends Http2Options {
  readonly host: string;
  /** Milliseconds without work after which a line is closed. */
  readonly idleMs: number;
  /** Called when the line takes requests, or when it takes one more again. */
  free(): void;
  /** Called when the line takes no more requests. The line finishes the requests that it has. */
  retired(line: Line): void;
  /** @param began true when the line took requests, or when its server announced its end in time */
  closed(line: Line, began: boolean): void;
}

export interface LineRequest {
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string;
}

export type Reply =
  /** `whole`: true when the body is complete. */
  | { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: string; readonly whole: boolean }
  /** No answer came. `unsent`: why the server has certainly not processed the request. Undefined: it may have. */
  | { readonly status: null; readonly unsent?: 'refused' | 'unreachable' | undefined; readonly timedOut: boolean };

/** A request that is on a line. */
export interface OnLine {
  /** Cancels the request, and returns what is known of its answer. `over` is not called any more. */
  expire(): Reply;
}

export interface Line {
  /** True when the line is not connected yet, or when the server has not reported how many streams it allows. */
  isOpening(): boolean;
  hasRoom(): boolean;
  /** @param over called once, unless the request expires first */
  begin(request: LineRequest, over: (reply: Reply) => void): OnLine;
  /** Retires the line when it is idle. Closes the line when it has requests under way and the connection is dead. */
  look(): void;
  /** Closes the line, even with requests under way. Resolves when the line is closed. */
  end(): Promise<void>;
}

const { NGHTTP2_CANCEL, NGHTTP2_NO_ERROR, NGHTTP2_REFUSED_STREAM } = constants;

/** Milliseconds between two checks of a line. A line with requests under way that is silent for longer gets a ping. */
export const LOOK_MS = 3_000;
/** The line is retired after this stream number. Stream numbers end at 2^31. */
const LAST_STREAM = 2 ** 30;

export function openLine({ host, connect, timeoutMs, idleMs, free, retired, closed }: LineOptions): Line {
  const socket = connectTls({ host, port: 443, servername: host, ...connect, ALPNProtocols: ['h2'] });
  const session = connectSession(`https://${host}`, { createConnection: () => socket.setNoDelay(true) });
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
  session.on('remoteSettings', ({ maxConcurrentStreams }) => {
    clearTimeout(tooLate);
    state.open = true;
    state.most = maxConcurrentStreams ?? Number.POSITIVE_INFINITY;
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

  function begin({ path, headers, body }: LineRequest, over: (reply: Reply) => void): OnLine {
    const stream = session.request({ ':method': 'POST', ':path': path, ...headers });
    const at = performance.now();
    const chunks: Buffer[] = [];
    let answer: { status: number; headers: IncomingHttpHeaders } | null = null;
    let ended = false;
    let expired = false;
    state.underWay++;
    stream.on('error', () => {});
    stream.once('response', (headers) => {
      state.heardAt = performance.now();
      answer = { status: headers[':status']!, headers };
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
      if (!answer) return { status: null, unsent: isUnseen(stream) ? 'refused' : undefined, timedOut: false };
      const whole = ended && stream.rstCode === NGHTTP2_NO_ERROR;
      return { ...answer, body: Buffer.concat(chunks).toString(), whole };
    }

    return {
      expire() {
        expired = true;
        // The line has been silent since before this request. The server may be gone without notice.
        if (state.heardAt < at && !state.retired) retire();
        stream.close(NGHTTP2_CANCEL);
        return answer ? { ...answer, body: '', whole: false } : { status: null, timedOut: true };
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

  const line: Line = {
    isOpening: () => !state.open,
    hasRoom: () => state.open && !state.retired && !session.closed && !session.destroyed && state.underWay < state.most,
    begin,
    look() {
      if (!state.open) return;
      const silentMs = performance.now() - state.heardAt;
      if (state.underWay === 0) {
        if (silentMs > idleMs && !state.retired) retire();
      } else if (state.asked) {
        // Where this process had no time, the answer is there and not read yet.
        setImmediate(() => {
          if (state.asked) end();
        });
      } else if (silentMs > LOOK_MS) ping();
    },
    end() {
      end();
      return whenClosed;
    },
  };
  return line;
}
