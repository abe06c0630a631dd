import { distinct, type Listener } from '@landfall/bus';
import { type DataOf, type LinkClicked, majorOf, type Platform } from '@landfall/contracts';
import type { Database } from '@landfall/db';
import type { NewPendingLink } from '../domain/candidate.ts';
import { contactRepository, seenOnce } from '../repositories/contact-repository.ts';
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
        clicks.flatMap(({ appId, address, userAgent: device, at, platform, model }) =>
          address === null
            ? []
            : [{ ...seenOnce(at), appId, address, device, platform: phonePlatform(platform), model }],
        ),
      );
      pendingLinkRepository(tx).insert(
        clicks
          .filter((click) => click.deferred)
          .map(
            ({ id, appId, linkId, url, sealedUrl, platform, osVersion, at, ...click }): NewPendingLink => ({
              id,
              appId,
              linkId,
              kind: 'tap',
              originalUrl: url,
              sealedUrl,
              tappedAt: at,
              platform: phonePlatform(platform),
              model: click.model,
              osMajor: platform === 'android' && osVersion !== null ? majorOf(osVersion) : null,
              builds: click.builds,
              language: click.language,
              address: click.address,
              userAgent: click.userAgent,
              email: null,
              fingerprint: null,
            }),
          ),
      );
    });
  };
}

/** Returns null for a desktop. Its person may have any phone. */
const phonePlatform = (platform: DataOf<typeof LinkClicked>['platform']): Platform | null =>
  platform === 'ios' || platform === 'android' ? platform : null;
