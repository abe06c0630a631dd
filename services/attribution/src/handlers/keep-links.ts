// Stores what waits for an install: taps, and links that clients send. Both count a person at the address.
import { distinct, type Handler, type Listener } from '@landfall/bus';
import {
  type DataOf,
  type LinkClicked,
  type LinkOpened,
  majorOf,
  type Platform,
  type StorePendingLink,
} from '@landfall/contracts';
import type { Database } from '@landfall/db';
import type { NewPendingLink } from '../domain/candidate.ts';
import { type Contact, contactRepository, seenOnce } from '../repositories/contact-repository.ts';
import { linkRepository } from '../repositories/link-repository.ts';
import { pendingLinkRepository } from '../repositories/pending-link-repository.ts';

/** Stores a tap on a phone, which waits for an install. A click on a computer only counts its person. */
export function rememberTap(database: Database): Listener<typeof LinkClicked> {
  return async (batch) => {
    const clicks = distinct(batch).map(({ data, context }) => ({ ...data, id: context.id, at: context.now }));
    const contacts = clicks.flatMap(({ appId, address, userAgent: device, at, platform, model }) =>
      contactAt(address, { ...seenOnce(at), appId, device, platform: phonePlatform(platform), model }),
    );
    const taps = clicks.filter((click) => click.deferred);
    await keep(
      database,
      contacts,
      taps.map(({ platform, osVersion, ...click }) => ({
        ...click,
        kind: 'tap',
        originalUrl: click.url,
        tappedAt: click.at,
        platform: phonePlatform(platform),
        osMajor: platform === 'android' && osVersion !== null ? majorOf(osVersion) : null,
        email: null,
        fingerprint: null,
      })),
    );
  };
}

/** Returns null for a desktop. Its person may have any phone. */
const phonePlatform = (platform: DataOf<typeof LinkClicked>['platform']): Platform | null =>
  platform === 'ios' || platform === 'android' ? platform : null;

/** Stores a link that a client sends to the endpoint instead of tapping. */
export function storePendingLink(database: Database): Handler<typeof StorePendingLink> {
  return async (batch) => {
    const links = distinct(batch).map(({ data, context }) => ({ ...data, id: context.id, at: context.now }));
    const contacts = links.flatMap(({ appId, address, fingerprint, email, userAgent, platform, model, at }) => {
      // Every phone with the SDK has the same user agent, so it identifies a person only when there is nothing else.
      const device = fingerprint ?? email ?? userAgent;
      return contactAt(address, { ...seenOnce(at), appId, device, platform, model });
    });
    await keep(
      database,
      contacts,
      links.map((link) => ({ ...link, builds: null, sealedUrl: null, kind: 'store', tappedAt: link.at })),
    );
    // The id of the row is the id of the message, whichever delivery stored it. So nothing needs to be read back.
    return batch.map(({ context }) => ({ reply: { pendingLinkId: context.id } }));
  };
}

const contactAt = (address: string | null, contact: Omit<Contact, 'address'>): Contact[] =>
  address === null ? [] : [{ ...contact, address }];

const keep = (database: Database, contacts: readonly Contact[], links: readonly NewPendingLink[]): Promise<void> =>
  database.transaction(async (tx) => {
    contactRepository(tx).add(contacts);
    pendingLinkRepository(tx).insert(links);
  });

/**
 * Closes the taps just before an installed app opened the link: they wait for no install. A stored link stays open.
 * Several openings in one minute share one id, and each of them counts.
 */
export function retireOpenedTap(database: Database): Listener<typeof LinkOpened> {
  return async (batch) => {
    const openings = batch.flatMap(({ data: { appId, linkId, address }, context }) =>
      address === null ? [] : [{ id: context.id, appId, linkId, address, at: context.now }],
    );
    if (openings.length === 0) return;
    // Most openings have no tap. A tap that was found is closed only if it is still open.
    const closings = await linkRepository(database).recordOpenings(openings);
    if (closings.length > 0) await database.transaction(async (tx) => pendingLinkRepository(tx).close(closings));
  };
}
