// The HTTP/2 sessions of a fake, and how it closes them.
import { constants, type Http2SecureServer, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';

/** A connection, and its streams. */
export interface Line {
  readonly session: ServerHttp2Session;
  readonly under: Set<number>;
  /** The greatest id of a stream that was looked at. */
  lastSeen: number;
  /** Streams from this id on are not looked at. */
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
    lines.set(session, { session, under: new Set(), lastSeen: 0, refusedFrom: Number.POSITIVE_INFINITY });
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

/** Returns true when the server looks at the stream now, and false when it refused it before or the stream is gone. */
export function looksAt(line: Line, { id = 0, destroyed }: ServerHttp2Stream): boolean {
  if (id >= line.refusedFrom || destroyed) return false;
  line.lastSeen = Math.max(line.lastSeen, id);
  return true;
}

function close(line: Line, how: GoAway): void {
  const { session, under } = line;
  if (session.destroyed) return;
  if (how === 'refusing') {
    const ids = [...under].sort((a, b) => a - b);
    // A server must not call a stream unseen that it has looked at.
    const lastSeen = Math.max(ids[Math.floor(ids.length / 2)] ?? 0, line.lastSeen);
    line.refusedFrom = lastSeen + 1;
    session.goaway(constants.NGHTTP2_NO_ERROR, lastSeen);
  } else if (how === 'abrupt') {
    session.goaway(constants.NGHTTP2_NO_ERROR);
    session.destroy();
  } else session.close();
}
