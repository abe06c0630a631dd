// Limits that all gateways share, in Redis: one round trip for a call, and calls that come together travel together.
// While Redis does not count, each gateway counts in memory for itself, and it goes back by itself.
import type { Logger } from '@landfall/runtime';
import { Redis } from 'ioredis';
import { type LimitCounter, type Limits, siteLimit, tighter, type Used, untold } from './limits.ts';
import { memoryCounter } from './memory-counter.ts';
import { type Calls, redisWindows } from './redis-windows.ts';

export interface RedisCounterOptions {
  /** `redis://` or `rediss://` */
  url: string;
  /** Milliseconds that a call waits for Redis at most. */
  withinMs: number;
  limits: Limits;
  /** Under what an address is kept in Redis: no address is stored as it is. The same in all gateways. */
  keyOf(address: string): string;
  log: Logger;
}

/** Milliseconds between two attempts to reach Redis while it is away. */
const TRY_EVERY_MS = 500;
/** A connection that is silent for so long is given up: behind a failover nobody would ever answer on it. */
const SILENT_MS = 500;
const CONNECT_MS = 1_000;

interface Away {
  since: Date;
  /** True when the outage was logged. A Redis that is not connected yet at the start is not an outage. */
  said: boolean;
}

/** Connects in the background. */
export function redisCounter({ url, withinMs, limits, keyOf, log }: RedisCounterOptions): LimitCounter {
  const memory = memoryCounter(limits);
  const redis = connectTo(url);
  const windows = redisWindows(redis);
  let away: Away | undefined = { since: new Date(), said: false };
  let closed = false;

  redis.on('error', leave);
  redis.on('close', () => leave(new Error('the connection was closed')));
  redis.on('ready', tryRedis);
  const trying = setInterval(() => {
    if (away && redis.status === 'ready') void tryRedis();
  }, TRY_EVERY_MS).unref();

  /** Rejects when Redis did not count in time. */
  const count = (calls: Calls[]) => inTime(withinMs, windows.count(calls));

  /** From the first failure on calls go straight to memory: each that waited for Redis would wait in vain. */
  function leave(error: unknown): void {
    if (closed) return;
    away ??= { since: new Date(), said: false };
    if (away.said) return;
    away.said = true;
    log.warn({ reason: reasonOf(error) }, 'Redis is away: limits are kept in memory, by each gateway for itself');
  }

  /** By counting, because a replica and a Redis without memory answer a ping as well. */
  async function tryRedis(): Promise<void> {
    try {
      await count([{ key: 'try', calls: 1, limit: 1 }]);
    } catch (error) {
      return leave(error);
    }
    if (closed || away === undefined) return;
    log.info({ awayMs: Date.now() - away.since.getTime() }, 'limits are kept in Redis');
    away = undefined;
  }

  return {
    async use(name, address, site) {
      const limit = limits[name];
      const own = untold(name, limit);
      const here = own === 0 ? undefined : memory.count(name, address, site);
      const ofAddress = callsToTell(here?.address, own);
      const ofSite = site && here?.site !== null ? callsToTell(here?.site, siteLimit(own)) : 0;
      const calls: Calls[] = [];
      if (ofAddress > 0) calls.push({ key: `${name}:${keyOf(address)}`, calls: ofAddress, limit });
      if (ofSite > 0) calls.push({ key: `${name}:${keyOf(site!)}`, calls: ofSite, limit: siteLimit(limit) });
      if (away === undefined && calls.length > 0) {
        try {
          const counted = await count(calls);
          return tighter({
            address: ofAddress > 0 ? counted[0]! : here!.address,
            site: ofSite > 0 ? (counted.at(-1) ?? null) : (here?.site ?? null),
          });
        } catch (error) {
          leave(error);
        }
      }
      return here ? tighter(here) : memory.use(name, address, site);
    },
    mode: () => (away ? 'memory' : 'redis'),
    health: () =>
      away
        ? { ok: true, detail: `limits are kept in memory: Redis is away since ${away.since.toISOString()}` }
        : { ok: true },
    close() {
      closed = true;
      clearInterval(trying);
      redis.disconnect();
    },
  };
}

/**
 * Of an address or a site, with this one: none as long as they are few enough to keep, and then all that were kept.
 * @param here as this gateway alone counted it; undefined where it keeps nothing to itself
 */
function callsToTell(here: Used | undefined, own: number): number {
  if (here === undefined) return 1;
  const used = here.limit - here.remaining;
  if (used <= own) return 0;
  return used === own + 1 ? used : 1;
}

function connectTo(url: string): Redis {
  return new Redis(url, {
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    // Calls that were under way on a broken connection are counted in memory. Redis would count them twice.
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    connectTimeout: CONNECT_MS,
    socketTimeout: SILENT_MS,
    disconnectTimeout: SILENT_MS,
    maxLoadingRetryTime: TRY_EVERY_MS,
    // Not all gateways at once.
    retryStrategy: (times) => Math.min(times * 100, 400) + Math.random() * 100,
    // After a failover this may be a replica: connect anew, to whom the name points by now.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  });
}

/**
 * Rejects when there is no answer in time. ioredis's own limit (`commandTimeout`) begins only when a call is sent, and calls
 * that gather behind others on their way are sent later. In two halves, and judged after what has arrived is read, so that
 * a pause of this process, which is no fault of Redis, leaves time for the answer.
 */
function inTime<T>(withinMs: number, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const tooLate = () => reject(new Error(`it did not answer within ${withinMs} ms`));
    let timer = setTimeout(() => {
      timer = setTimeout(() => setImmediate(tooLate), withinMs / 2);
    }, withinMs / 2);
    answer.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}

/** The message alone: an error of ioredis carries its command, which may hold the password. */
function reasonOf(error: unknown): string {
  // A refused connection to several addresses of one name has its message inside.
  const { message, errors } = error as AggregateError;
  return message || errors?.[0]?.message || String(error);
}
