// Under which names a process shows its metrics. A page that somebody of the operator's network opens can make its own name point
// to an address of that network, and read what answers there (DNS rebinding). It cannot choose an address, or a name that public
// DNS does not have.
import { hostname } from 'node:os';
import { z } from 'zod';
import { readNames } from './config.ts';

export const MetricsHostsConfig = z.object({
  METRICS_HOSTS: z
    .string()
    .default('')
    .transform(readNames)
    .describe(
      'Further host names under which METRICS_PORT answers `/metrics`, comma-separated. It does under every address, names without a dot, the name of the machine, and names that end with `.svc`, `.local`, `.internal` or `.home.arpa`.',
    )
    .meta({ fallback: ' ' }),
});

const PRIVATE = /(?:^|\.)(?:localhost|svc|local|internal|home\.arpa)$/;

/** @param host as the header says it, with a port or without; undefined where there is none, which no browser leaves out */
export function mayReadMetrics(host: string | undefined, further: readonly string[] = []): boolean {
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
