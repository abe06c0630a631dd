// Reports the links that an installed app opens. Earlier taps of such a link do not wait for an install.
import { type Bus, uuid5 } from '@landfall/bus';
import { type Link, LinkOpened } from '@landfall/contracts';
import type { Logger } from '@landfall/runtime';
import type { ClientAddress } from '../addresses/client-address.ts';
import type { Hashes } from '../hashes.ts';

export interface Opens {
  /** Returns at once, because an app that opens a link must not wait. */
  tell(link: Link, address: ClientAddress): void;
}

export function createOpens(bus: Bus, hashes: Hashes, log: Logger, now: () => Date): Opens {
  return {
    tell(link, client) {
      const at = now();
      const address = hashes.address(client);
      // Every opening is sent, because somebody may have tapped since the last one, through another gateway. Openings
      // of the same minute have one id in every gateway, so that listeners count one. The rate limit of the route
      // bounds them.
      const id = uuid5(link.id, `opened ${address} ${Math.floor(at.getTime() / 60_000)}`);
      bus
        .tell(LinkOpened, { linkId: link.id, appId: link.appId, address }, { id, now: at })
        .catch((error: unknown) => log.warn({ err: error, linkId: link.id }, 'a link opening was not sent'));
    },
  };
}
