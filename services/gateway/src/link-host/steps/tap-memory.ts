// Remembers the last taps on a link from an address that got a page: in a gateway, and in a Redis for all gateways.
import { inTime, type Redis } from '@landfall/http';
import { LRUCache } from 'lru-cache';

/** The time in which a person uses the page, in milliseconds. */
export const STEP_MS = 10 * 60_000;

/** The id and the time of a tap. */
export interface Tapped {
  tapId: string;
  tappedAt: string;
}

/** A tap that got a page, and what its person has done since. */
export interface Seen extends Tapped {
  platform: string;
  exit: string | null;
  /** The browser of the tap, and the one in which the person went on. */
  browsers: { browser: string; onOpen: boolean }[];
  steps: number;
}

/** Never rejects: a step that nobody remembers is counted as a tap. */
export interface TapMemory {
  /** Returns null when it does not know. */
  read(key: string): Promise<Seen[] | null>;
  write(key: string, taps: Seen[]): Promise<void>;
}

/** The links and addresses, about 5 MB. */
const MOST = 10_000;

export function memoryOfGateway(): TapMemory {
  const seen = new LRUCache<string, Seen[]>({ max: MOST });
  return {
    read: async (key) => seen.get(key) ?? null,
    async write(key, taps) {
      seen.set(key, taps);
    },
  };
}

export interface SharedMemoryOptions {
  redis: Redis;
  /** False while Redis is down: then nobody waits for it. */
  isUp(): boolean;
  /** Milliseconds that a tap may wait for Redis. */
  withinMs: number;
  /** Returns the key in Redis, the same in all gateways. No address is stored in plain text. */
  keyOf(key: string): string;
}

/** A Redis that is down, or does not answer in time, knows nothing. The counter of limits logs the outage. */
export function memoryInRedis({ redis, isUp, withinMs, keyOf }: SharedMemoryOptions): TapMemory {
  const nameOf = (key: string) => `landfall:tap:${keyOf(key)}`;
  return {
    async read(key) {
      if (!isUp()) return null;
      const text = await inTime(withinMs, redis.get(nameOf(key))).catch(() => null);
      return text === null ? null : JSON.parse(text);
    },
    async write(key, taps) {
      if (!isUp()) return;
      await inTime(withinMs, redis.set(nameOf(key), JSON.stringify(taps), 'PX', STEP_MS)).catch(() => {});
    },
  };
}
