// Finds the app whose links a host has.
import type { App } from '@landfall/contracts';
import type { Hosts, HttpConfig } from '@landfall/http';
import type { Lookups } from '../lookups/lookups.ts';

interface Parts {
  hosts: Hosts;
  lookups: Pick<Lookups, 'app' | 'host'>;
  config: HttpConfig;
}

/** Returns null when no app has the host. */
export async function appOfHost(host: string, { hosts, lookups, config }: Parts): Promise<App | null> {
  if (config.SIMULATED_APP !== undefined && hosts.isSimulatedApp(host)) return lookups.app(config.SIMULATED_APP);
  const label = hosts.appLabel(host);
  return label === null ? null : lookups.host(label);
}
