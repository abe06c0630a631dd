// `node scripts/boot.mjs testing/testkit/src/links/many-links.ts`: how fast the list of links is when an app has many, on the embedded
// PostgreSQL. LINKS (default 1,000,000): how many. All links have taps, on up to ten days each.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { analyticsService } from '@landfall/analytics';
import { createInProcessBus } from '@landfall/bus';
import { FindLinks, LinkClicked, ListLinks, QueryLinkFigures } from '@landfall/contracts';
import { applyMigrations, connect, isTransient, startEmbedded } from '@landfall/db';
import { linkService } from '@landfall/link';
import { testLogger } from '../logger.ts';

const LINKS = Number(process.env.LINKS ?? 1_000_000);
const APP = '11111111-1111-4111-8111-111111111111';
const ROUNDS = 9;

/** SQL of the id of a link: a valid UUID. */
const idOf = (number: string) => `overlay(overlay(md5(${number}) placing '4' from 13) placing '8' from 17)::uuid`;

const dir = mkdtempSync(path.join(tmpdir(), 'landfall-many-links-'));
const server = await startEmbedded({ dir: path.join(dir, 'postgres'), durable: true });
const database = connect({ url: server.superuserUrl, max: 8, limits: { statement: 600_000 } });
const bus = createInProcessBus({ log: testLogger(), isTransient });

/** Prints the first time and the median of the others, in milliseconds. */
async function measure(what: string, run: (round: number) => Promise<unknown>, rounds = ROUNDS): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const began = performance.now();
    await run(round);
    times.push(performance.now() - began);
  }
  const [first, ...others] = times;
  const median = others.sort((a, b) => a - b)[Math.floor(others.length / 2)] ?? first!;
  console.log(
    `${what.padEnd(48)} first ${first!.toFixed(0).padStart(6)} ms   median ${median.toFixed(0).padStart(6)} ms`,
  );
}

async function fill(): Promise<void> {
  await database.rows(
    `insert into link.links (id, app_id, slug, destination, metadata, input_hash, created_at, version, name, managed)
     select ${idOf('i::text')}, $1, (1700000000000 + i)::text || '-abcdefghijkl', '/products/' || i, '{}', '\\x00',
       now() - (($2 - i) * interval '10 s'), 1, case when i % 3 = 0 then 'Newsletter ' || i end, i % 3 = 0
     from generate_series(1, $2::int) i`,
    [APP, LINKS],
  );
  await database.rows(
    `insert into analytics.link_counts (app_id, day, link_id, clicks, attributed_installs)
     select $1, current_date - ((i * 7 + d * 13) % 90), ${idOf('i::text')}, 1 + (i % 1000 = 0)::int * (i % 977), (i % 20 = 0)::int
     from generate_series(1, $2::int) i, generate_series(0, i % 10) d on conflict do nothing`,
    [APP, LINKS],
  );
  await database.rows(
    `insert into analytics.day_counts (app_id, metric, dimension, day, value, n)
     select $1, 'clicks', 'all', day, '', sum(clicks) from analytics.link_counts group by day`,
    [APP],
  );
  await database.rows('vacuum analyze link.links');
  await database.rows('vacuum analyze analytics.link_counts');
}

async function ask<T>(answer: Promise<{ ok: true; reply: T } | { ok: false; refusal: unknown }>): Promise<T> {
  const given = await answer;
  if (!given.ok) throw new Error(JSON.stringify(given.refusal));
  return given.reply;
}

const WAIT = { timeoutMs: 300_000 };
const figures = (more: object) =>
  ask(
    bus.ask(
      QueryLinkFigures,
      { appId: APP, days: 30, linkIds: null, sort: null, after: null, limit: 50, ...more },
      WAIT,
    ),
  );
const list = (more: object = {}) =>
  ask(bus.ask(ListLinks, { appId: APP, search: null, limit: 50, cursor: null, ...more }, WAIT));

/** A page by figures: the order, then the rows. */
async function sorted(more: object): Promise<void> {
  const { links } = await figures(more);
  await ask(bus.ask(FindLinks, { appId: APP, linkIds: links.map(({ linkId }) => linkId) }, WAIT));
}

const tap = (linkId: string) =>
  bus.tell(
    LinkClicked,
    {
      ...{ linkId, appId: APP, url: 'https://shop.example/a', platform: 'ios', inApp: false, deferred: true },
      ...{ address: null, userAgent: 'A'.repeat(43) },
    },
    WAIT,
  );

/** Taps as many links as a batch of a busy time, chosen at random. */
async function batch(): Promise<void> {
  const rows = await database.rows<{ id: string }>(
    `select ${idOf('((1 + floor(random() * $1))::int)::text')} as id from generate_series(1, 300)`,
    [LINKS],
  );
  await Promise.all(rows.map(({ id }) => tap(id)));
}

try {
  await applyMigrations(server.superuserUrl);
  linkService({ bus, database });
  analyticsService({ bus, database });
  await bus.start();
  await fill();
  await measure('300 taps, before there are totals', batch);
  await measure('totals of all links', () => figures({ sort: 'clicks' }), 1);
  await database.rows('vacuum analyze analytics.link_totals');
  await measure('300 taps, with totals', batch);
  await measure('list', () => list());
  await measure('list with figures', async () => {
    const { links } = await list();
    await figures({ linkIds: links.map(({ id }) => id) });
  });
  await measure('search', (round) => list({ search: `newsletter ${99 + round}` }));
  for (const days of [7, 30, 90])
    for (const sort of ['clicks', 'installs'])
      await measure(`sorted by ${sort}, ${days} days`, () => sorted({ sort, days }));
  const after = { n: 1, linkId: '80000000-0000-4000-8000-000000000000' };
  await measure('sorted by clicks, far behind', () => sorted({ sort: 'clicks', after }));
  const ids = await database.rows<{ id: string }>('select id from link.links limit 10000');
  await measure('sorted by clicks, of 10,000 links', () =>
    sorted({ sort: 'clicks', linkIds: ids.map(({ id }) => id) }),
  );
  await database.rows(`update analytics.link_ends set day = day - 1`);
  await measure('a day that leaves', () => figures({ sort: 'clicks' }), 1);
} finally {
  await bus.stop();
  await database.close();
  await server.stop();
  rmSync(dir, { recursive: true, force: true });
}
