// The parts of a question to the facts in ClickHouse.
import type { AnalyticsDimension, FixedDimension } from '@landfall/contracts';
import { kinds } from '../domain/fact.ts';
import { MOST_RESTORES, WITHIN_MS } from '../domain/install.ts';
import { columns, isFolded, isOfClick, labelOf, metrics } from '../domain/metrics.ts';
import { dimensionsOf } from '../domain/question.ts';
import type { Filter, Question } from '../store.ts';

type Parameters = ReturnType<typeof parameters>;

/** The values of a statement, which it names as `{p1:Type}`. */
export function parameters() {
  const values: Record<string, unknown> = {};
  return {
    values,
    /** Adds a value, and returns its name in the statement. */
    add(value: unknown, type: string): string {
      const name = `p${Object.keys(values).length}`;
      values[name] = value;
      return `{${name}:${type}}`;
    },
  };
}

/** Capitals and outer spaces make no difference. */
const folded = (text: string): string => `lowerUTF8(trimBoth(${text}))`;

/**
 * The facts that a question counts, with the table `f`, and `c` for the click that led to each.
 * @param others dimensions that the statement names besides those of the question
 */
export function factsQuery(question: Question, others: readonly AnalyticsDimension[] = []) {
  const { appId, metric, buckets, to, filters, groupBy, exact } = question;
  const given = parameters();
  const app = given.add(appId, 'UUID');
  const range = rangeOf(given, buckets[0]!, to);
  const facts =
    metric === 'attributedInstalls'
      ? attributedInstalls(app, range)
      : `select * from facts final where app_id = ${app} and kind = ${metrics[metric].kind} and ${range('at')}
         ${metric === 'storeRedirects' ? 'and to_store' : ''}`;
  const named = [...dimensionsOf({ filters, groupBy }), ...others];
  const needsClick = named.some((dimension) => isOfClick(metric, dimension));
  const folds = (dimension: AnalyticsDimension) => !exact && isFolded(dimension);
  /** The expression of a dimension, as text. */
  const column = (dimension: AnalyticsDimension) => {
    const text = columnOf(isOfClick(metric, dimension) ? 'c' : 'f', dimension, given);
    return folds(dimension) ? `nullIf(${folded(`toNullable(toString(${text}))`)}, '')` : text;
  };
  const conditions = filters.map((filter) => conditionOf(filter, column, given, folds(filter.dimension)));
  const where = (more: readonly string[]): string => {
    const all = [...conditions, ...more];
    return `from (${facts}) as f ${needsClick ? clicksOf(app, facts) : ''}
      ${all.length === 0 ? '' : `where ${all.join(' and ')}`}`;
  };
  return {
    ...given,
    from: where([]),
    /** The same with more conditions. */
    where,
    /** The beginning of the bucket in milliseconds. */
    bucket: bucketOf(given, 'f.at', buckets),
    /** The expression of the group, as text. */
    value: groupBy === null ? 'null' : column(groupBy),
    column,
    /** The same with its own spelling. */
    spelled: (dimension: AnalyticsDimension) => columnOf(isOfClick(metric, dimension) ? 'c' : 'f', dimension, given),
  };
}

export function rangeOf({ add }: Parameters, from: number, to: number): (column: string) => string {
  const [first, end] = [from, to].map((ms) => `fromUnixTimestamp64Milli(${add(ms, 'Int64')}, 'UTC')`);
  return (column) => `${column} >= ${first} and ${column} < ${end}`;
}

/** The end of a range that has none. */
export const YEAR_2200 = 7_258_118_400_000;

export const bucketOf = ({ add }: Parameters, time: string, buckets: readonly number[]): string =>
  `roundDown(toUnixTimestamp64Milli(${time}), ${add(buckets, 'Array(Int64)')})`;

const clicksOf = (app: string, facts: string): string =>
  `left join (
     select * from facts final where app_id = ${app} and kind = ${kinds.click}
       and (at, id) in (select assumeNotNull(clicked_at), assumeNotNull(click_id) from (${facts}) where clicked_at is not null)
   ) as c on c.at = f.clicked_at and c.id = f.click_id`;

/** The first install of each device. Two phones with one fingerprint are one device. */
export const firstInstalls = (app: string): string =>
  `select device, first.1 as at, first.3 as country, first.4 as platform, first.5 as app_version from (
     select device, argMin((at, toString(id), country, platform, app_version), (at, toString(id))) as first
     from facts final where app_id = ${app} and kind = ${kinds.install} and device is not null group by device
   )`;

/** Installs with the restore that each is attributed to: as `attributionOf` finds it. */
export const attributedInstalls = (app: string, range: (column: string) => string): string =>
  `select device, at, country, platform, app_version,
     arrayFilter(r -> abs(dateDiff('millisecond', r.1, at)) <= ${WITHIN_MS}, restores) as near,
     arraySort(r -> (ifNull(r.5, toDateTime64(0, 3, 'UTC')), r.2), arrayFilter(r -> r.1 = near[1].1, near))[-1] as restore,
     restore.3 as link_id, restore.4 as click_id, restore.5 as clicked_at, restore.6 as match_type
   from (select * from (${firstInstalls(app)}) where ${range('at')}) as i
   join (
     select device, arraySlice(arraySort(r -> (r.1, r.2),
       groupArray((at, toString(id), link_id, click_id, clicked_at, match_type))), 1, ${MOST_RESTORES}) as restores
     from facts final where app_id = ${app} and kind = ${kinds.restore} and device is not null group by device
   ) as r on r.device = i.device
   where notEmpty(near)`;

function columnOf(table: 'f' | 'c', dimension: AnalyticsDimension, { add }: Parameters): string {
  const label = labelOf(dimension);
  if (label === null) {
    const column = `${table}.${columns[dimension as FixedDimension]}`;
    return dimension === 'link' ? `toString(${column})` : column;
  }
  const key = add(label, 'String');
  return `if(mapContains(${table}.labels, ${key}), ${table}.labels[${key}], null)`;
}

function conditionOf(
  { dimension, values }: Filter,
  column: (dimension: AnalyticsDimension) => string,
  { add }: Parameters,
  folds: boolean,
): string {
  const given = values.filter((value) => value !== null);
  const text = add(given, 'Array(String)');
  const wanted = folds ? `arrayMap(v -> ${folded('v')}, ${text})` : text;
  const has = given.length === 0 ? 'false' : `has(${wanted}, ifNull(${column(dimension)}, ''))`;
  const lacks = `${column(dimension)} is null`;
  return values.includes(null) ? `(${has} or ${lacks})` : `(${has} and not ${lacks})`;
}
