import { columnsOf, type Fields, type SqlTransaction, tableOf } from '@landfall/db';
import type { Ask, NewPendingLink, PendingLink } from '../domain/candidate.ts';
import type { Closing } from '../domain/pool.ts';
import { longestWindow } from '../domain/rules/evidence.ts';
import { before, days, minutes } from '../domain/time.ts';
import { spanOf } from '../domain/what-if/facts.ts';
import { MOST_PEOPLE } from './contact-repository.ts';
import { isClosedRow, isHere, isOpenRow, LINK_STATE, MOST_ROWS, openHere, rowOf } from './pending-link-row.ts';
import { type Release, releases } from './restore-repository.ts';

/** The most people whose phones are compared with the tap. Among more, those who contradict it are not left out. */
const MOST_COMPARED = 512;

export function pendingLinkRepository(tx: SqlTransaction) {
  return {
    /**
     * Stores pending links. A link whose id is already stored stays unchanged, but for a model that was not known: a
     * browser that is asked for it repeats the tap. Counts the others at the address, so contacts must be recorded before.
     * The browser that tapped belongs to the caller, so it does not count.
     */
    insert(links: readonly NewPendingLink[]): void {
      if (links.length === 0) return;
      tx.send(insertLinks, newLinks.valuesOf(links));
    },

    /**
     * Finds the ids of the candidates of these restores, and of the rows that would be closed with them. They are locked
     * next. The first statement finds the ids, with one index branch for each key. A second statement locks the rows. In
     * one statement, the plan would depend on estimates. Which taps are closed with one that is named exactly depends on no
     * setting of windows or crowds, so that a replay with other settings knows them.
     */
    async findCandidates(asks: readonly Ask[]): Promise<Candidates> {
      const found = await tx.rows<{ id: string | null; crowded: number | null; near: number | null }>(
        findByKeys,
        asked.valuesOf(asks),
      );
      const ids = found.flatMap(({ id }) => (id === null ? [] : [id]));
      const messages = (name: 'crowded' | 'near') =>
        new Set(found.flatMap(({ [name]: n }) => (n === null ? [] : [asks[n - 1]!.id])));
      return { ids, crowded: messages('crowded'), near: messages('near') };
    },

    /**
     * Locks these rows until the transaction ends: the rows that are still open, and the rows that a token names. If an
     * installed app opened the link before the tap was stored, that opening closes the tap. Never skips rows that another
     * transaction holds: a missing candidate makes an ambiguous set look unique.
     */
    async lockCandidates(asks: readonly Ask[], ids: readonly string[]): Promise<PendingLink[]> {
      if (ids.length === 0) return [];
      // Openings and edited links may grow a hundredfold in a minute. A plan from before that must not read all of them.
      tx.send('set local enable_seqscan to off');
      const rows = await tx.rows(
        `select ${rowOf('p.original_url, p.sealed_url')}
         from attribution.pending_links p ${LINK_STATE}
         where p.id = any($1::uuid[]) and (p.closed_by is null or p.id = any($2::uuid[]))
         order by p.id for update of p`,
        [ids, asks.map(tapOf)],
      );
      return rows.map(pendingLinks.of);
    },

    /** Closes the pending links that are still open or taken over. Locks them in the order of their ids. */
    close(closings: readonly Closing[]): void {
      if (closings.length === 0) return;
      tx.send(
        `with held as (
           select id, closed_by from attribution.pending_links where id = any($1::uuid[]) order by id for update
         )
         update attribution.pending_links p set closed_by = c.by, closed_at = c.at
         from ${closed.unnest('c')}, held
         where p.id = c.id and p.id = held.id and (held.closed_by is null or c.takes_over)`,
        closed.valuesOf(closings),
      );
    },

    /** Opens again the pending links that these restores closed. */
    reopen(restores: readonly Release[]): void {
      if (restores.length === 0) return;
      tx.send(
        `with held as (
           select id from attribution.pending_links where closed_by = any($1::uuid[]) order by id for update
         )
         update attribution.pending_links p set closed_by = null, closed_at = r.at
         from ${releases.unnest('r')}, held
         where p.id = held.id and p.closed_by = r.id`,
        releases.valuesOf(restores),
      );
    },
  };
}

export interface Candidates {
  readonly ids: string[];
  /** Messages with too many taps at their address. These are not read: a crowd costs no more than other requests. */
  readonly crowded: ReadonlySet<string>;
  /**
   * The ids of messages with a tap at their addresses that is no candidate, open or closed, in the span of the facts of a
   * decision. Most restores have none, and then nothing more is read for the facts.
   */
  readonly near: ReadonlySet<string>;
}

const fields: Fields<NewPendingLink> = {
  id: 'uuid',
  appId: 'uuid',
  linkId: 'uuid',
  kind: 'text',
  originalUrl: 'text',
  sealedUrl: 'text',
  tappedAt: 'timestamptz',
  platform: 'text',
  address: 'hash',
  userAgent: 'hash',
  email: 'hash',
  fingerprint: 'hash',
  model: 'hash',
  osMajor: 'smallint',
  language: 'text',
  builds: 'hashes',
};
const newLinks = tableOf(fields);

export const pendingLinks = tableOf<PendingLink>({
  ...fields,
  others: ['people', 'int'],
  othersOfPlatform: ['people_of_platform', 'int'],
  othersAlike: ['people_alike', 'int'],
  archivedAt: 'timestamptz',
  expiresAt: 'timestamptz',
  closedBy: 'uuid',
  closedAt: 'timestamptz',
});

const tapOf = (ask: Ask): string | null => ask.token?.tapId ?? null;

/** The keys of a restore, and how far back each of them counts. */
export const asked = columnsOf<Ask>({
  app_id: ['uuid', (ask) => ask.appId],
  tap_id: ['uuid', tapOf],
  email: ['bytea', (ask) => ask.email],
  fingerprint: ['bytea', (ask) => ask.fingerprint],
  address: ['bytea', (ask) => ask.address],
  now: ['timestamptz', (ask) => ask.now],
  email_since: ['timestamptz', (ask) => (ask.email === null ? null : before(ask.now, days(ask.matching.emailDays)))],
  fingerprint_since: ['timestamptz', (ask) => before(ask.now, days(ask.matching.fingerprintDays))],
  address_since: ['timestamptz', (ask) => before(ask.now, minutes(longestWindow(ask)))],
  crowd_taps: ['int', (ask) => ask.matching.crowdTaps],
  ipv6: ['bytea', (ask) => ask.ipv6],
  span_since: ['timestamptz', (ask) => (ask.matching.evidence === 'exact' ? null : before(ask.now, spanOf(ask)))],
});

const closed = tableOf<Closing>({ id: 'uuid', by: 'uuid', at: 'timestamptz', takesOver: 'boolean' });

const insertLinks = `
  insert into attribution.pending_links as p (${newLinks.names}, people, people_of_platform, people_alike)
  select l.*, there.* from ${newLinks.unnest('l')}
  cross join lateral (
    select least(count(*), ${MOST_PEOPLE}),
      case when count(*) < ${MOST_COMPARED} then least(count(*) filter (where c.may_be), ${MOST_PEOPLE}) end,
      case when count(*) < ${MOST_COMPARED} then
        least(count(*) filter (where c.may_be and (c.model is null or c.model = '' or l.model is null or c.model = l.model)),
              ${MOST_PEOPLE})
      end
    from (
      select c.platform is null or l.platform is null or c.platform = l.platform as may_be, c.model
      from attribution.contacts c
      where c.app_id = l.app_id and c.address = l.address and c.device <> l.user_agent
        and c.last_at > l.tapped_at - interval '24 hours' and c.first_at <= l.tapped_at
      limit ${MOST_COMPARED}
    ) c
  ) there
  order by l.id
  on conflict (id) do update set model = excluded.model, os_major = excluded.os_major, people_alike = excluded.people_alike
    where p.model is null and excluded.model is not null and p.user_agent = excluded.user_agent`;

const findByKeys = `
  with ask as materialized (
    select * from ${asked.unnest('a', 'n')}
  ), exact as materialized (
    select hit.*, ask.span_since from ask cross join lateral (
      (select p.* from attribution.pending_links p where p.id = ask.tap_id and p.app_id = ask.app_id)
      union all
      (select p.* from attribution.pending_links p
       where p.app_id = ask.app_id and p.email = ask.email and p.email is not null and ${isOpenRow}
         and p.tapped_at > ask.email_since and p.tapped_at <= ask.now
       order by p.tapped_at desc limit ${MOST_ROWS})
      union all
      (select p.* from attribution.pending_links p
       where p.app_id = ask.app_id and p.fingerprint = ask.fingerprint and p.fingerprint is not null and ${isOpenRow}
         and p.tapped_at > ask.fingerprint_since and p.tapped_at <= ask.now
       order by p.tapped_at desc limit ${MOST_ROWS})
    ) hit
  ), place as materialized (
    select ask.n, ask.app_id, at.address, ask.now, ask.address_since, ask.crowd_taps, ask.span_since
    from ask cross join lateral (
      select ask.address where ask.address is not null
      union all select ask.ipv6 where ask.ipv6 is not null and ask.ipv6 is distinct from ask.address
    ) at
  ), here as materialized (
    -- The newest open taps of the longer span begin with those of the shorter one, in which taps are candidates.
    select place.n, place.crowd_taps, open.ids,
      cardinality(open.ids) < open.count or cardinality(open.ids) > place.crowd_taps as near
    from place cross join lateral (
      select coalesce(array_agg(p.id) filter (where p.tapped_at > place.address_since), '{}') as ids, count(*) as count
      from (
        select p.id, p.tapped_at from attribution.pending_links p
        where p.app_id = place.app_id and p.address = place.address and ${openHere}
          and p.tapped_at > coalesce(place.span_since, place.address_since) and p.tapped_at <= place.now
        order by p.tapped_at desc limit place.crowd_taps + 1
      ) p
    ) open
  )
  select id, null::int as crowded, null::int as near from exact
  union
  select unnest(ids), null, null from here where cardinality(ids) <= crowd_taps
  union
  select null, n::int, null from here where cardinality(ids) > crowd_taps
  union
  select null, null, n::int from here where near
  union
  -- With EXISTS, the planner may read all closed taps and join them. With a limit it looks for each place.
  select null, null, place.n::int from place cross join lateral (
    select from attribution.pending_links p
    where p.app_id = place.app_id and p.address = place.address and ${isClosedRow} and ${isHere}
      and p.tapped_at > place.span_since and p.tapped_at <= place.now
    limit 1
  ) closed
  union
  select sibling.id, null, null from exact cross join lateral (
    select p.id, p.link_id, p.user_agent from attribution.pending_links p
    where p.app_id = exact.app_id and p.address = exact.address and ${openHere} and p.tapped_at > exact.span_since
    order by p.tapped_at desc limit ${MOST_ROWS}
  ) sibling
  where sibling.link_id = exact.link_id and sibling.user_agent = exact.user_agent`;
