import { distinct, type Handler } from '@landfall/bus';
import type { StorePendingLink } from '@landfall/contracts';
import type { Database } from '@landfall/db';
import { contactRepository, seenOnce } from '../repositories/contact-repository.ts';
import { pendingLinkRepository } from '../repositories/pending-link-repository.ts';

/**
 * Stores a link that a client sends to the endpoint instead of tapping. The caller counts as a person at the address,
 * as with a tap.
 */
export function storePendingLink(database: Database): Handler<typeof StorePendingLink> {
  return async (batch) => {
    const stored = distinct(batch).map(({ data, context }) => ({ ...data, id: context.id, at: context.now }));
    await database.transaction(async (tx) => {
      contactRepository(tx).add(
        stored.flatMap(({ appId, address, fingerprint, email, userAgent, platform, model, at }) => {
          // Every phone with the SDK has the same user agent, so it identifies a person only when there is no
          // fingerprint and no email.
          const device = fingerprint ?? email ?? userAgent;
          return address === null ? [] : [{ ...seenOnce(at), appId, address, device, platform, model }];
        }),
      );
      pendingLinkRepository(tx).insert(
        stored.map(({ at, ipv6: _, ...link }) => ({
          ...link,
          builds: null,
          sealedUrl: null,
          kind: 'store',
          tappedAt: at,
        })),
      );
    });
    // The id of the row is the id of the message, whichever delivery stored it. So nothing needs to be read back.
    return batch.map(({ context }) => ({ reply: { pendingLinkId: context.id } }));
  };
}
