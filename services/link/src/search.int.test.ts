// Tests the search inside links of people, with its index and without.
import type { Context } from '@landfall/bus';
import { type InputOf, ListLinks, type ReplyOf } from '@landfall/contracts';
import { connect, type Database } from '@landfall/db';
import { createTestDatabase, type TestDatabase } from '@landfall/db/testing';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { listLinks } from './handlers/find-links.ts';
import { linkRepository } from './repositories/link-repository.ts';

const appId = '11111111-1111-4111-8111-111111111111';
const userId = '44444444-4444-4444-8444-444444444444';
const now = new Date('2026-11-15T12:00:00.000Z');
/** More than a search sorts, and more than one walk reads. */
const COMMON = 11_000;

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase(inject('databaseServerUrl'));
  database = connect({ url: testDatabase.url, max: 2, limits: { statement: 60_000 } });
  await database.rows(
    `insert into link.links (id, app_id, slug, destination, metadata, input_hash, created_at, expires_at, version, name, tags,
       maker_kind, maker_user_id, managed)
     select md5(i::text)::uuid, $1, case when i % 100 in (7, 9) then 'own-' || i else (1700000000 + i)::text || '000' || '-abcdefghijkl' end,
       case when i % 2000 = 0 then '/rare/100%_off' when i % 1900 = 0 then '/x?a=1&utm_campaign=' ||
         (array['spring-sale', 'Spring%20Sale&b', 'spring+sale#c'])[i / 1900 % 3 + 1] else '/common/' || i end, '{}', '\\x00', to_timestamp(1700000000 + i),
       case when i % 4000 = 0 then timestamptz '2026-01-01' end, 1,
       case when people then 'Newsletter ' || i || case when i % 3000 = 0 then ' Übergröße' else '' end end,
       case when people and i % 1000 = 0 then array['spring', 'n' || i] else '{}' end,
       case when people then 'person' end, case when people and i % 500 = 0 then $2::uuid end, people
     from generate_series(1, $3::int) i, lateral (select i % 50 <> 7 as people) x`,
    [appId, userId, COMMON],
  );
  await database.rows('vacuum analyze link.links');
}, 60_000);

afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});

type ListingQuery = Partial<InputOf<typeof ListLinks>>;

async function pageOf(asked: ListingQuery): Promise<ReplyOf<typeof ListLinks>> {
  const input = ListLinks.input.parse({ appId, limit: 100, cursor: null, ...asked });
  const outcome = await listLinks(linkRepository(database))(input, { now } as Context);
  return 'reply' in outcome ? outcome.reply : expect.unreachable();
}

/** Returns the numbers of the links of all pages, in their order. */
async function found(asked: ListingQuery): Promise<number[]> {
  const numbers: number[] = [];
  let cursor: string | null = null;
  do {
    const page: ReplyOf<typeof ListLinks> = await pageOf({ ...asked, cursor });
    numbers.push(...page.links.map(({ createdAt }) => Date.parse(createdAt) / 1_000 - 1_700_000_000));
    cursor = page.next;
  } while (cursor);
  return numbers;
}

const multiples = (of: number) => Array.from({ length: Math.floor(COMMON / of) }, (_, i) => (i + 1) * of).reverse();

const searches: [ListingQuery, number[]][] = [
  [{ search: 'ÜBERGRÖSSE' }, []],
  [{ search: 'übergröße' }, multiples(3_000)],
  [{ search: 'letter off übergröße' }, [6_000]],
  [{ search: '100%_off' }, multiples(2_000)],
  [{ search: '100__off' }, []],
  [{ search: 'off news', state: 'expired' }, multiples(4_000)],
  [{ search: 'off', createdBefore: new Date((1_700_000_000 + 4_000) * 1_000).toISOString() }, [2_000]],
  [{ tag: 'spring' }, multiples(1_000)],
  [{ tag: 'n3000' }, [3_000]],
  [{ tag: 'none' }, []],
  [{ userId }, multiples(500)],
  [{ userId, search: 'off', tag: 'spring' }, multiples(2_000)],
  [{ search: 'ff' }, multiples(2_000)],
  // Of a common word the index reads only some.
  [{ search: 'newsletter ff' }, multiples(2_000)],
  [{ search: 'newsletter', state: 'expired' }, multiples(4_000)],
  [{ campaign: 'spring Sale' }, [9_500, 7_600, 3_800, 1_900]],
  [{ campaign: 'spring', origin: 'all' }, []],
  [{ campaign: 'spring-sale', search: 'newsletter' }, [5_700]],
  // Links of keys: by their slug, or the beginning of it, or words in their destination, after those of people.
  [{ search: 'MMON/1005 com', origin: 'keys' }, [10_057]],
  [{ search: 'common/10057' }, [10_057]],
  [{ search: 'common/1005', tag: 'n1005' }, []],
  [{ search: 'own-107' }, [10_709, 107]],
  [{ search: 'OWN-107', origin: 'people' }, [10_709]],
  [{ search: 'own-107', origin: 'keys' }, [107]],
  [{ search: 'own-1', origin: 'keys' }, []],
  [{ search: '1700000057' }, [57]],
  // By its path.
  [{ search: '/own-109' }, [10_909, 109]],
  [{ search: '/own-107', state: 'live' }, [107]],
  [{ search: 'links.localhost:9140/own-109', origin: 'people' }, [10_909, 109]],
  [{ search: '/1700000058000-abcdefghijkl', origin: 'people' }, [58]],
  [
    { search: '/common/1005', origin: 'all' },
    [10_059, 10_058, 10_056, 10_055, 10_054, 10_053, 10_052, 10_051, 10_050, 1_005, 10_057],
  ],
];

describe('the total', () => {
  it.each<[ListingQuery, object | null]>([
    [{ count: true }, { count: 10_000, exact: false }],
    [
      { count: true, origin: 'keys' },
      { count: COMMON / 50, exact: true },
    ],
    [
      { count: true, state: 'expired' },
      { count: 2, exact: true },
    ],
    [
      { count: true, search: 'own-107', limit: 1 },
      { count: 2, exact: true },
    ],
    [
      { count: true, search: 'newsletter' },
      { count: 5_000, exact: false },
    ],
    [
      { count: true, search: 'newsletter', state: 'expired' },
      { count: 2, exact: true },
    ],
    [
      { count: true, search: ' ' },
      { count: 0, exact: true },
    ],
    [{}, null],
  ])('of %j is %j', async (asked, total) => {
    expect((await pageOf(asked)).total).toEqual(total);
  });
});

describe.each(['with its index', 'without it'])('a search inside links of people, %s', (how) => {
  beforeAll(async () => {
    if (how === 'without it') await database.rows('drop index link.links_search');
  });

  it.each(searches)('for %j finds them, newest first', async (asked, expected) => {
    expect(await found(asked)).toEqual(expected);
    expect(await found({ ...asked, limit: 1 })).toEqual(expected);
  });

  it('finds all links of a common word, page by page', async () => {
    const numbers = await found({ search: 'newsletter' });
    expect(numbers).toHaveLength(COMMON - COMMON / 50);
    expect(numbers).toEqual([...numbers].sort((a, b) => b - a));
  });
});
