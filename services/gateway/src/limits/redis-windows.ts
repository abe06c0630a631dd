// Windows of a minute in Redis. An address and its site are counted in one round trip.
import type { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { type Used, usedOf, WINDOW_SECONDS } from './limits.ts';

/** Calls of one address or site. */
export interface Calls {
  key: string;
  calls: number;
  limit: number;
}

export interface RedisWindows {
  /** Counts one after the other until one is over its limit: those behind it are not counted, and null. */
  count(all: readonly Calls[]): Promise<(Used | null)[]>;
}

/** @param redis pipelines by itself what is sent in one turn of the event loop */
export function redisWindows(redis: Redis): RedisWindows {
  // The library only counts; `usedOf` judges, as it does for memory. So its own limit does not matter.
  const windows = new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: 'landfall:limit',
    points: 1,
    duration: WINDOW_SECONDS,
  });

  /** Counts and never refuses: the library calls this a penalty. */
  async function used({ key, calls, limit }: Calls): Promise<Used> {
    const { consumedPoints, msBeforeNext } = await windows.penalty(key, calls);
    return usedOf(limit, consumedPoints, msBeforeNext);
  }

  return {
    async count(all) {
      const counted = await Promise.all(all.map(used));
      const refused = counted.findIndex(({ allowed }) => !allowed);
      if (refused < 0) return counted;
      // Counted with it to save a round trip. The next call of this connection is behind this, so nobody waits for it.
      for (const { key, calls } of all.slice(refused + 1)) windows.reward(key, calls).catch(() => {});
      return counted.map((one, i) => (i > refused ? null : one));
    },
  };
}
