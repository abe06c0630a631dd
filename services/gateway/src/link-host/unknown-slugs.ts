// Stops programs that try slugs until they find one. A chosen or short slug can be guessed, one that Landfall makes by
// itself cannot.
import type { ClientAddress, LimitCounter } from '@landfall/http';
import { LRUCache } from 'lru-cache';

/** The most addresses that are remembered. Each entry lasts a minute. */
const MOST = 10_000;

type Address = Pick<ClientAddress, 'key' | 'site'>;

export function unknownSlugs({ limits, now }: { limits: LimitCounter; now: () => Date }) {
  const until = new LRUCache<string, number>({ max: MOST });
  return {
    /** True when the address has tapped too many unknown slugs in this minute. Asks no counter: every tap asks this. */
    isOver: ({ key }: Address): boolean => (until.get(key) ?? 0) > now().getTime(),
    async missed({ key, site }: Address): Promise<void> {
      const used = await limits.use('unknown-slug', key, site);
      if (!used.allowed) until.set(key, now().getTime() + used.resetSeconds * 1_000);
    },
  };
}
