// Counts rate limits in Redis, which all gateways share. A call costs one round trip, and simultaneous calls share one.
// While Redis is down, each gateway counts in its own memory. It returns to Redis by itself.
import { type Logger, reasonOf } from '@landfall/runtime';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { inTime, type Redis } from '../redis/redis.ts';
import {
  type LimitCounter,
  type Limits,
  siteLimit,
  tighter,
  type Used,
  uncounted,
  usedOf,
  WINDOW_SECONDS,
} from './limits.ts';
import { memoryCounter } from './memory-counter.ts';

interface RedisCounterOptions {
  /** A connection of `connectRedis`. The counter closes it. */
  redis: Redis;
  /** Milliseconds that a call may wait for Redis. */
  withinMs: number;
  limits: Limits;
  /** Returns the key of an address in Redis, the same in all gateways. No address is stored in plain text. */
  keyOf(address: string): string;
  log: Logger;
}

/** Milliseconds between attempts to reach Redis while it is down. */
const TRY_EVERY_MS = 500;

interface Away {
  since: Date;
  /** True when the outage was logged. At the start a Redis that is not yet connected is no outage. */
  said: boolean;
}

export function redisCounter({ redis, withinMs, limits, keyOf, log }: RedisCounterOptions): LimitCounter {
  const memory = memoryCounter(limits);
  const countIn = redisWindows(redis);
  let away: Away | undefined = { since: new Date(), said: false };
  let closed = false;

  redis.on('error', leave);
  redis.on('close', () => leave(new Error('the connection was closed')));
  redis.on('ready', tryRedis);
  const trying = setInterval(() => {
    if (away && redis.status === 'ready') void tryRedis();
  }, TRY_EVERY_MS).unref();

  /** Rejects when Redis does not count in time. */
  const count = (calls: Calls[]) => inTime(withinMs, countIn(calls));

  /** Switches to memory at the first failure, because every call that waits for Redis would wait in vain. */
  function leave(error: unknown): void {
    if (closed) return;
    away ??= { since: new Date(), said: false };
    if (away.said) return;
    away.said = true;
    // Only the message: an error of ioredis carries its command, which may hold the password.
    log.warn({ reason: reasonOf(error) }, 'Redis is down: each gateway counts rate limits in its own memory');
  }

  /** Tries to count, because a replica and a Redis without memory also answer a ping. */
  async function tryRedis(): Promise<void> {
    try {
      await count([{ key: 'try', calls: 1, limit: 1 }]);
    } catch (error) {
      return leave(error);
    }
    if (closed || away === undefined) return;
    log.info({ awayMs: Date.now() - away.since.getTime() }, 'rate limits are counted in Redis');
    away = undefined;
  }

  return {
    async use(name, address, site, calls = 1) {
      const limit = limits[name];
      const own = uncounted(name, limit);
      const here = own === 0 ? undefined : memory.count(name, address, site, calls);
      const ofAddress = callsToTell(here?.address, own, calls);
      const ofSite = site && here?.site !== null ? callsToTell(here?.site, siteLimit(own), calls) : 0;
      const told: Calls[] = [];
      if (ofAddress > 0) told.push({ key: `${name}:${keyOf(address)}`, calls: ofAddress, limit });
      if (ofSite > 0) told.push({ key: `${name}:${keyOf(site!)}`, calls: ofSite, limit: siteLimit(limit) });
      if (away === undefined && told.length > 0) {
        try {
          const counted = await count(told);
          return tighter({
            address: ofAddress > 0 ? counted[0]! : here!.address,
            site: ofSite > 0 ? (counted.at(-1) ?? null) : (here?.site ?? null),
          });
        } catch (error) {
          leave(error);
        }
      }
      return here ? tighter(here) : memory.use(name, address, site, calls);
    },
    mode: () => (away ? 'memory' : 'redis'),
    health: () =>
      away
        ? { ok: true, detail: `rate limits are counted in memory: Redis is down since ${away.since.toISOString()}` }
        : { ok: true },
    close() {
      closed = true;
      clearInterval(trying);
      redis.disconnect();
    },
  };
}

/**
 * Returns the number of calls of an address or a site to report, including `calls` of this one. It is zero while they
 * are few enough to keep, and then all kept calls.
 * @param here the count of this gateway alone; undefined when it keeps nothing to itself
 */
function callsToTell(here: Used | undefined, own: number, calls: number): number {
  if (here === undefined) return calls;
  const used = here.limit - here.remaining;
  if (used <= own) return 0;
  return used - calls <= own ? used : calls;
}

interface Calls {
  key: string;
  calls: number;
  limit: number;
}

/**
 * Returns a function that counts calls one after the other until one is over its limit. The rest are not counted, and
 * are null.
 * @param redis pipelines the commands of one turn of the event loop, so that an address and its site are one round trip
 */
function redisWindows(redis: Redis): (all: readonly Calls[]) => Promise<(Used | null)[]> {
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

  return async (all) => {
    const counted = await Promise.all(all.map(used));
    const refused = counted.findIndex(({ allowed }) => !allowed);
    if (refused < 0) return counted;
    // They were counted in the same round trip to save time, so take them back. The next call on this connection comes
    // after this command, so nobody waits for it.
    for (const { key, calls } of all.slice(refused + 1)) windows.reward(key, calls).catch(() => {});
    return counted.map((one, i) => (i > refused ? null : one));
  };
}
