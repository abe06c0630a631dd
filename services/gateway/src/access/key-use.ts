// Reports the last use of keys. It reports rarely, and never delays a request.
import type { Bus } from '@landfall/bus';
import { KeyUsed } from '@landfall/contracts';
import type { Logger } from '@landfall/runtime';
import { LRUCache } from 'lru-cache';
import type { KnownKey } from '../lookups/lookups.ts';

const MINUTE_MS = 60_000;

interface Counted {
  /** The time of the last report, in milliseconds. */
  toldAt: number;
  /** Requests since the last report. */
  requests: number;
}

/** Milliseconds between checks for uses that wait. */
const LOOK_MS = 5_000;
const MAX_KEYS = 10_000;
/** The time-out of the reports at a stop, in milliseconds. */
const TELL_WITHIN_MS = 1_000;

/** Reports at most once a minute for each key. The first use is reported at once, and later uses together. */
export function createKeyUses(bus: Bus, log: Logger, now: () => Date) {
  const telling = new Set<Promise<void>>();
  const keys = new LRUCache<string, Counted>({ max: MAX_KEYS, dispose: (counted, keyId) => tell(keyId, counted) });
  const looking = setInterval(() => tellThose(isDue), LOOK_MS).unref();

  const isDue = ({ toldAt }: Counted) => now().getTime() - toldAt >= MINUTE_MS;

  function tell(keyId: string, counted: Counted): void {
    const { requests } = counted;
    if (requests === 0) return;
    counted.requests = 0;
    counted.toldAt = now().getTime();
    const told: Promise<void> = bus
      .tell(KeyUsed, { keyId, requests }, { timeoutMs: TELL_WITHIN_MS })
      .catch((error: unknown) => {
        // Not repeated, because it may have arrived. To miss some requests is better than to count one twice.
        log.debug({ err: error, keyId, requests }, 'uses of a key were not recorded');
      })
      .finally(() => telling.delete(told));
    telling.add(told);
  }

  function tellThose(which: (counted: Counted) => boolean): void {
    for (const [keyId, counted] of keys.entries()) if (which(counted)) tell(keyId, counted);
  }

  return {
    used({ keyId }: KnownKey): void {
      const counted = keys.get(keyId) ?? { toldAt: -Infinity, requests: 0 };
      if (!keys.has(keyId)) keys.set(keyId, counted);
      counted.requests++;
      if (isDue(counted)) tell(keyId, counted);
    },
    /** Sends the uses that are not yet reported. */
    async stop(): Promise<void> {
      clearInterval(looking);
      tellThose(() => true);
      await Promise.all(telling);
    },
  };
}
