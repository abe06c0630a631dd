// Limits of one process, in memory.
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { type LimitCounter, type LimitName, type Limits, limitNames, type Used, WINDOW_SECONDS } from './limits.ts';

/** Addresses remembered at the most, over all limits: about 130 MB. The oldest go first. */
const MAX_ADDRESSES = 200_000;

export function memoryCounter(limits: Limits, maxAddresses = MAX_ADDRESSES): LimitCounter {
  const limiters = Object.fromEntries(
    limitNames.map((name) => [name, new RateLimiterMemory({ points: limits[name], duration: WINDOW_SECONDS })]),
  ) as Record<LimitName, RateLimiterMemory>;
  // The library's memory store has no bound: a flood from many addresses would fill the process.
  const windows = new Map<string, { name: LimitName; address: string; endsAt: number }>();

  function remember(name: LimitName, address: string, endsAt: number): void {
    const key = `${name} ${address}`;
    const known = windows.get(key);
    if (known && known.endsAt > Date.now()) return;
    // Set anew, so that the map stays in the order in which windows end.
    windows.delete(key);
    windows.set(key, { name, address, endsAt });
    for (const [oldest, window] of windows) {
      if (windows.size <= maxAddresses && window.endsAt > Date.now()) break;
      windows.delete(oldest);
      void limiters[window.name].delete(window.address);
    }
  }

  return {
    async use(name, address) {
      const result = await limiters[name].consume(address).catch((rejected: unknown) => {
        if (rejected instanceof RateLimiterRes) return rejected;
        throw rejected;
      });
      remember(name, address, Date.now() + result.msBeforeNext);
      return usedOf(limits[name], result);
    },
  };
}

function usedOf(limit: number, result: RateLimiterRes): Used {
  return {
    allowed: result.consumedPoints <= limit,
    limit,
    remaining: Math.max(0, limit - result.consumedPoints),
    resetSeconds: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
  };
}
