// Bounds the connections of each address, and ends those whose client reads nothing.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionsOptions {
  /** Returns the names that the connections of a peer are counted for, with their limits. None: it is not counted. */
  countedFor(peer: string): readonly { name: string; max: number }[];
  /** Milliseconds without progress after which a connection with waiting output is ended. */
  stuckMs: number;
  /** Called for each connection that was closed because there were too many, of one peer or in all. */
  onRefused(): void;
}

/** Checks for a progress within the time without one. */
const CHECKS = 6;

export function boundConnections(server: Server, { countedFor, stuckMs, onRefused }: ConnectionsOptions): void {
  const counts = new Map<string, number>();
  const open = new Map<Socket, Progress>();
  let checking: NodeJS.Timeout | undefined;

  server.on('connection', (socket) => {
    const counted = countedFor(socket.remoteAddress ?? '');
    if (counted.some(({ name, max }) => (counts.get(name) ?? 0) >= max)) {
      onRefused();
      socket.destroy();
      return;
    }
    for (const { name } of counted) counts.set(name, (counts.get(name) ?? 0) + 1);
    open.set(socket, { sent: 0, checks: 0 });
    checking ??= setInterval(endStuck, stuckMs / CHECKS).unref();
    socket.once('close', () => {
      open.delete(socket);
      for (const { name } of counted) {
        const left = counts.get(name)! - 1;
        if (left > 0) counts.set(name, left);
        else counts.delete(name);
      }
    });
  });
  server.once('close', () => clearInterval(checking));

  function endStuck() {
    endInTurn([...open].filter(([socket, progress]) => isStuck(socket, progress)).map(([socket]) => socket));
  }
}

/** Ends one connection in each turn of the event loop. Node aborts every request that waits on it, which takes time. */
function endInTurn(sockets: Socket[]): void {
  sockets.pop()?.destroy();
  if (sockets.length > 0) setImmediate(endInTurn, sockets);
}

interface Progress {
  /** Bytes that the operating system had taken at the last progress. */
  sent: number;
  /** Checks since then. */
  checks: number;
}

/**
 * Node's own time-out of a socket also counts what the client sends, so one that sends and never reads would stay. What
 * the operating system has taken is known to the handle alone.
 */
function isStuck(socket: Socket, progress: Progress): boolean {
  const { _handle: handle } = socket as Socket & { _handle?: { bytesWritten: number; writeQueueSize: number } | null };
  if (!handle) return false;
  const sent = handle.bytesWritten - handle.writeQueueSize;
  if (handle.writeQueueSize === 0 || sent !== progress.sent) {
    Object.assign(progress, { sent, checks: 0 });
    return false;
  }
  return ++progress.checks >= CHECKS;
}
