// The only file of this service that talks to PostgreSQL.
import type { Link } from '@landfall/contracts';
import type { Database, Sql, Transaction } from '@landfall/db';

export type LinkRepository = ReturnType<typeof linkRepository>;

interface Row {
  id: string;
  app_id: string;
  slug: string;
  destination: string;
  metadata: Link['metadata'];
  input_hash: Buffer;
  created_at: Date;
  expires_at: Date | null;
  archived_at: Date | null;
  version: number;
}

const toLink = (row: Row): Link => ({
  id: row.id,
  appId: row.app_id,
  slug: row.slug,
  destination: row.destination,
  metadata: row.metadata,
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at?.toISOString() ?? null,
  archivedAt: row.archived_at?.toISOString() ?? null,
  version: row.version,
});

const asStored = ({ id, appId, slug, destination, metadata, createdAt }: NewLink): Link => ({
  id,
  appId,
  slug,
  destination,
  metadata,
  createdAt: createdAt.toISOString(),
  expiresAt: null,
  archivedAt: null,
  version: 1,
});

export interface NewLink {
  id: string;
  appId: string;
  /** Of the quota: `2026-11`. */
  month: string;
  slug: string;
  destination: string;
  metadata: Link['metadata'];
  inputHash: Buffer;
  createdAt: Date;
}

export function linkRepository(database: Database) {
  return {
    transaction: <T>(run: (tx: Transaction) => Promise<T>): Promise<T> => database.transaction(run),

    /** Links by `appId/slug`. */
    async resolve(keys: readonly { appId: string; slug: string }[]): Promise<Map<string, Link>> {
      const rows = await database.rows<Row>(
        `select l.* from unnest($1::uuid[], $2::text[]) as k(app_id, slug)
         join link.links l on l.app_id = k.app_id and l.slug = k.slug`,
        [keys.map((k) => k.appId), keys.map((k) => k.slug)],
      );
      return new Map(rows.map((row) => [`${row.app_id}/${row.slug}`, toLink(row)]));
    },

    async findById(ids: readonly string[]): Promise<Map<string, Link>> {
      const rows = await database.rows<Row>('select * from link.links where id = any($1::uuid[])', [ids]);
      return new Map(rows.map((row) => [row.id, toLink(row)]));
    },

    /** Of these links those that were made, each with the hash of what was asked for. */
    async findMade(tx: Sql, asked: readonly { id: string }[]): Promise<Map<string, { link: Link; inputHash: string }>> {
      const rows = await tx.rows<Row>('select * from link.links where id = any($1::uuid[])', [
        asked.map((one) => one.id),
      ]);
      return new Map(rows.map((row) => [row.id, { link: toLink(row), inputHash: row.input_hash.toString('hex') }]));
    },

    /** Newest first, after the row that the cursor names. */
    async list(appId: string, limit: number, after: { at: Date; id: string } | null): Promise<Link[]> {
      const rows = after
        ? await database.rows<Row>(
            `select * from link.links where app_id = $1 and (created_at, id) < ($3, $4)
             order by created_at desc, id desc limit $2`,
            [appId, limit, after.at, after.id],
          )
        : await database.rows<Row>(
            'select * from link.links where app_id = $1 order by created_at desc, id desc limit $2',
            [appId, limit],
          );
      return rows.map(toLink);
    },

    /**
     * Locks the usage of these apps and months until the transaction ends, in one order for everybody, and returns what
     * is used by `appId/month`.
     */
    async lockUsage(tx: Sql, keys: readonly { appId: string; month: string }[]): Promise<Map<string, number>> {
      // The update changes nothing; it is what locks a row that exists and gives it back.
      const rows = await tx.rows<{ app_id: string; month: string; used: number }>(
        `insert into link.usage as u (app_id, month, used)
         select distinct app_id, month, 0 from unnest($1::uuid[], $2::text[]) as k(app_id, month) order by 1, 2
         on conflict (app_id, month) do update set used = u.used returning app_id, month, used`,
        [keys.map((k) => k.appId), keys.map((k) => k.month)],
      );
      return new Map(rows.map((row) => [`${row.app_id}/${row.month}`, row.used]));
    },

    /**
     * Stores the links and counts them, as one statement, and returns by id what will be stored. Their usage is locked. One
     * that exists fails the transaction.
     */
    insert(tx: Transaction, links: readonly NewLink[]): Map<string, Link> {
      if (links.length === 0) return new Map();
      tx.send(
        `with made as (
           insert into link.links (id, app_id, slug, destination, metadata, input_hash, created_at, version)
           select id, app_id, slug, destination, metadata::json, input_hash, created_at, 1
           from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::bytea[], $7::timestamptz[])
             as l(id, app_id, slug, destination, metadata, input_hash, created_at)
           order by id
         )
         update link.usage u set used = used + added.count
         from (
           select app_id, month, count(*)::int as count from unnest($2::uuid[], $8::text[]) as l(app_id, month) group by 1, 2
         ) added
         where u.app_id = added.app_id and u.month = added.month`,
        [
          links.map((l) => l.id),
          links.map((l) => l.appId),
          links.map((l) => l.slug),
          links.map((l) => l.destination),
          links.map((l) => JSON.stringify(l.metadata)),
          links.map((l) => l.inputHash),
          links.map((l) => l.createdAt),
          links.map((l) => l.month),
        ],
      );
      return new Map(links.map((link) => [link.id, asStored(link)]));
    },

    /** What an edit with this message id did, if it was done before. */
    async findEdit(tx: Sql, messageId: string): Promise<Link | null> {
      const [row] = await tx.rows<{ reply: Link }>('select reply from link.edits where message_id = $1', [messageId]);
      return row?.reply ?? null;
    },

    async lock(tx: Sql, linkId: string): Promise<Link | null> {
      const [row] = await tx.rows<Row>('select * from link.links where id = $1 for update', [linkId]);
      return row ? toLink(row) : null;
    },

    /** Stores the edited link as its next version, and under the message's id what it became. */
    async storeEdit(
      tx: Sql,
      edit: { messageId: string; linkId: string; expiresAt: string | null; archivedAt: string | null; at: Date },
    ): Promise<Link> {
      const [row] = await tx.rows<Row>(
        'update link.links set expires_at = $2, archived_at = $3, version = version + 1 where id = $1 returning *',
        [edit.linkId, edit.expiresAt, edit.archivedAt],
      );
      const link = toLink(row!);
      await tx.rows('insert into link.edits (message_id, link_id, reply, at) values ($1, $2, $3, $4)', [
        edit.messageId,
        edit.linkId,
        JSON.stringify(link),
        edit.at,
      ]);
      return link;
    },
  };
}
