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

/** The result of counting a call. */
export interface Counted {
  address: Used;
  /** Null when there is no site, and when the address is over its own limit. */
  site: Used | null;
}

export interface MemoryCounter extends LimitCounter {
  count(name: LimitName, address: string, site?: string | null, calls?: number): Counted;
}

const kinds = new Map(limitNames.map((name, i) => [name, i]));

export function memoryCounter(limits: Limits, maxWindows = MAX_WINDOWS): MemoryCounter {
  const windows = createWindows(maxWindows);

  function usedBy(name: LimitName, network: string, limit: number, calls: number): Used {
    windows.add(kinds.get(name)!, network, calls);
    return usedOf(limit, windows.used, windows.leftMs);
  }

  function count(name: LimitName, address: string, site?: string | null, calls = 1): Counted {
    const limit = limits[name];
    const used = usedBy(name, address, limit, calls);
    return { address: used, site: site && used.allowed ? usedBy(name, site, siteLimit(limit), calls) : null };
  }

  return {
    count,
    use: async (name, address, site, calls) => tighter(count(name, address, site, calls)),
    mode: () => 'memory',
    health: () => ({ ok: true }),
    close() {},
  };
}
