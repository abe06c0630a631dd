// The totals of links equal the sums of their days, whatever came in between.
import { randomUUID } from 'node:crypto';
import { QueryLinkFigures } from '@landfall/contracts';
import { afterAll, expect, it } from 'vitest';
import { emptyDatabase, startWorker, tellAll } from './analytics.testing.ts';
import { addDays } from './domain/zone.ts';
import { followApp } from './handlers/follow-app.ts';
import { APPS, randomEvents, seeded } from './random-events.testing.ts';
import { recountAll } from './recount.ts';
import { keepTotals, readyTotals } from './repositories/links/keep-totals.ts';

const [APP] = APPS as [string];
const own = await emptyDatabase();
const bus = await startWorker(own.database);
afterAll(async () => {
  await bus.stop();
  await own.drop();
});

const START = '2026-08-01';
const events = randomEvents({
  count: 3_000,
  from: new Date('2026-05-01T00:00:00Z'),
  to: new Date('2026-09-20T00:00:00Z'),
  apps: [APP],
});

/** The columns of the totals that are not the sums of the days up to `link_ends`, and the sum of all totals. */
async function compared() {
  const numbers = [7, 30, 90].flatMap((days) =>
    [`clicks`, `installs`].map((name) => {
      const of = name === 'clicks' ? 'clicks' : 'attributed_installs';
      return { column: `${name}_${days}`, sum: `coalesce(sum(c.${of}) filter (where c.day > e.day - ${days}), 0)` };
    }),
  );
  const rows = await own.database.rows<{ wrong: number; total: number }>(
    `with wanted as (
       select c.link_id, ${numbers.map(({ column, sum }) => `${sum} as ${column}`).join(', ')}
       from analytics.link_counts c join analytics.link_ends e using (app_id) where c.app_id = $1 group by c.link_id
     ), taps as (
       select link_id, max(at) as at from analytics.facts where app_id = $1 and kind = 1 group by link_id
     )
     select count(*) filter (where (${numbers.map(({ column }) => `coalesce(t.${column}, 0)`).join(', ')}, t.last_tap_at)
         is distinct from (${numbers.map(({ column }) => `coalesce(w.${column}, 0)`).join(', ')}, taps.at))::int as wrong,
       coalesce(sum(t.clicks_90 + t.installs_90), 0)::int as total
     from wanted w full join (select * from analytics.link_totals where app_id = $1) t using (link_id)
     full join taps using (link_id)`,
    [APP],
    'anew',
  );
  return rows[0]!;
}

it('stay exact while days pass, events come late and twice, and other days are counted', async () => {
  const random = seeded(3);
  let day = START;
  let from = 0;
  for (const pass of [0, 1, 1, 3, 7, 8, 1, 40]) {
    day = addDays(day, pass);
    await readyTotals(own.database, APP, day);
    const until = from + 350;
    const twice = events.slice(0, until).filter(() => random() < 0.1);
    await tellAll([...events.slice(from, until), ...twice], () => bus);
    from = until;
    expect([day, (await compared()).wrong]).toEqual([day, 0]);
  }
  expect((await compared()).total).toBeGreaterThan(500);
  // A clock that is behind moves nothing back.
  await readyTotals(own.database, APP, START);
  expect((await compared()).wrong).toBe(0);
});

it('are summed up again in another zone, after a recount, and after an older version counted', async () => {
  const now = new Date(`2026-09-21T12:00:00Z`);
  const message = { data: { appId: APP, version: 2, hosts: [], timeZone: 'Asia/Kathmandu' } };
  await followApp(own.database)([message] as never);
  await keepTotals(own.database, now);
  const before = await compared();
  expect(before.wrong).toBe(0);
  await recountAll(own.database);
  await keepTotals(own.database, now);
  expect(await compared()).toEqual(before);
  await own.database.rows(
    'update analytics.link_totals set clicks_7 = 0, clicks_90 = clicks_90 + 1 where app_id = $1',
    [APP],
  );
  expect((await compared()).wrong).toBeGreaterThan(0);
  await keepTotals(own.database, now);
  expect(await compared()).toEqual(before);
});

it('keep the last tap of a link when its facts are not kept any more', async () => {
  const { database } = own;
  const last = () =>
    database.rows('select link_id, last_tap_at from analytics.link_totals where app_id = $1 order by 1', [APP]);
  const before = await last();
  await database.rows(`update analytics.state set kept_from = '2026-09-25'`);
  await database.rows('delete from analytics.facts where app_id = $1', [APP]);
  await database.rows('delete from analytics.link_ends');
  await readyTotals(database, APP, '2026-09-26');
  expect(await last()).toEqual(before);
});

it('a question is answered by the day that it is for the app, and by the filter', async () => {
  const now = new Date();
  const app = randomUUID();
  const links: string[] = Array.from({ length: 5 }, () => randomUUID());
  const told = links.flatMap((linkId, n) =>
    Array.from({ length: n }, (_, i) => {
      const [event] = events.filter(({ event }) => event.name === 'LinkClicked');
      const at = new Date(now.getTime() - i * 3 * 86_400_000);
      return { ...event!, id: randomUUID(), now: at, data: { ...event!.data, appId: app, linkId } };
    }),
  );
  await tellAll(told, () => bus);
  const ask = async (more: object) => {
    const input = { appId: app, days: 7, linkIds: null, sort: 'clicks', after: null, limit: 3, ...more } as const;
    const answer = await bus.ask(QueryLinkFigures, input);
    return answer.ok ? answer.reply.links.map(({ linkId, clicks }) => [links.indexOf(linkId), clicks]) : answer.refusal;
  };
  const [first, ...rest] = (await ask({ days: 90 })) as number[][];
  expect([first, ...rest]).toEqual([
    [4, 4],
    [3, 3],
    [2, 2],
  ]);
  expect(await ask({ days: 90, after: { n: 2, linkId: links[2] } })).toEqual([[1, 1]]);
  const three = [3, 4].sort((a, b) => (links[a]! < links[b]! ? -1 : 1)).map((n) => [n, 3]);
  expect(await ask({})).toEqual([...three, [2, 2]]);
  expect(await ask({ linkIds: [links[1], links[0]], sort: null })).toEqual([
    [1, 1],
    [0, 0],
  ]);
  expect(await ask({ linkIds: [links[1], links[0], links[3]], days: 90 })).toEqual([
    [3, 3],
    [1, 1],
  ]);
});
