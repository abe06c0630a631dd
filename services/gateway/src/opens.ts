// An installed app that resolves a link with its key was there and opened it. Told once per link, address and minute.
import { type Bus, uuid5 } from '@landfall/bus';
import { type Link, LinkOpened } from '@landfall/contracts';
import type { Logger } from '@landfall/runtime';
import { LRUCache } from 'lru-cache';
import type { ClientAddress } from './client-address.ts';
import type { Hashes } from './hashes.ts';

export interface Opens {
  /** Returns at once: an app that opens a link waits for nothing. */
  tell(link: Link, address: ClientAddress): void;
}

export function createOpens(bus: Bus, hashes: Hashes, log: Logger, now: () => Date): Opens {
  const told = new LRUCache<string, true>({ max: 50_000 });
  return {
    tell(link, client) {
      const minute = Math.floor(now().getTime() / 60_000);
      const key = `${link.id} ${client.key} ${minute}`;
      if (told.has(key)) return;
      told.set(key, true);
      const address = hashes.address(client);
      // The id is the same in every gateway, so that listeners can tell that it is the same opening.
      const id = uuid5(link.id, `opened ${address} ${minute}`);
      bus.tell(LinkOpened, { linkId: link.id, appId: link.appId, address }, { id }).catch((error: unknown) => {
        // The next opening within the minute stands for this one.
        told.delete(key);
        log.warn({ err: error, linkId: link.id }, 'a link opening was not told');
      });
    },
  };
}
