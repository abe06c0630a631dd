// When keys were last used: told at most once a minute for each key, and never in the way of a request.
import type { Bus } from '@landfall/bus';
import { KeyUsed } from '@landfall/contracts';
import type { Logger } from '@landfall/runtime';
import { LRUCache } from 'lru-cache';
import type { KnownKey } from './lookups/lookups.ts';

export function keyUse(bus: Bus, log: Logger): (key: KnownKey) => void {
  const told = new LRUCache<string, true>({ max: 10_000, ttl: 60_000 });
  return ({ keyId }) => {
    if (told.has(keyId)) return;
    told.set(keyId, true);
    bus.tell(KeyUsed, { keyId }).catch((error: unknown) => log.debug({ err: error, keyId }, 'a key use was not noted'));
  };
}
