// The connections to FCM of one app: HTTP/2 sessions that are kept, as many as the streams that FCM allows on each ask for.
// A push goes out once; what FCM certainly has not looked at goes out again at once, over another session.
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';

export interface FcmSessionsOptions {
  /** Where the server is, and whom to trust. Empty: Google's. */
  readonly connect: ConnectionOptions;
  /** How long a request may take, waiting for a place included. */
  readonly timeoutMs: number;
}

export type Reply =
  /** `whole`: the body came to its end. */
  | { readonly status: number; readonly retryAfter: string | undefined; readonly body: string; readonly whole: boolean }
  /** No answer. `unsent`: FCM has certainly done nothing with it. */
  | { readonly status: null; readonly unsent: boolean; readonly timedOut: boolean };

export interface FcmSessions {
  /** Never rejects, and ends by the clock. */
  post(path: string, accessToken: string, body: string): Promise<Reply>;
  /** Closes the sessions, also under what is under way. */
  close(): Promise<void>;
}

const HOST = 'fcm.googleapis.com';
const { NGHTTP2_CANCEL, NGHTTP2_NO_ERROR, NGHTTP2_REFUSED_STREAM } = constants;

/** Google allows so many streams on a session. How many a server allows is known once it is connected. */
const USUAL_STREAMS = 100;
const MOST_SESSIONS = 10;
/** Of one request: a session that ends refuses its latest streams, and the next one may be ending, too. */
const MOST_TRIES = 4;
/** A session that could not be opened is not opened again for so long, while there are others. */
const REOPEN_MS = 1_000;
const LOOK_MS = 3_000;
/** A session that has had nothing to do for so long is given back. */
const IDLE_MS = 30_000;
/** Numbers of streams end at 2^31, and only every other one is ours. */
const LAST_STREAM = 2 ** 30;

interface Line {
  readonly session: ClientHttp2Session;
  /** It is connected, and has said how many streams it allows. */
  open: boolean;
  most: number;
  underWay: number;
  /** The last stream that the server looks at, once it has said so. */
  lastSeen: number;
  /** When something was last heard of it. */
  heardAt: number;
  /** A ping is under way. */
  asked: boolean;
}

interface Post {
  readonly path: string;
  readonly accessToken: string;
  readonly body: string;
  readonly resolve: (reply: Reply) => void;
  readonly timer: NodeJS.Timeout;
  tries: number;
  over: boolean;
  sent: Sent | null;
}

/** A request that is on a session. */
interface Sent {
  readonly line: Line;
  readonly stream: ClientHttp2Stream;
  readonly at: number;
  readonly chunks: Buffer[];
  status: number | null;
  retryAfter: string | undefined;
  ended: boolean;
}

export function createFcmSessions({ connect: server, timeoutMs }: FcmSessionsOptions): FcmSessions {
  /** Sessions that take requests, or will. */
  const lines = new Set<Line>();
  /** Those that finish what they have, too. */
  const sessions = new Map<ClientHttp2Session, TLSSocket>();
  const waiting: Post[] = [];
  let reopenAt = 0;
  let openedAt = Number.NEGATIVE_INFINITY;
  let looking: NodeJS.Timeout | undefined;

  /** Begins what waits, and opens sessions for what finds no place. */
  function pump(): void {
    while (waiting.length > 0) {
      const line = lineWithRoom();
      if (!line) {
        openMore();
        return;
      }
      const post = waiting.shift()!;
      if (!post.over) begin(line, post);
    }
  }

  /** The first of them, so that those that are too many become idle. */
  function lineWithRoom(): Line | undefined {
    for (const line of lines) {
      if (line.session.closed || line.session.destroyed) lines.delete(line);
      else if (line.open && line.underWay < line.most) return line;
    }
    return undefined;
  }

  function openMore(): void {
    const opening = [...lines].filter((line) => !line.open).length;
    if (lines.size > 0 && performance.now() < reopenAt) return;
    const more = Math.ceil(waiting.length / USUAL_STREAMS) - opening;
    for (let n = Math.min(more, MOST_SESSIONS - lines.size); n > 0; n--) open();
  }

  function open(): void {
    const socket = connectTls({ host: HOST, port: 443, servername: HOST, ...server, ALPNProtocols: ['h2'] });
    const session = connect(`https://${HOST}`, { createConnection: () => socket.setNoDelay(true) });
    const heardAt = performance.now();
    const line: Line = { session, open: false, most: 0, underWay: 0, lastSeen: Infinity, heardAt, asked: false };
    const timer = setTimeout(() => end(session), timeoutMs);
    lines.add(line);
    sessions.set(session, socket);
    looking ??= setInterval(look, LOOK_MS).unref();
    session.on('error', () => {});
    session.on('remoteSettings', ({ maxConcurrentStreams = USUAL_STREAMS }) => {
      clearTimeout(timer);
      line.open = true;
      openedAt = performance.now();
      line.most = maxConcurrentStreams;
      pump();
    });
    session.on('goaway', (_code, lastStream) => {
      line.lastSeen = Math.min(line.lastSeen, lastStream);
      retire(line);
      pump();
    });
    session.once('close', () => {
      clearTimeout(timer);
      lines.delete(line);
      sessions.delete(session);
      // One that ended before it began says nothing, as long as others do begin.
      const ended = line.lastSeen < Number.POSITIVE_INFINITY && performance.now() - openedAt < REOPEN_MS;
      if (!line.open && !ended) failedToOpen();
      pump();
    });
  }

  function failedToOpen(): void {
    reopenAt = performance.now() + REOPEN_MS;
    if (lines.size > 0) return;
    for (const post of waiting.splice(0)) reply(post, { status: null, unsent: true, timedOut: false });
  }

  /** It takes no more, and closes when what it has is over. */
  function retire(line: Line): void {
    lines.delete(line);
    if (line.underWay === 0) end(line.session);
  }

  /** A session that closes would wait for the server to close its side, too. */
  function end(session: ClientHttp2Session): void {
    session.destroy();
    const socket = sessions.get(session);
    setImmediate(() => socket?.destroy());
  }

  function begin(line: Line, post: Post): void {
    const stream = line.session.request({
      ':method': 'POST',
      ':path': post.path,
      authorization: `Bearer ${post.accessToken}`,
      'content-type': 'application/json',
    });
    const at = performance.now();
    const sent: Sent = { line, stream, at, chunks: [], status: null, retryAfter: undefined, ended: false };
    post.sent = sent;
    post.tries++;
    line.underWay++;
    stream.on('error', () => {});
    stream.once('response', (headers) => {
      line.heardAt = performance.now();
      sent.status = headers[':status'] ?? null;
      sent.retryAfter = headers['retry-after'];
    });
    stream.on('data', (chunk: Buffer) => sent.chunks.push(chunk));
    stream.once('end', () => {
      sent.ended = true;
    });
    stream.once('close', () => {
      line.underWay--;
      if (!post.over) conclude(post, sent);
      if (line.underWay === 0 && !lines.has(line)) end(line.session);
      pump();
    });
    stream.end(post.body);
    if (stream.id !== undefined && stream.id > LAST_STREAM) retire(line);
  }

  function conclude(post: Post, { line, stream, status, retryAfter, chunks, ended }: Sent): void {
    if (status !== null) {
      const whole = ended && stream.rstCode === NGHTTP2_NO_ERROR;
      reply(post, { status, retryAfter, body: Buffer.concat(chunks).toString(), whole });
      return;
    }
    const unsent = stream.rstCode === NGHTTP2_REFUSED_STREAM || stream.id === undefined || stream.id > line.lastSeen;
    if (!unsent || post.tries >= MOST_TRIES) {
      reply(post, { status: null, unsent, timedOut: false });
      return;
    }
    post.sent = null;
    waiting.push(post);
    // In the moment of the refusal the session does not yet know that it ends.
    setImmediate(pump);
  }

  function expire(post: Post): void {
    const { sent } = post;
    if (!sent) {
      reply(post, { status: null, unsent: true, timedOut: true });
      return;
    }
    const { line, stream, status, retryAfter } = sent;
    reply(
      post,
      status === null ? { status, unsent: false, timedOut: true } : { status, retryAfter, body: '', whole: false },
    );
    // Silence since before this one: the server may be gone without a word.
    if (line.heardAt < sent.at) retire(line);
    stream.close(NGHTTP2_CANCEL);
  }

  function reply(post: Post, reply: Reply): void {
    clearTimeout(post.timer);
    post.over = true;
    post.resolve(reply);
  }

  /** Gives back sessions that are idle, and ends those that have something under way and are dead. */
  function look(): void {
    const now = performance.now();
    for (const line of lines) {
      if (!line.open) continue;
      if (line.underWay === 0 && now - line.heardAt > IDLE_MS) retire(line);
      else if (line.underWay > 0 && line.asked) end(line.session);
      else if (line.underWay > 0 && now - line.heardAt > LOOK_MS) ping(line);
    }
    if (sessions.size > 0) return;
    clearInterval(looking);
    looking = undefined;
  }

  function ping(line: Line): void {
    line.asked = true;
    line.session.ping((error) => {
      if (error) return;
      line.asked = false;
      line.heardAt = performance.now();
    });
  }

  return {
    post(path, accessToken, body) {
      return new Promise((resolve) => {
        const timer = setTimeout(() => expire(post), timeoutMs);
        const post: Post = { path, accessToken, body, resolve, timer, tries: 0, over: false, sent: null };
        waiting.push(post);
        pump();
      });
    },
    async close() {
      clearInterval(looking);
      const closed = [...sessions.keys()].map((session) => new Promise((resolve) => session.once('close', resolve)));
      for (const session of sessions.keys()) end(session);
      await Promise.all(closed);
    },
  };
}
