// Counts windows of a minute in Redis. It counts an address and its site in one round trip.
import { RateLimiterRedis } from 'rate-limiter-flexible';
import type { Redis } from '../redis/redis.ts';
import { type Used, usedOf, WINDOW_SECONDS } from './limits.ts';

/** A number of calls of one address or site. */
export interface Calls {
  key: string;
  calls: number;
  limit: number;
}

export interface RedisWindows {
  /** Counts one after the other until one is over its limit. The rest are not counted, and are null. */
  count(all: readonly Calls[]): Promise<(Used | null)[]>;
}

/** @param redis pipelines the commands of one turn of the event loop */
export function redisWindows(redis: Redis): RedisWindows {
  // The library only counts. `usedOf` decides, as it does for memory. So the library's own limit has no effect.
  const windows = new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: 'landfall:limit',
    points: 1,
    duration: WINDOW_SECONDS,
  });

  /** Counts without a refusal: the library calls this a penalty. */
  async function used({ key, calls, limit }: Calls): Promise<Used> {
    const { consumedPoints, msBeforeNext } = await windows.penalty(key, calls);
    return usedOf(limit, consumedPoints, msBeforeNext);
  }

  return {
    async count(all) {
      const counted = await Promise.all(all.map(used));
      const refused = counted.findIndex(({ allowed }) => !allowed);
      if (refused < 0) return counted;
      // They were counted in the same round trip to save time, so take them back. The next call on this connection
      // comes after this command, so nobody waits for it.
      for (const { key, calls } of all.slice(refused + 1)) windows.reward(key, calls).catch(() => {});
      return counted.map((one, i) => (i > refused ? null : one));
    },
  };
}
