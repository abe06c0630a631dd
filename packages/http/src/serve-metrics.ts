// Serves `/metrics` on the gateway's own port, only to requests from this machine. Only such a request is certainly no
// stranger's: behind Docker's forwarded ports and Kubernetes' services all clients have private addresses. Other
// readers use METRICS_PORT.
import type { IncomingMessage } from 'node:http';
import type { Metrics } from '@landfall/runtime';
import type { RequestHandler } from 'express';
import ipaddr from 'ipaddr.js';
import { ApiError } from './answers/errors.ts';
import { send } from './answers/respond.ts';
import { gathered } from './answers/response-headers.ts';

export const serveMetrics =
  (metrics: Metrics): RequestHandler =>
  async (req, res) => {
    if (!isFromThisMachine(req)) throw new ApiError('NOT_FOUND');
    gathered(res)['Cache-Control'] = 'no-store';
    send(res, 200, metrics.contentType, await metrics.text());
  };

/** Headers that proxies add. A request with one of them comes from elsewhere. */
const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

export function isFromThisMachine({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): boolean {
  const peer = socket.remoteAddress?.split('%')[0] ?? '';
  return (
    ipaddr.isValid(peer) &&
    ipaddr.process(peer).range() === 'loopback' &&
    FORWARDED.every((name) => headers[name] === undefined)
  );
}
