// Limits of one process, in memory: a count for each window of a minute that an address began.
import { LRUCache } from 'lru-cache';
import { type LimitCounter, type Limits, usedOf, WINDOW_SECONDS } from './limits.ts';

/** Windows remembered at the most, over all limits: about 30 MB. The least recently used go first. */
const MAX_WINDOWS = 200_000;

interface Window {
  used: number;
  /** Milliseconds. */
  endsAt: number;
}

export function memoryCounter(limits: Limits, maxWindows = MAX_WINDOWS): LimitCounter {
  const windows = new LRUCache<string, Window>({ max: maxWindows });
  return {
    async use(name, address) {
      const now = Date.now();
      const key = `${name} ${address}`;
      let window = windows.get(key);
      if (window === undefined || window.endsAt <= now) {
        window = { used: 0, endsAt: now + WINDOW_SECONDS * 1000 };
        windows.set(key, window);
      }
      window.used++;
      return usedOf(limits[name], window.used, window.endsAt - now);
    },
    mode: () => 'memory',
    health: () => ({ ok: true }),
    close() {},
  };
}
