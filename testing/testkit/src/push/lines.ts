// The HTTP/2 sessions of a fake, and how it closes them.
import { constants, type Http2SecureServer, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';

/** A connection, and the streams on it that will not be looked at. */
export interface Line {
  readonly session: ServerHttp2Session;
  readonly under: Set<number>;
  refusedFrom: number;
}

/** The way to close sessions: see {@link Lines.goAway}. */
export type GoAway = 'graceful' | 'refusing' | 'abrupt';

export interface Lines {
  /** Of the session of a stream that begins; undefined, and the stream is closed, when the session has gone. */
  take(stream: ServerHttp2Stream): Line | undefined;
  /**
   * Closes the sessions that there are. `graceful`: what is under way is answered. `refusing`: the later half of it is
   * refused unseen. `abrupt`: nothing is answered any more.
   */
  goAway(how?: GoAway): void;
  /** Sessions that there were. */
  count(): number;
  destroy(): void;
}

export function createLines(server: Http2SecureServer): Lines {
  const lines = new Map<ServerHttp2Session, Line>();
  let count = 0;
  server.on('session', (session) => {
    count++;
    lines.set(session, { session, under: new Set(), refusedFrom: Number.POSITIVE_INFINITY });
    session.on('error', () => {});
    session.once('close', () => lines.delete(session));
  });

  return {
    take(stream) {
      const line = lines.get(stream.session as ServerHttp2Session);
      stream.on('error', () => {});
      if (!line) {
        stream.close();
        return undefined;
      }
      const id = stream.id!;
      line.under.add(id);
      stream.once('close', () => line.under.delete(id));
      return line;
    },
    goAway(how = 'graceful') {
      for (const line of lines.values()) close(line, how);
    },
    count: () => count,
    destroy() {
      for (const session of lines.keys()) session.destroy();
    },
  };
}

function close(line: Line, how: GoAway): void {
  const { session, under } = line;
  if (session.destroyed) return;
  if (how === 'refusing') {
    const ids = [...under].sort((a, b) => a - b);
    const lastSeen = ids[Math.floor(ids.length / 2)] ?? 0;
    line.refusedFrom = lastSeen + 1;
    session.goaway(constants.NGHTTP2_NO_ERROR, lastSeen);
  } else if (how === 'abrupt') {
    session.goaway(constants.NGHTTP2_NO_ERROR);
    session.destroy();
  } else session.close();
}
