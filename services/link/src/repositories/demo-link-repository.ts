// Links of a made-up past. They count for no quota, and have no entry in the audit log.
import { hash } from 'node:crypto';
import { columnsOf, type Sql } from '@landfall/db';

export interface DemoLink {
  id: string;
  appId: string;
  slug: string;
  destination: string;
  metadata: object;
  createdAt: Date;
  /** Null: a key made the link. */
  name: string | null;
  /** The person who made a link with a name. Null: the operator. */
  makerUserId: string | null;
  tags: readonly string[];
}

const columns = columnsOf<DemoLink>({
  id: ['uuid', (l) => l.id],
  app_id: ['uuid', (l) => l.appId],
  slug: ['text', (l) => l.slug],
  destination: ['text', (l) => l.destination],
  metadata: ['text', (l) => JSON.stringify(l.metadata)],
  input_hash: ['bytea', (l) => hash('sha256', l.id, 'buffer')],
  created_at: ['timestamptz', (l) => l.createdAt],
  name: ['text', (l) => l.name],
  maker_kind: ['text', (l) => (l.name === null ? null : l.makerUserId === null ? 'operator' : 'person')],
  maker_user_id: ['uuid', (l) => l.makerUserId],
  tags: ['text', (l) => JSON.stringify(l.tags)],
});

export const demoLinks = (sql: Sql) => ({
  /** Links that exist stay as they are. */
  async add(links: readonly DemoLink[]): Promise<void> {
    await sql.rows(
      `insert into link.links (id, app_id, slug, destination, metadata, input_hash, created_at, version, name,
         maker_kind, maker_user_id, tags, managed)
       select id, app_id, slug, destination, metadata::json, input_hash, created_at, 1, name,
         maker_kind, maker_user_id,
         array(select jsonb_array_elements_text(tags::jsonb)), name is not null
       from ${columns.unnest('a')} on conflict do nothing`,
      columns.valuesOf(links),
    );
  },
  async remove(appId: string, ids: readonly string[]): Promise<void> {
    await sql.rows('delete from link.links where app_id = $1 and id = any($2::uuid[])', [appId, ids]);
  },
});
