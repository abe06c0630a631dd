import { Redis } from 'ioredis';
import { clockOf, quickestRoundTrip } from './ask.ts';

export type RedisFacts = Awaited<ReturnType<typeof lookAtRedis>>;

/** Milliseconds that a gateway waits for Redis. */
export const REDIS_PATIENCE_MS = 50;
const WITHIN_MS = 1_500;
export const REDIS_SLOW_MS = REDIS_PATIENCE_MS / 2;

/** Rejects when Redis does not answer in time. `patience`: the factor for every time limit. */
export async function lookAtRedis(url: string, patience: number) {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: WITHIN_MS * patience,
    commandTimeout: WITHIN_MS * patience,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let reason: Error | undefined;
  // The error of the connection says more than the error of a command on the closed connection.
  redis.on('error', (error: Error) => {
    reason ??= error;
  });
  try {
    await redis.connect();
    const ms = await quickestRoundTrip(() => redis.ping(), REDIS_SLOW_MS);
    const clock = await clockOf(async () => {
      const [seconds, micros] = await redis.time();
      return Number(seconds) * 1_000 + Number(micros) / 1_000;
    });
    const info = await redis.info();
    const field = (name: string) => new RegExp(`^${name}:(.*)$`, 'm').exec(info)?.[1]?.trim() ?? '';
    return {
      ms,
      version: field('redis_version'),
      /** `master` or `slave`. */
      role: field('role'),
      /** In bytes. 0 means no limit. */
      maxMemory: Number(field('maxmemory')),
      usedMemory: Number(field('used_memory')),
      policy: field('maxmemory_policy'),
      clock,
    };
  } catch (error) {
    throw reason ?? error;
  } finally {
    redis.disconnect();
  }
}
