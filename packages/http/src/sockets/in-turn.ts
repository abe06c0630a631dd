// Starts the requests that a client sends without waiting for its answers one after the other.
import type { RequestListener } from 'node:http';

/**
 * Without it, Node starts every request that has arrived: 60 of them fit into one packet, and 300 connections start
 * 18,000 at once. A request that was sent early starts when the operating system has taken the answer to the one before
 * it, so a client that does not read its answers starts no further ones. In each turn of the event loop one of them
 * starts: clients that wait for their answers go first.
 */
export function inTurn(listener: RequestListener): RequestListener {
  const early: Parameters<RequestListener>[] = [];
  function startNext(): void {
    const [req, res] = early.shift()!;
    if (early.length > 0) setImmediate(startNext);
    if (!req.destroyed) listener(req, res);
  }
  return (req, res) => {
    // Node gives a response its socket when the responses before it are sent.
    if (res.socket) return listener(req, res);
    res.once('socket', () => {
      if (early.push([req, res]) === 1) setImmediate(startNext);
    });
  };
}
