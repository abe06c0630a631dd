// Finds the app whose links a host has.
import type { App } from '@landfall/contracts';
import type { Uses } from '../routing/route.ts';

/** Returns null when no app has the host. */
export async function appOfHost(
  host: string,
  { hosts, lookups, config }: Uses<'hosts' | 'lookups' | 'config'>,
): Promise<App | null> {
  if (config.SIMULATED_APP !== undefined && hosts.isSimulatedApp(host)) return lookups.app(config.SIMULATED_APP);
  const label = hosts.appLabel(host);
  return label === null ? null : lookups.host(label);
}
