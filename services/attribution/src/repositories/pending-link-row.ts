// A row of pending links, and the SQL that reads it with the state of its link.
import { toText, toTexts } from '../bytes.ts';
import type { PendingLink } from '../domain/candidate.ts';

/**
 * Minutes. When an installed app opens a link, the opening explains the taps on the link within this time before it.
 */
export const OPENED_WITHIN_MINUTES = 10;

export const isOpenRow = 'p.closed_by is null';
export const isClosedRow = 'p.closed_by is not null';
/** The condition of the partial indexes by address, but for open or closed. */
export const isHere = 'p.address is not null and p.email is null and p.fingerprint is null';
export const openHere = `${isOpenRow} and ${isHere}`;

/**
 * Returns the columns of a pending link `p`, with those of {@link LINK_STATE}. If an installed app opened the link before
 * the tap was stored, that opening closes the tap.
 */
export const rowOf = (urls: string): string => `
  p.id, p.app_id, p.link_id, p.kind, ${urls}, p.tapped_at, p.platform, p.address, p.user_agent, p.email, p.fingerprint,
  p.model, p.os_major, p.builds, p.language, p.people, p.people_of_platform, p.people_alike,
  link.archived_at, link.expires_at, p.closed_at,
  coalesce(p.closed_by, (
    select o.id from attribution.openings o
    where p.kind = 'tap' and o.app_id = p.app_id and o.address = p.address and o.link_id = p.link_id
      and o.at >= greatest(p.tapped_at, p.closed_at)
      and o.at <= p.tapped_at + interval '${OPENED_WITHIN_MINUTES} minutes'
    limit 1
  )) as closed_by`;

export const LINK_STATE = `left join lateral (
  select l.archived_at, l.expires_at from attribution.links l where l.link_id = p.link_id limit 1
) link on true`;

export interface PendingLinkRow {
  id: string;
  app_id: string;
  link_id: string;
  kind: PendingLink['kind'];
  original_url: string | null;
  sealed_url: string | null;
  tapped_at: Date;
  platform: PendingLink['platform'];
  address: Buffer | null;
  user_agent: Buffer | null;
  email: Buffer | null;
  fingerprint: Buffer | null;
  model: Buffer | null;
  os_major: number | null;
  builds: Buffer | null;
  language: string | null;
  people: number;
  people_of_platform: number | null;
  people_alike: number | null;
  archived_at: Date | null;
  expires_at: Date | null;
  closed_by: string | null;
  closed_at: Date | null;
}

export const toPendingLink = (row: PendingLinkRow): PendingLink => ({
  id: row.id,
  appId: row.app_id,
  linkId: row.link_id,
  kind: row.kind,
  originalUrl: row.original_url,
  sealedUrl: row.sealed_url,
  tappedAt: row.tapped_at,
  platform: row.platform,
  address: toText(row.address),
  userAgent: toText(row.user_agent),
  email: toText(row.email),
  fingerprint: toText(row.fingerprint),
  model: toText(row.model),
  osMajor: row.os_major,
  builds: toTexts(row.builds),
  language: row.language,
  others: row.people,
  othersOfPlatform: row.people_of_platform,
  othersAlike: row.people_alike,
  archivedAt: row.archived_at,
  expiresAt: row.expires_at,
  closedBy: row.closed_by,
  closedAt: row.closed_at,
});
