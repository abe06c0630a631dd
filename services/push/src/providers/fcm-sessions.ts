// The FCM connections of one app. FCM allows a number of streams on each line, and there are as many lines as the
// requests need. A push goes out once. A push that FCM has certainly not processed goes out again at once, over another
// line.
import type { ConnectionOptions } from 'node:tls';
import { type Line, type LineRequest, LOOK_MS, type OnLine, openLine, type Reply, USUAL_STREAMS } from './fcm-line.ts';

export interface FcmSessionsOptions {
  /** The server and its trusted certificates. Empty: Google's. */
  readonly connect: ConnectionOptions;
  /** Milliseconds that a request may take, including the wait for a free stream. */
  readonly timeoutMs: number;
}

export interface FcmSessions {
  /** Sends a request. Never rejects, and always resolves within the timeout. */
  post(path: string, accessToken: string, body: string): Promise<Reply>;
  /** Closes the sessions, even with requests under way. */
  close(): Promise<void>;
}

const MOST_LINES = 10;
/**
 * The number of tries for one request. A session that ends refuses its latest streams, and the next session may be
 * ending, too.
 */
const MOST_TRIES = 4;
/** After a line could not be opened, no line is opened for this many milliseconds while there are other lines. */
const REOPEN_MS = 1_000;
/** After this many failures in a row, and with no other line, the waiting requests are answered as unsent. */
const MOST_FAILURES = 2;

interface Post extends LineRequest {
  readonly resolve: (reply: Reply) => void;
  readonly timer: NodeJS.Timeout;
  tries: number;
  over: boolean;
  /** Null while the request waits for a free stream. */
  sent: OnLine | null;
}

export function createFcmSessions({ connect, timeoutMs }: FcmSessionsOptions): FcmSessions {
  /** Lines that take requests, or will take requests once they are open. */
  const lines = new Set<Line>();
  /** All lines, including lines that only finish their requests. */
  const all = new Set<Line>();
  const waiting: Post[] = [];
  let reopenAt = 0;
  /** The number of lines in a row that could not be opened. */
  let failures = 0;
  let freeAt = Number.NEGATIVE_INFINITY;
  let looking: NodeJS.Timeout | undefined;

  /** Begins the waiting requests, and opens lines for requests that find no free stream. */
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

  /** Returns the first line with a free stream, so that surplus lines become idle. */
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
    // A line that its server ends before it begins is not a failure, as long as other lines do begin.
    const others = performance.now() - freeAt < REOPEN_MS;
    if (line.isOpening() && !(began && others)) failedToOpen();
    pump();
  }

  function failedToOpen(): void {
    failures++;
    reopenAt = performance.now() + REOPEN_MS;
    // A single failure may be a server that was just shutting down. Another line is opened at once.
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
    // At the moment of the refusal the session does not know yet that it ends.
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
