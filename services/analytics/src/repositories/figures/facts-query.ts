// The parts of a question to the facts in PostgreSQL.
import type { AnalyticsDimension, AnalyticsMetric, FixedDimension } from '@landfall/contracts';
import { columns, isFolded, isOfClick, isUuid, labelOf, metrics } from '../../domain/metrics.ts';
import { dimensionsOf } from '../../domain/question.ts';
import type { Filter, Question } from '../../store.ts';

const tables: Readonly<Record<string, { table: string; at: string; condition: string }>> = {
  attributedInstalls: { table: 'analytics.installs f', at: 'f.installed_at', condition: 'f.restored_at is not null' },
  storeRedirects: { table: 'analytics.facts f', at: 'f.at', condition: 'f.to_store' },
};

/** Capitals and outer spaces make no difference. */
export const folded = (text: string): string => `lower(btrim(${text}))`;
/** The values that are wanted, folded as well: PostgreSQL alone decides what is equal. */
export const foldedValues = (parameter: string): string =>
  `array(select ${folded('v')} from unnest(${parameter}::text[]) v)`;

/**
 * Returns the parts of a statement about the facts of a question.
 * @param others dimensions that the statement names besides those of the question
 */
export function factsQuery(question: Question, others: readonly AnalyticsDimension[] = []) {
  const { appId, metric, buckets, to, filters, groupBy, exact } = question;
  const values: unknown[] = [];
  /** Adds a value, and returns its name in the statement. */
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const { table, at, condition } = tables[metric] ?? { table: 'analytics.facts f', at: 'f.at', condition: '' };
  const folds = (dimension: AnalyticsDimension) => !exact && isFolded(dimension);
  /** The expression of a dimension, as text. */
  const column = (dimension: AnalyticsDimension) => {
    const text = columnOf(metric, dimension, parameter);
    return folds(dimension) ? `nullif(${folded(text)}, '')` : text;
  };
  const conditions = [
    `f.app_id = ${parameter(appId)}`,
    `${at} >= ${parameter(new Date(buckets[0]!))}`,
    `${at} < ${parameter(new Date(to))}`,
    ...(table.includes('facts') ? [`f.kind = ${metrics[metric].kind}`] : []),
    ...(condition === '' ? [] : [condition]),
    ...filters.map((filter) => conditionOf(filter, column, parameter, folds(filter.dimension))),
  ];
  const named = [...dimensionsOf({ filters, groupBy }), ...others];
  const join = named.some((dimension) => isOfClick(metric, dimension)) ? CLICK : '';
  const sources = `from ${table} ${join}`;
  const where = `where ${conditions.join(' and ')}`;
  return {
    from: `${sources} ${where}`,
    sources,
    where,
    at,
    /** The expression of the group, as text. */
    value: groupBy === null ? 'null::text' : column(groupBy),
    column,
    /** The same with its own spelling. */
    spelled: (dimension: AnalyticsDimension) => columnOf(metric, dimension, parameter),
    parameter,
    values,
  };
}

/** The click that led to a fact. Its time is in the key of the table. */
const CLICK = 'left join analytics.facts c on c.at = f.clicked_at and c.id = f.click_id';

function columnOf(
  metric: AnalyticsMetric,
  dimension: AnalyticsDimension,
  parameter: (value: unknown) => string,
): string {
  const source = isOfClick(metric, dimension) ? 'c' : 'f';
  const label = labelOf(dimension);
  if (label !== null) return `(${source}.labels ->> ${parameter(label)})`;
  const column = `${source}.${columns[dimension as FixedDimension]}`;
  return dimension === 'link' ? `${column}::text` : column;
}

function conditionOf(
  { dimension, values }: Filter,
  column: (dimension: AnalyticsDimension) => string,
  parameter: (value: unknown) => string,
  folds: boolean,
): string {
  const given = values.filter((value) => value !== null);
  const lacks = values.includes(null) ? `${column(dimension)} is null` : 'false';
  if (dimension !== 'link') {
    const wanted = folds ? foldedValues(parameter(given)) : `${parameter(given)}::text[]`;
    return `(${column(dimension)} = any(${wanted}) or ${lacks})`;
  }
  // As a UUID, so that the index by link is used.
  return `(f.link_id = any(${parameter(given.filter(isUuid))}::uuid[]) or ${lacks})`;
}
