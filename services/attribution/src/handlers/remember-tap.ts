import { distinct, type Listener } from '@landfall/bus';
import type { LinkClicked } from '@landfall/contracts';
import type { Database } from '@landfall/db';
import { contactRepository } from '../repositories/contact-repository.ts';
import { pendingLinkRepository } from '../repositories/pending-link-repository.ts';

/**
 * Stores a tap on a phone, which waits for an install. Every click counts a person at its address, also a click on a
 * computer.
 */
export function rememberTap(database: Database): Listener<typeof LinkClicked> {
  return async (batch) => {
    const clicks = distinct(batch).map(({ data, context }) => ({ ...data, id: context.id, at: context.now }));
    await database.transaction(async (tx) => {
      contactRepository(tx).add(
        clicks.flatMap(({ appId, address, userAgent, at }) =>
          address === null
            ? []
            : [{ appId, address, device: userAgent, firstAt: at, lastAt: at, lastHeartbeatAt: null }],
        ),
      );
      pendingLinkRepository(tx).insert(
        clicks
          .filter((click) => click.deferred)
          .map(({ id, appId, linkId, url, sealedUrl, platform, address, userAgent, at }) => ({
            id,
            appId,
            linkId,
            kind: 'tap',
            originalUrl: url,
            sealedUrl,
            tappedAt: at,
            platform: platform === 'ios' || platform === 'android' ? platform : null,
            address,
            userAgent,
            email: null,
            fingerprint: null,
          })),
      );
    });
  };
}
