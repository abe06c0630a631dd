// The only file of this service that talks to PostgreSQL.
import {
  Actor,
  type AuditEntry,
  type CreateLink,
  cursorAfter,
  type InputOf,
  type JsonObject,
  type Link,
  type ListLinkEdits,
  type Plan,
} from '@landfall/contracts';
import {
  type ChangedOnce,
  changeOnce,
  columnsOf,
  type Database,
  type LinkEdit,
  type Refused,
  type Sql,
  type SqlTransaction,
  tableOf,
} from '@landfall/db';
import { changesOf, creationOf } from './domain/edit.ts';
import type { Wanted } from './domain/listing.ts';
import { usageKey } from './domain/quota.ts';

export type LinkRepository = ReturnType<typeof linkRepository>;

const links = tableOf<Link>({
  id: 'uuid',
  appId: 'uuid',
  slug: 'text',
  destination: 'text',
  metadata: 'json',
  createdAt: 'instant',
  expiresAt: 'instant',
  archivedAt: 'instant',
  version: 'int',
});

const toEntry = (row: Omit<LinkEdit, 'reply'>): AuditEntry => ({
  id: row.messageId,
  at: row.at.toISOString(),
  actor: { kind: Actor.shape.kind.parse(row.actorKind), userId: row.actorUserId, tokenId: row.tokenId },
  address: row.address && Buffer.from(row.address).toString('base64url'),
  // Edits before the audit log have neither state.
  action: row.before === null && row.after !== null ? 'CreateLink' : 'EditLink',
  teamId: row.teamId,
  appId: row.appId,
  subject: row.linkId,
  before: row.before as JsonObject | null,
  after: row.after as JsonObject | null,
});

export interface NewLink {
  link: Link;
  /** The month of the quota: `2026-11`. */
  month: string;
  inputHash: Buffer;
  /** The maker, for the audit log. Null: the link has no entry. */
  by: InputOf<typeof CreateLink>['by'];
}

/** The most links that are read for a page of a list when some of them do not match. */
export const MAX_WALK = 10_000;

/** A link with the extra columns of the statements. If no link was found, all others are null. */
interface Found {
  id: string | null;
  walked_at?: Date | null;
  walked_id?: string | null;
}

/** One row without a link means that nothing was found. */
const linksOf = (found: readonly Found[]): Link[] => found.filter(({ id }) => id !== null).map(links.of);

type State = Wanted['state'];

/** $6 is the current time, and PostgreSQL requires it in every statement. $7 and $8 are prefixes. */
const conditionOf: Record<State, string> = {
  all: '$6::timestamptz is not null',
  live: 'archived_at is null and (expires_at is null or expires_at > $6::timestamptz)',
  expired: 'archived_at is null and expires_at <= $6::timestamptz',
  archived: 'archived_at is not null and $6::timestamptz is not null',
};
const wantedOf = (state: State): string =>
  `${conditionOf[state]} and ($7::text is null or starts_with(slug, $7)) and ($8::text is null or starts_with(destination, $8))`;

/** The condition of each state's own index. It is repeated here so that the planner can use the index. */
const indexed: Record<State, string> = {
  all: 'true',
  live: 'true',
  expired: 'expires_at is not null',
  archived: 'archived_at is not null',
};

/** Selects the links of an app between two bounds, newest first, in the order of an index. */
const rangeOf = (state: State): string =>
  `from link.links where app_id = $1 and (created_at, id) < ($2, $3::uuid) and created_at >= $4 and ${indexed[state]}
   order by created_at desc, id desc`;

/**
 * Reads at most $9 links and stops at the $5th match. If it finds fewer matches, it also returns the last link that it
 * read, unless the list ended before the $9th link. It is one statement, so that both parts see the same links.
 */
const walkOf = (state: State): string =>
  `with found as materialized (
     select * from (select * ${rangeOf(state)} limit $9) walked where ${wantedOf(state)}
     order by created_at desc, id desc limit $5
   ), walked as materialized (
     select created_at as walked_at, id as walked_id ${rangeOf(state).replace('where', 'where (select count(*) from found) < $5 and')}
     offset $9::bigint - 1 limit 1
   )
   select found.*, walked.* from (values (1)) one left join found on true left join walked on true
   order by created_at desc, id desc`;

const columns = columnsOf<NewLink>({
  id: ['uuid', ({ link }) => link.id],
  app_id: ['uuid', ({ link }) => link.appId],
  slug: ['text', ({ link }) => link.slug],
  destination: ['text', ({ link }) => link.destination],
  metadata: ['text', ({ link }) => JSON.stringify(link.metadata)],
  input_hash: ['bytea', (l) => l.inputHash],
  created_at: ['timestamptz', ({ link }) => link.createdAt],
  month: ['text', (l) => l.month],
});
const INSERT_FROM_ASKED = `
  insert into link.links (id, app_id, slug, destination, metadata, input_hash, created_at, version)
  select id, app_id, slug, destination, metadata::json, input_hash, created_at, 1 from asked`;

const INSERT_COUNTED = `
  with asked as (select * from ${columns.unnest('a')}), made as (${INSERT_FROM_ASKED} order by id)
  update link.usage u set used = used + added.count
  from (select app_id, month, count(*)::int as count from asked group by 1, 2) added
  where u.app_id = added.app_id and u.month = added.month`;

/** $9 holds the limits of the plans. Without room the update returns no row, so its links are not inserted. */
const INSERT_WHAT_FITS = `
  with asked as (
    select * from unnest(${columns.arrays}, $9::int[]) as a(${columns.names}, most)
  ), wanted as (
    select app_id, month, count(*)::int as count, coalesce(min(most), 2147483647) as most from asked
    where (select count(*) from link.links where id = any($1)) = 0 group by 1, 2
  ), counted as (
    insert into link.usage as u (app_id, month, used)
    select app_id, month, count from wanted where count <= most order by 1, 2
    on conflict (app_id, month) do update set used = u.used + excluded.used
    where u.used + excluded.used <= (select most from wanted w where w.app_id = u.app_id and w.month = u.month)
    returning app_id, month
  ), made as (${INSERT_FROM_ASKED} join counted using (app_id, month) order by id)
  select app_id, month from counted`;

export function linkRepository(database: Database) {
  return {
    transaction: <T>(run: (tx: SqlTransaction) => Promise<T>): Promise<T> => database.transaction(run),

    /** Returns links by `appId/slug`. */
    async resolve(keys: readonly { appId: string; slug: string }[]): Promise<Map<string, Link>> {
      const rows = await database.rows(
        `select l.* from unnest($1::uuid[], $2::text[]) as k(app_id, slug)
         join link.links l on l.app_id = k.app_id and l.slug = k.slug`,
        [keys.map((k) => k.appId), keys.map((k) => k.slug)],
      );
      return new Map(rows.map(links.of).map((link) => [`${link.appId}/${link.slug}`, link]));
    },

    async findById(ids: readonly string[]): Promise<Map<string, Link>> {
      const rows = await database.rows('select * from link.links where id = any($1::uuid[])', [ids]);
      return new Map(rows.map(links.of).map((link) => [link.id, link]));
    },

    /** Returns the requested links that already exist, each with the hash of its request. */
    async findMade(tx: Sql, asked: readonly { id: string }[]): Promise<Map<string, { link: Link; inputHash: string }>> {
      const rows = await tx.rows<{ id: string; input_hash: Buffer }>(
        'select * from link.links where id = any($1::uuid[])',
        [asked.map((one) => one.id)],
      );
      return new Map(rows.map((row) => [row.id, { link: links.of(row), inputHash: row.input_hash.toString('hex') }]));
    },

    /**
     * Returns links, newest first. Reads at most `MAX_WALK` links. If it reads that many and fewer than `limit` of them
     * match, `walkedTo` is the cursor after the last link that was read. Otherwise it is null.
     */
    async list(wanted: Wanted, limit: number, now: Date): Promise<{ links: Link[]; walkedTo: string | null }> {
      const { appId, state, destination, slug, from, after } = wanted;
      const shared = [appId, after.at, after.id, from, limit, now, slug, destination];
      const rows = await database.rows<Found>(walkOf(state), [...shared, MAX_WALK]);
      const [first] = rows;
      return {
        links: linksOf(rows),
        walkedTo: first?.walked_id ? cursorAfter({ at: first.walked_at!, id: first.walked_id }) : null,
      };
    },

    async countLive(appId: string, now: Date): Promise<number> {
      const [row] = await database.rows<{ live: number }>(
        `select count(*)::int as live from link.links
         where app_id = $1 and archived_at is null and (expires_at is null or expires_at > $2)`,
        [appId, now],
      );
      return row!.live;
    },

    async usedIn(appId: string, month: string): Promise<number> {
      const [row] = await database.rows<{ used: number }>(
        'select used from link.usage where app_id = $1 and month = $2',
        [appId, month],
      );
      return row?.used ?? 0;
    },

    /**
     * Stores and counts the links of each app and month whose plan has room for all of them, in one statement and one
     * round trip. Returns the ids of the stored links. For each app and month, it stores all links or none. It stores
     * nothing at all if one of the links already exists. The statement fails if another transaction stores one of the
     * links at the same time.
     */
    async insertWhatFits(asked: readonly (NewLink & { plan: Plan })[]): Promise<Set<string>> {
      const rows = await database.rows<{ app_id: string; month: string }>(INSERT_WHAT_FITS, [
        ...columns.valuesOf(asked),
        asked.map(({ plan }) => plan.linksPerMonth),
      ]);
      const fitting = new Set(rows.map((row) => usageKey(row.app_id, row.month)));
      const made = asked.filter(({ link, month }) => fitting.has(usageKey(link.appId, month)));
      return new Set(made.map(({ link }) => link.id));
    },

    /** Returns the used links by {@link usageKey}, locked. All transactions lock in the same order. */
    async lockUsage(tx: Sql, keys: readonly { appId: string; month: string }[]): Promise<Map<string, number>> {
      // The update changes nothing. It locks an existing row and returns it.
      const rows = await tx.rows<{ app_id: string; month: string; used: number }>(
        `insert into link.usage as u (app_id, month, used)
         select distinct app_id, month, 0 from unnest($1::uuid[], $2::text[]) as k(app_id, month) order by 1, 2
         on conflict (app_id, month) do update set used = u.used returning app_id, month, used`,
        [keys.map((k) => k.appId), keys.map((k) => k.month)],
      );
      return new Map(rows.map((row) => [usageKey(row.app_id, row.month), row.used]));
    },

    /** The caller holds the lock on their usage. A link that already exists fails the transaction. */
    insert(tx: SqlTransaction, made: readonly NewLink[]): void {
      if (made.length === 0) return;
      tx.send(INSERT_COUNTED, columns.valuesOf(made));
      for (const { link, by } of made)
        if (by !== null) storeEntry(tx, { messageId: link.id, ...by, at: link.createdAt }, link, creationOf(link));
    },

    async lock(tx: Sql, linkId: string): Promise<Link | null> {
      const [row] = await tx.rows('select * from link.links where id = $1 for update', [linkId]);
      return row ? links.of(row) : null;
    },

    /** Edits a locked link once: a second delivery of the message gets the link from the first one. */
    edit<const R extends Refused | { done: Link }>(
      tx: SqlTransaction,
      by: By,
      before: Link,
      decide: () => Promise<R>,
    ): Promise<ChangedOnce<R>> {
      const find = async () => {
        const [row] = await tx.rows<{ reply: Link }>('select reply from link.edits where message_id = $1', [
          by.messageId,
        ]);
        return row?.reply ?? null;
      };
      return changeOnce<R>({ find, keep: ({ done: link }) => storeEdit(tx, by, before, link) }, decide);
    },

    /** Returns the creations and edits in a team, latest first, after the row that the cursor names. */
    async listEdits(
      { teamId, appId, userId, linkId }: Omit<InputOf<typeof ListLinkEdits>, 'limit' | 'cursor'>,
      limit: number,
      after: { at: Date; id: string } | null,
    ): Promise<AuditEntry[]> {
      const rows = await database.prisma.linkEdit.findMany({
        where: {
          teamId,
          ...(appId && { appId }),
          ...(userId && { actorUserId: userId }),
          ...(linkId && { linkId }),
          ...(after && { at: { lte: after.at }, OR: [{ at: { lt: after.at } }, { messageId: { lt: after.id } }] }),
        },
        omit: { reply: true },
        orderBy: [{ at: 'desc' }, { messageId: 'desc' }],
        take: limit,
      });
      return rows.map(toEntry);
    },
  };
}

interface By {
  messageId: string;
  actor: Actor;
  teamId: string | null;
  at: Date | string;
}

function storeEdit(tx: SqlTransaction, by: By, before: Link, link: Link): void {
  tx.send(
    `update link.links set destination = $2, metadata = $3::json, expires_at = $4, archived_at = $5, version = $6
     where id = $1`,
    [link.id, link.destination, JSON.stringify(link.metadata), link.expiresAt, link.archivedAt, link.version],
  );
  storeEntry(tx, by, link, changesOf(before, link));
}

/** @param link the link after the change */
function storeEntry(
  tx: SqlTransaction,
  { messageId, actor, teamId, at }: By,
  link: Link,
  { before, after }: { before: JsonObject | null; after: JsonObject },
): void {
  tx.send(
    `insert into link.edits (message_id, link_id, reply, at, team_id, app_id, actor_kind, actor_user_id, token_id, address,
       before, after)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      messageId,
      link.id,
      JSON.stringify(link),
      at,
      teamId,
      link.appId,
      actor.kind,
      actor.userId,
      actor.tokenId,
      actor.address === null ? null : Buffer.from(actor.address, 'base64url'),
      before && JSON.stringify(before),
      JSON.stringify(after),
    ],
  );
}
