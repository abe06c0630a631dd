// Serves health and metrics on METRICS_PORT, which is for the operator's network, not for the internet.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { z } from 'zod';
import { readNames, StartError } from '../config/config.ts';
import type { Logger } from '../logging/logger.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Health } from './health.ts';

export interface ServeHealthOptions {
  /** 0 takes any free port. */
  port: number;
  health: Health;
  metrics: Metrics;
  /** More host names under which metrics are shown: see {@link mayReadMetrics}. */
  metricsHosts?: readonly string[];
  log: Logger;
}

export type HealthServer = Awaited<ReturnType<typeof serveHealth>>;

interface Answer {
  status: number;
  type: string;
  body: string;
}

/** Serves `/livez`, `/readyz` and `/metrics`. Throws {@link StartError} when the port is taken or not permitted. */
export async function serveHealth({ port, health, metrics, metricsHosts, log }: ServeHealthOptions) {
  const pages: Record<string, () => Answer | Promise<Answer>> = {
    '/livez': () => json(200, { status: 'alive' }),
    '/readyz': async () => {
      const { status, body } = await readiness(health);
      return json(status, body);
    },
    '/metrics': async () => ({ status: 200, type: metrics.contentType, body: await metrics.text() }),
  };

  async function answer(req: IncomingMessage): Promise<Answer> {
    const path = (req.url ?? '/').split('?', 1)[0]!;
    const page = pages[path];
    const hidden = path === '/metrics' && !mayReadMetrics(req.headers.host, metricsHosts);
    if (!page || hidden) return json(404, { error: 'There is nothing at this path.', code: 'NOT_FOUND' });
    if (req.method !== 'GET' && req.method !== 'HEAD')
      return json(405, { error: 'This path does not support the method.', code: 'METHOD_NOT_ALLOWED' });
    return page();
  }

  const server = createServer((req, res) => {
    answer(req)
      .catch((err: unknown) => {
        log.error({ err }, 'health or metrics could not be answered');
        return json(500, { error: 'Something went wrong on our side.', code: 'FAILED' });
      })
      .then((answered) => send(res, answered));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') return reject(error);
      reject(new StartError(`Port ${port} cannot be used for health and metrics: set METRICS_PORT to another.`));
    });
    server.listen(port, resolve);
  });

  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        // These connections carry no work that must finish.
        server.closeAllConnections();
      }),
  };
}

/** @param shown `no-details` for strangers: details name addresses and groups of the operator */
export async function readiness(
  health: Health,
  shown: 'all' | 'no-details' = 'all',
): Promise<{ status: 200 | 503; body: object }> {
  const { ready, checks } = await health.read();
  const listed =
    shown === 'all' ? checks : Object.fromEntries(Object.entries(checks).map(([name, { ok }]) => [name, { ok }]));
  return { status: ready ? 200 : 503, body: { status: ready ? 'ready' : 'not ready', checks: listed } };
}

const json = (status: number, body: object): Answer => ({
  status,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(body),
});

function send(res: ServerResponse, { status, type, body }: Answer): void {
  res.writeHead(status, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...(status === 405 && { Allow: 'GET, HEAD' }),
  });
  res.end(body);
}

/**
 * Host names under which a process shows its metrics. A web page that somebody in the operator's network opens can make
 * its own name point to an address there, and read the answer (DNS rebinding). It cannot choose an address as its name,
 * or a name that public DNS does not have.
 */
export const MetricsHostsConfig = z.object({
  METRICS_HOSTS: z
    .string()
    .default('')
    .transform(readNames)
    .describe(
      'Further host names under which METRICS_PORT answers `/metrics`, comma-separated. It does under every address, names without a dot, the name of the machine, and names that end with `.svc`, `.local`, `.internal` or `.home.arpa`.',
    ),
});

const PRIVATE = /(?:^|\.)(?:localhost|svc|local|internal|home\.arpa)$/;

/** @param host the Host header, with or without a port. Undefined without it: every browser sends it */
function mayReadMetrics(host: string | undefined, further: readonly string[] = []): boolean {
  if (host === undefined) return true;
  const name = host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
  return (
    /^[\d.]+$/.test(name) ||
    name.startsWith('[') ||
    !name.includes('.') ||
    PRIVATE.test(name) ||
    name === hostname().toLowerCase() ||
    further.includes(name)
  );
}
