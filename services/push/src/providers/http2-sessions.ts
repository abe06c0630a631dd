// The connections of one app to a provider. A server allows a number of streams on each line, and there are as many lines
// as the requests need. A push goes out once. A push that the server has certainly not processed goes out again at once,
// over another line.
import {
  type Http2Options,
  type Line,
  type LineOptions,
  type LineRequest,
  LOOK_MS,
  type OnLine,
  openLine,
  type Reply,
} from './http2-line.ts';

/** The number of waiting requests for which a line is opened: Google allows so many streams on one. */
const STREAMS = 100;
/** After a line could not be opened, no line is opened for this many milliseconds while there are other lines. */
const REOPEN_MS = 1_000;
/** After this many failures in a row, and with no other line, the waiting requests are answered as unsent. */
const MOST_FAILURES = 2;
/** A session that has just begun, or is about to end, refuses surplus streams, and the next may be ending, too. */
const MOST_TRIES = 4;

interface Post {
  readonly request: LineRequest;
  readonly resolve: (reply: Reply) => void;
  readonly timer: NodeJS.Timeout;
  over: boolean;
  /** Null while the request waits for a free stream. */
  sent: OnLine | null;
}

interface SessionsOptions extends Http2Options, Pick<LineOptions, 'host' | 'idleMs'> {
  readonly mostLines: number;
}

/** @param options `timeoutMs` includes the wait for a free stream */
export function createHttp2Sessions(options: SessionsOptions) {
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
      if (!post.over) post.sent = line.begin(post.request, (answer) => reply(post, answer));
    }
  }

  /** Returns the first line with a free stream, so that surplus lines become idle. */
  function lineWithRoom(): Line | undefined {
    for (const line of lines) if (line.hasRoom()) return line;
    return undefined;
  }

  function openMore(): void {
    const opening = [...lines].filter((line) => line.isOpening()).length;
    if (lines.size > 0 && performance.now() < reopenAt) return;
    const more = Math.ceil(waiting.length / STREAMS) - opening;
    for (let n = Math.min(more, options.mostLines - lines.size); n > 0; n--) open();
  }

  function open(): void {
    const line = openLine({
      ...options,
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
    for (const post of waiting.splice(0)) reply(post, { status: null, unsent: 'unreachable', timedOut: false });
  }

  function postOnce(request: LineRequest, withinMs: number): Promise<Reply> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        reply(post, post.sent?.expire() ?? { status: null, unsent: 'unreachable', timedOut: true });
      }, withinMs);
      const post: Post = { request, resolve, timer, over: false, sent: null };
      waiting.push(post);
      pump();
    });
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
    /** Sends a request. Never rejects, and always resolves within the timeout. */
    async post(request: LineRequest): Promise<Reply> {
      const until = performance.now() + options.timeoutMs;
      for (let tries = 1; ; tries++) {
        const answer = await postOnce(request, until - performance.now());
        const isRefused = answer.status === null && answer.unsent === 'refused';
        if (!isRefused || tries === MOST_TRIES) return answer;
        // At the moment of the refusal the session does not know yet that it ends.
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    /** Closes the sessions, even with requests under way. */
    async close() {
      clearInterval(looking);
      await Promise.all([...all].map((line) => line.end()));
    },
  };
}
