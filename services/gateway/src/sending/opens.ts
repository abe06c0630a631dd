// Reports the links that an installed app opens. Earlier taps of such a link do not wait for an install.

import { type Bus, uuid5 } from '@landfall/bus';
import { type DataOf, type Link, LinkOpened } from '@landfall/contracts';
import type { ClientAddress, Hashes } from '@landfall/http';
import type { Logger } from '@landfall/runtime';
import type { z } from 'zod';
import { lateSender } from './late-sender.ts';

export type Opens = ReturnType<typeof createOpens>;

type OpenFacts = Pick<DataOf<typeof LinkOpened>, 'platform' | 'country' | 'appVersion' | 'utm' | 'labels'>;

interface Opened {
  id: string;
  now: Date;
  data: z.input<typeof LinkOpened.data>;
}

export function createOpens(bus: Bus, hashes: Hashes, log: Logger, now: () => Date) {
  // Without an opening, its tap stays open, and a stranger's new phone at the same address could get the link.
  const failed = 'the opening of a link was not sent: a tap before it still waits for an install';
  const sender = lateSender<Opened>({
    send: ({ data, ...at }) => bus.tell(LinkOpened, data, at),
    lost: ({ data: { linkId } }, error) => log.error({ err: error ?? undefined, linkId }, failed),
    left: (openings) => log.error({ openings }, failed),
  });
  return {
    /** Returns at once, because an app that opens a link must not wait. Retries until the bus has taken the opening. */
    tell(link: Link, client: ClientAddress, facts: OpenFacts): void {
      const at = now();
      const address = hashes.address(client);
      // Every opening is sent, because somebody may have tapped since the last one, through another gateway. Openings
      // of the same minute have one id in every gateway, so that listeners count one. The rate limit of the route
      // bounds them.
      const id = uuid5(link.id, `opened ${address} ${Math.floor(at.getTime() / 60_000)}`);
      void sender.send({ id, now: at, data: { linkId: link.id, appId: link.appId, address, ...facts } });
    },
    stop: sender.stop,
  };
}
