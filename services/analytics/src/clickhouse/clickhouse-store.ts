// Answers all questions from the facts in ClickHouse.
import { COHORT_DAYS, type LiveEvent } from '@landfall/contracts';
import { kinds } from '../domain/fact.ts';
import { columns } from '../domain/metrics.ts';
import { DAY_MS, type Zone } from '../domain/zone.ts';
import { LIVE_COLUMNS, nameOfKind } from '../repositories/live-repository.ts';
import type { ActivityRow, AnalyticsStore, FigureStore, Figures, Group, Question, Turn } from '../store.ts';
import { breakdowns } from './breakdowns.ts';
import type { ClickHouse } from './clickhouse.ts';
import { bucketOf, factsQuery, firstInstalls, parameters, rangeOf, YEAR_2200 } from './facts-query.ts';
import { followed } from './funnel.ts';
import { linkFigures, linkInstalls, taps } from './links.ts';
import { listedEvents } from './listed-events.ts';

export const clickHouseStore = (clickhouse: ClickHouse, zone: (appId: string) => Promise<Zone>): AnalyticsStore => ({
  inTurns: ({ facts }) => ({ zone, ...figuresInTurns(clickhouse, facts) }),
  live: (...asked) => live(clickhouse, ...asked),
  taps: (asked) => taps(clickhouse, asked),
  linkInstalls: (asked) => linkInstalls(clickhouse, asked),
});

function figuresInTurns(clickhouse: ClickHouse, facts: Turn): Omit<FigureStore, 'zone'> {
  return {
    async coverage() {
      const [row] = await clickhouse.rows<{ events: number; from: number }>(
        'select count() as events, toUnixTimestamp64Milli(min(at)) as from from facts',
      );
      return row!.events === 0 ? null : { completeFrom: row!.from, factsFrom: row!.from };
    },

    figures: (question): Promise<Figures> =>
      facts(async () => {
        const [values, found] = await Promise.all([
          valuesFor(clickhouse, question),
          question.groupBy === null ? null : groupsFor(clickhouse, question),
        ]);
        return { source: 'facts', values, groups: found?.groups ?? null, groupCount: found?.count ?? 0 };
      }),

    breakdowns: (question, parts) => facts(() => breakdowns(clickhouse, question, parts)),
    funnel: (question) => facts(() => followed(clickhouse, question)),
    list: (question, listing) => facts(() => listedEvents(clickhouse, question, listing)),
    clickedLinks: (question) => facts(() => clickedLinks(clickhouse, question)),
    activity: (question) => facts(() => activity(clickhouse, question)),
    linkFigures: (question) => facts(() => linkFigures(clickhouse, question)),
  };
}

async function clickedLinks(clickhouse: ClickHouse, question: Question): Promise<Map<string | null, number>> {
  const facts = factsQuery({ ...question, metric: 'clicks' });
  const rows = await clickhouse.rows<{ value: string | null; links: number }>(
    `select ${facts.value} as value, uniqExact(f.link_id) as links ${facts.from} group by value`,
    facts.values,
  );
  return new Map(rows.map(({ value, links }) => [value, links]));
}

/** Visitors are told apart within their bucket. */
const numberOf = ({ metric }: Question): string => (metric === 'visitors' ? 'uniqExact(f.visitor)' : 'count()');

async function valuesFor(clickhouse: ClickHouse, question: Question): Promise<number[]> {
  const facts = factsQuery({ ...question, groupBy: null });
  const rows = await clickhouse.rows<{ bucket: number; n: number }>(
    `select ${facts.bucket} as bucket, ${numberOf(question)} as n ${facts.from} group by bucket`,
    facts.values,
  );
  const numbers = rows.map(({ bucket, n }) => [bucket, n] as const);
  return inBuckets(numbers, question);
}

async function groupsFor(clickhouse: ClickHouse, question: Question): Promise<{ groups: Group[]; count: number }> {
  const facts = factsQuery(question);
  const rows = await clickhouse.rows<{ value: string | null; numbers: [number, number][]; groups: number }>(
    `select value, groupArray((bucket, n)) as numbers, count() over () as groups from (
       select ${facts.value} as value, ${facts.bucket} as bucket, ${numberOf(question)} as n
       ${facts.from} group by value, bucket
     ) group by value order by sum(n) desc, value is not null, value limit ${facts.add(question.limit, 'UInt32')}`,
    facts.values,
  );
  const groups = rows.map(({ value, numbers }) => ({ value, values: inBuckets(numbers, question) }));
  return { groups, count: rows[0]?.groups ?? 0 };
}

/** @param numbers with the beginning of their bucket */
function inBuckets(numbers: readonly (readonly [number, number])[], { buckets }: Question): number[] {
  const found = new Map(numbers);
  return buckets.map((start) => found.get(start) ?? 0);
}

/** The filters are about the install. */
async function activity(clickhouse: ClickHouse, { appId, buckets, to, filters }: Question): Promise<ActivityRow[]> {
  const given = parameters();
  const app = given.add(appId, 'UUID');
  const installed = rangeOf(given, buckets[0]!, to);
  const active = rangeOf(given, buckets[0]!, to + (COHORT_DAYS + 1) * DAY_MS);
  const conditions = filters.map(({ dimension, values }) => {
    const column = `i.${columns[dimension as keyof typeof columns]}`;
    const wanted = given.add(
      values.filter((value) => value !== null),
      'Array(String)',
    );
    return `and if(${column} is null, ${values.includes(null)}, has(${wanted}, ifNull(${column}, '')))`;
  });
  const rows = await clickhouse.rows<{ start: number; installDay: number; devices: number }>(
    `select ${bucketOf(given, 'i.at', buckets)} as start, f.install_day as "installDay", uniqExact(f.device) as devices
     from (
       select device, install_day from facts final where app_id = ${app} and kind = ${kinds.active} and ${active('at')}
         and install_day between 1 and ${COHORT_DAYS} and device is not null
     ) as f
     join (select * from (${firstInstalls(app)}) where ${installed('at')}) as i on i.device = f.device
     where true ${conditions.join(' ')}
     group by start, "installDay"`,
    given.values,
  );
  const places = new Map(buckets.map((start, place) => [start, place]));
  return rows.map(({ start, ...row }) => ({ ...row, bucket: places.get(start)! }));
}

async function live(
  clickhouse: ClickHouse,
  ...[appId, since, limit, kind]: Parameters<AnalyticsStore['live']>
): Promise<LiveEvent[]> {
  const given = parameters();
  const rows = await clickhouse.rows<Omit<LiveEvent, 'kind'> & { kind: number }>(
    `select ${LIVE_COLUMNS} from facts final
     where app_id = ${given.add(appId, 'UUID')} and ${rangeOf(given, since.getTime(), YEAR_2200)('at')}
       ${kind === null ? '' : `and kind = ${kinds[kind]}`}
     order by at desc, toString(id) desc limit ${given.add(limit, 'UInt32')}`,
    given.values,
  );
  return rows.toReversed().map((row) => ({ ...row, kind: nameOfKind(row.kind) }));
}
