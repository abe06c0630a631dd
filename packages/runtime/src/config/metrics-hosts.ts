// The host names under which a process shows its metrics. A person in the operator's network may open a web page. That
// page can make its own name point to an address of the network, and read the response from there (DNS rebinding). It
// cannot choose an address as its name, or a name that public DNS does not have.
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

/**
 * Returns true when a request with this Host header may read the metrics.
 * @param host the value of the header, with or without a port; undefined without the header, which every browser sends
 */
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
