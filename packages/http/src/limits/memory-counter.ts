// Counts the rate limits of one process in memory, one count for each window of an address.
import {
  type LimitCounter,
  type LimitName,
  type Limits,
  limitNames,
  siteLimit,
  tighter,
  type Used,
  usedOf,
} from './limits.ts';
import { createWindows } from './windows.ts';

/**
 * The number of windows over all limits that are surely kept, in 6 MB. Beyond it the least recently used ones of a group
 * go. So a caller with many addresses of one site removes other windows, but never the window of the site.
 */
const MAX_WINDOWS = 200_000;

const kinds = new Map(limitNames.map((name, i) => [name, i]));

export function memoryCounter(limits: Limits, maxWindows = MAX_WINDOWS) {
  const windows = createWindows(maxWindows);

  function usedBy(name: LimitName, network: string, limit: number, calls: number): Used {
    windows.add(kinds.get(name)!, network, calls);
    return usedOf(limit, windows.used, windows.leftMs);
  }

  /** `site` is null when there is none, and when the address is over its own limit. */
  function count(name: LimitName, address: string, site?: string | null, calls = 1) {
    const limit = limits[name];
    const used = usedBy(name, address, limit, calls);
    return { address: used, site: site && used.allowed ? usedBy(name, site, siteLimit(limit), calls) : null };
  }

  return {
    count,
    use: async (name: LimitName, address: string, site?: string | null, calls?: number) =>
      tighter(count(name, address, site, calls)),
    mode: () => 'memory',
    health: () => ({ ok: true }),
    close() {},
  } satisfies LimitCounter & { count: typeof count };
}
