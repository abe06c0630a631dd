// One connection to FCM: an HTTP/2 session that is kept, and the requests that are on it.
import { type ClientHttp2Stream, connect as connectSession, constants } from 'node:http2';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';

export interface LineOptions {
  /** The server and its trusted certificates. Empty: Google's. */
  readonly connect: ConnectionOptions;
  /** Milliseconds that it may take to begin. */
  readonly timeoutMs: number;
  /** It takes requests, or takes one more again. */
  free(): void;
  /** It takes no more requests. What it has is finished. */
  retired(line: Line): void;
  /** @param began it has taken requests, or its server has said in time that it ends */
  closed(line: Line, began: boolean): void;
}

export interface LineRequest {
  readonly path: string;
  readonly accessToken: string;
  readonly body: string;
}

export type Reply =
  /** `whole`: the body came to its end. */
  | { readonly status: number; readonly retryAfter: string | undefined; readonly body: string; readonly whole: boolean }
  /** No answer. `unsent`: FCM has certainly done nothing with it. */
  | { readonly status: null; readonly unsent: boolean; readonly timedOut: boolean };

/** A request that is on a line. */
export interface OnLine {
  /** Nobody waits any longer: `over` is not called. Returns what is known by now. */
  expire(): Reply;
}

export interface Line {
  /** Not connected yet, or the server has not said how many streams it allows. */
  isOpening(): boolean;
  hasRoom(): boolean;
  isClosed(): boolean;
  /** @param over called once, unless the request is expired before */
  begin(request: LineRequest, over: (reply: Reply) => void): OnLine;
  /** Gives it back when it is idle, and ends it when it has something under way and is dead. */
  look(): void;
  /** Closes it, also under what is under way. Resolves when it is closed. */
  end(): Promise<void>;
}

const HOST = 'fcm.googleapis.com';
const { NGHTTP2_CANCEL, NGHTTP2_NO_ERROR, NGHTTP2_REFUSED_STREAM } = constants;

/** Google allows so many streams on a session. How many a server allows is known once it is connected. */
export const USUAL_STREAMS = 100;
/** Milliseconds between two looks at a line. A line that was silent for so long is asked whether it is alive. */
export const LOOK_MS = 3_000;
/** A line that has had nothing to do for so long is given back. */
const IDLE_MS = 30_000;
/** Numbers of streams end at 2^31, and only every other one is ours. */
const LAST_STREAM = 2 ** 30;

export function openLine({ connect, timeoutMs, free, retired, closed }: LineOptions): Line {
  const socket = connectTls({ host: HOST, port: 443, servername: HOST, ...connect, ALPNProtocols: ['h2'] });
  const session = connectSession(`https://${HOST}`, { createConnection: () => socket.setNoDelay(true) });
  const state = {
    open: false,
    retired: false,
    most: 0,
    underWay: 0,
    /** The last stream that the server looks at, once it has said so. */
    lastSeen: Number.POSITIVE_INFINITY,
    /** When something was last heard of it. */
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

  /** It takes no more, and closes when what it has is over. */
  function retire(): void {
    state.retired = true;
    retired(line);
    if (state.underWay === 0) end();
  }

  /** A session that closes would wait for the server to close its side, too. */
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
        // Silence since before this one: the server may be gone without a word.
        if (state.heardAt < at && !state.retired) retire();
        stream.close(NGHTTP2_CANCEL);
        return status === null
          ? { status, unsent: false, timedOut: true }
          : { status, retryAfter, body: '', whole: false };
      },
    };
  }

  /** True when the server has certainly not read it. */
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
