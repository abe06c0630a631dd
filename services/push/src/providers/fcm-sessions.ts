// The connections to FCM of one app: as many lines as the streams that FCM allows on each ask for. A push goes out once; what
// FCM certainly has not looked at goes out again at once, over another line.
import type { ConnectionOptions } from 'node:tls';
import { type Line, type LineRequest, LOOK_MS, type OnLine, openLine, type Reply, USUAL_STREAMS } from './fcm-line.ts';

export interface FcmSessionsOptions {
  /** The server and its trusted certificates. Empty: Google's. */
  readonly connect: ConnectionOptions;
  /** Milliseconds that a request may take, waiting for a place included. */
  readonly timeoutMs: number;
}

export interface FcmSessions {
  /** Never rejects, and ends by the clock. */
  post(path: string, accessToken: string, body: string): Promise<Reply>;
  /** Closes the sessions, also under what is under way. */
  close(): Promise<void>;
}

const MOST_LINES = 10;
/** Of one request: a session that ends refuses its latest streams, and the next one may be ending, too. */
const MOST_TRIES = 4;
/** A line that could not be opened is not opened again for so long, while there are others. */
const REOPEN_MS = 1_000;
/** So many in a row, and what waits is given back. */
const MOST_FAILURES = 2;

interface Post extends LineRequest {
  readonly resolve: (reply: Reply) => void;
  readonly timer: NodeJS.Timeout;
  tries: number;
  over: boolean;
  /** Null while it waits for a place. */
  sent: OnLine | null;
}

export function createFcmSessions({ connect, timeoutMs }: FcmSessionsOptions): FcmSessions {
  /** Those that take requests, or will. */
  const lines = new Set<Line>();
  /** Those that finish what they have, too. */
  const all = new Set<Line>();
  const waiting: Post[] = [];
  let reopenAt = 0;
  /** Lines in a row that could not be opened. */
  let failures = 0;
  let freeAt = Number.NEGATIVE_INFINITY;
  let looking: NodeJS.Timeout | undefined;

  /** Begins what waits, and opens lines for what finds no place. */
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
      if (line.isClosed()) lines.delete(line);
      else if (line.hasRoom()) return line;
    }
    return undefined;
  }

  function openMore(): void {
    const opening = [...lines].filter((line) => line.isOpening()).length;
    if (lines.size > 0 && performance.now() < reopenAt) return;
    const more = Math.ceil(waiting.length / USUAL_STREAMS) - opening;
    for (let n = Math.min(more, MOST_LINES - lines.size); n > 0; n--) open();
  }

  function open(): void {
    const line = openLine({
      connect,
      timeoutMs,
      free() {
        if (!line.isOpening()) {
          freeAt = performance.now();
          failures = 0;
        }
        pump();
      },
      retired: (one) => lines.delete(one),
      closed,
    });
    lines.add(line);
    all.add(line);
    looking ??= setInterval(look, LOOK_MS).unref();
  }

  function closed(line: Line, began: boolean): void {
    lines.delete(line);
    all.delete(line);
    // One that ended before it began says nothing, as long as others do begin.
    const others = performance.now() - freeAt < REOPEN_MS;
    if (line.isOpening() && !(began && others)) failedToOpen();
    pump();
  }

  function failedToOpen(): void {
    failures++;
    reopenAt = performance.now() + REOPEN_MS;
    // One alone may be a server that was just going: another is opened at once.
    if (lines.size > 0 || failures < MOST_FAILURES) return;
    for (const post of waiting.splice(0)) reply(post, { status: null, unsent: true, timedOut: false });
  }

  function begin(line: Line, post: Post): void {
    post.tries++;
    post.sent = line.begin(post, (answer) => conclude(post, answer));
  }

  function conclude(post: Post, answer: Reply): void {
    const again = answer.status === null && answer.unsent && post.tries < MOST_TRIES;
    if (!again) {
      reply(post, answer);
      return;
    }
    post.sent = null;
    waiting.push(post);
    // In the moment of the refusal the session does not yet know that it ends.
    setImmediate(pump);
  }

  function expire(post: Post): void {
    reply(post, post.sent?.expire() ?? { status: null, unsent: true, timedOut: true });
  }

  function reply(post: Post, answer: Reply): void {
    clearTimeout(post.timer);
    post.over = true;
    post.resolve(answer);
  }

  function look(): void {
    for (const line of lines) line.look();
    if (all.size > 0) return;
    clearInterval(looking);
    looking = undefined;
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
      await Promise.all([...all].map((line) => line.end()));
    },
  };
}
