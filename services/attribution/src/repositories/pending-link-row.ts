/** When an installed app opens a link, the opening explains the taps on the link within this time before it. */
export const OPENED_WITHIN_MINUTES = 10;
/** The most rows that are read for an exact key, or to find the rows that may have to be closed with it. */
export const MOST_ROWS = 50;

export const isOpenRow = 'p.closed_by is null';
export const isClosedRow = 'p.closed_by is not null';
/** The condition of the partial indexes by address, but for open or closed. */
export const isHere = 'p.address is not null and p.email is null and p.fingerprint is null';
export const openHere = `${isOpenRow} and ${isHere}`;

/** Needs {@link LINK_STATE}. If an app opened the link before the tap was stored, that opening closes the tap. */
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
