// Counts the rate limits of one process in memory, one count for each window of an address.
import { LRUCache } from 'lru-cache';
import {
  type LimitCounter,
  type LimitName,
  type Limits,
  siteLimit,
  tighter,
  type Used,
  usedOf,
  WINDOW_SECONDS,
} from './limits.ts';

/**
 * The maximum number of windows over all limits, about 30 MB. The least recently used go first. So a caller with many
 * addresses of one site removes other windows, but never the window of the site.
 */
const MAX_WINDOWS = 200_000;

interface Window {
  used: number;
  /** The end of the window, in milliseconds. */
  endsAt: number;
}

/** The result of counting a call. */
export interface Counted {
  address: Used;
  /** Null when there is no site, and when the address is over its own limit. */
  site: Used | null;
}

export interface MemoryCounter extends LimitCounter {
  count(name: LimitName, address: string, site?: string | null): Counted;
}

export function memoryCounter(limits: Limits, maxWindows = MAX_WINDOWS): MemoryCounter {
  const windows = new LRUCache<string, Window>({ max: maxWindows });

  function usedBy(name: LimitName, network: string, limit: number): Used {
    const now = Date.now();
    const key = `${name} ${network}`;
    let window = windows.get(key);
    if (window === undefined || window.endsAt <= now) {
      window = { used: 0, endsAt: now + WINDOW_SECONDS * 1000 };
      windows.set(key, window);
    }
    window.used++;
    return usedOf(limit, window.used, window.endsAt - now);
  }

  function count(name: LimitName, address: string, site?: string | null): Counted {
    const limit = limits[name];
    const used = usedBy(name, address, limit);
    return { address: used, site: site && used.allowed ? usedBy(name, site, siteLimit(limit)) : null };
  }

  return {
    count,
    use: async (name, address, site) => tighter(count(name, address, site)),
    mode: () => 'memory',
    health: () => ({ ok: true }),
    close() {},
  };
}
