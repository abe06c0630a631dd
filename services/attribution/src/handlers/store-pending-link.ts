import { distinct, type Handler } from '@landfall/bus';
import type { StorePendingLink } from '@landfall/contracts';
import type { Database } from '@landfall/db';
import { sendContacts } from '../repositories/device-repository.ts';
import { insertPendingLinks } from '../repositories/pending-link-repository.ts';

/** Somebody calls the endpoint instead of tapping; a person counts there as by a tap. */
export function storePendingLink(database: Database): Handler<typeof StorePendingLink> {
  return async (batch) => {
    const stored = distinct(batch).map(({ data, context }) => ({ ...data, id: context.id, at: context.now }));
    await database.transaction(async (tx) => {
      sendContacts(
        tx,
        stored.flatMap(({ appId, address, fingerprint, email, userAgent, at }) => {
          // Every phone with the SDK has the same user agent, so it stands for a person only where nothing else does.
          const device = fingerprint ?? email ?? userAgent;
          return address === null ? [] : [{ appId, address, device, firstAt: at, lastAt: at, lastHeartbeatAt: null }];
        }),
      );
      insertPendingLinks(
        tx,
        stored.map(({ at, ...link }) => ({ ...link, sealedUrl: null, kind: 'store', tappedAt: at })),
      );
    });
    // The row's id is the message's, whichever delivery stored it: there is nothing to read back.
    return batch.map(({ context }) => ({ reply: { pendingLinkId: context.id } }));
  };
}
