// Tests lists of an app with many links. Every filter must give the right links, and every page must read a limited
// number of rows.
import type { Context } from '@landfall/bus';
import { type InputOf, ListLinks, type ReplyOf } from '@landfall/contracts';
import { connect, type Database } from '@landfall/db';
import { createTestDatabase, rowsRead, type TestDatabase } from '@landfall/db/testing';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { listLinks } from './handlers/find-links.ts';
import { MAX_WALK } from './repositories/link-list-repository.ts';
import { linkRepository } from './repositories/link-repository.ts';

const LINKS = 30_000;
const appId = '11111111-1111-4111-8111-111111111111';
const now = new Date('2026-11-15T12:00:00.000Z');

let testDatabase: TestDatabase;
let database: Database;
/** The number of links that statements have read from the table since it was last set to 0. */
let read = 0;

beforeAll(async () => {
  testDatabase = await createTestDatabase(inject('databaseServerUrl'));
  database = connect({ url: testDatabase.url, max: 2, limits: { statement: 60_000 } });
  // Links of one app, three at the same time every 16 minutes over about 185 days, and 20 links of each of 1,000 other
  // apps. Of the big app's links, the oldest tenth leads to /old, a thousandth to each of /rare/<n>, and the rest to
  // one of many codes.
  await database.rows(
    `insert into link.links (id, app_id, slug, destination, metadata, input_hash, created_at, expires_at, archived_at, version)
     select gen_random_uuid(), case when i <= $2 then $1::uuid else md5((i % 1000)::text)::uuid end,
       (extract(epoch from at) * 1000)::bigint || '-' || left(md5(i::text), 16),
       case when i <= $2 * 0.1 then '/old/' || i when i % 10 = 0 then '/rare/' || i % 1000 else '/code?is=' || md5(i::text) end,
       '{}', sha256(i::text::bytea), at,
       case when i % 50 = 0 then at + interval '30 days' when i % 50 = 1 then at + interval '3000 days' end,
       case when i % 20 = 0 or i between $2 * 0.5 and $2 * 0.8 then at + interval '1 hour' end, 1
     from generate_series(1, $2::int + 20000) i,
       lateral (select $3::timestamptz - (($2 - least(i, $2)) / 3) * interval '16 minutes' as at) x`,
    [appId, LINKS, now],
  );
}, 60_000);

afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});

/** Returns a database that runs the statements unchanged and adds up the rows that they read. */
const counted = (): Database => ({
  ...database,
  rows: <T extends object>(text: string, values?: readonly unknown[]) =>
    database.transaction(async (tx) => {
      const before = await rowsRead(tx, 'link.links');
      const rows = await tx.rows<T>(text, values);
      read += (await rowsRead(tx, 'link.links')) - before;
      return rows;
    }),
});

type ListingQuery = Partial<InputOf<typeof ListLinks>>;
const BOUND = 2 * MAX_WALK + 300;

async function pageOf(asked: ListingQuery): Promise<ReplyOf<typeof ListLinks>> {
  read = 0;
  const input = ListLinks.input.parse({ appId, limit: 100, cursor: null, ...asked });
  const outcome = await listLinks(linkRepository(counted()))(input, { now } as Context);
  expect(read).toBeLessThan(BOUND);
  return 'reply' in outcome ? outcome.reply : expect.unreachable();
}

const conditions = {
  all: 'true',
  live: 'archived_at is null and (expires_at is null or expires_at > $3)',
  expired: 'archived_at is null and expires_at <= $3',
  archived: 'archived_at is not null',
};

/** Returns the ids that a list must have, from one simple query without pages. */
async function expected({ state = 'all', search = null, createdFrom = null, createdBefore = null }: ListingQuery) {
  const rows = await database.rows<{ id: string }>(
    `select id from (select * from link.links where app_id = $1 order by created_at desc, id desc
       limit ${ofWords.test(search ?? '/') ? MAX_WALK : LINKS}) l where ${conditions[state]} and $3::timestamptz is not null
       and ($2::text is null or starts_with(destination, $2) or starts_with(slug, $2) or destination like '/%' || $2 || '%')
       and ($4::timestamptz is null or created_at >= $4) and ($5::timestamptz is null or created_at < $5)
     order by created_at desc, id desc`,
    [appId, search, now, createdFrom, createdBefore],
  );
  return rows.map(({ id }) => id);
}

/** Words are looked for in the newest links alone. */
const ofWords = /^[^/\d]/;
const month = { createdFrom: '2026-07-01T00:00:00.000Z', createdBefore: '2026-09-01T00:00:00.000Z' };
const filters: ListingQuery[] = [
  { state: 'live' },
  { state: 'expired' },
  { state: 'archived' },
  { search: '/none' },
  { search: '/rare/7' },
  { search: '/old', state: 'live' },
  { search: '/code?is=a', state: 'expired' },
  { search: '/', state: 'expired', ...month },
  { search: '17', state: 'expired' },
  month,
  { search: 'is=7a' },
  { search: 'is=7a', state: 'expired' },
];

describe.each(['nothing', 'all'])("a list of many links, of which PostgreSQL's statistics know %s", (known) => {
  beforeAll(async () => {
    if (known === 'all') await database.rows('vacuum analyze link.links');
  }, 60_000);

  it.each(filters)(
    'holds what is wanted and nothing twice: %j',
    async (filter) => {
      const ids: string[] = [];
      let cursor: string | null = null;
      do {
        const page: ReplyOf<typeof ListLinks> = await pageOf({ ...filter, cursor });
        ids.push(...page.links.map(({ id }) => id));
        cursor = page.next;
      } while (cursor);
      expect(ids).toEqual(await expected(filter));
    },
    60_000,
  );

  it.each([
    [0, 'first'],
    [15_000, 'middle'],
    [29_900, 'last'],
  ])('reads no more than it shows, behind %i links', async (behind) => {
    const [last] = await database.rows<{ at: Date; id: string }>(
      `select created_at as at, id from link.links where app_id = $1 order by created_at desc, id desc offset $2 limit 1`,
      [appId, behind],
    );
    const { links } = await pageOf({ cursor: `${last!.at.getTime()}_${last!.id}` });
    expect(links).toHaveLength(Math.min(100, LINKS - behind - 1));
    expect(read).toBeLessThan(300);
  });

  it('ends a page that finds nothing, and says where to read on', async () => {
    const page = await pageOf({ search: '/old' });
    expect(page).toEqual({ links: [], next: expect.any(String), total: null });
  });
});
