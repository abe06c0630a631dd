// Follows clicks to the devices that they led to. A restore names its click and its device: nothing else ties them together.
import type { Sql } from '@landfall/db';
import { kinds } from '../../domain/fact.ts';
import { WITHIN_MS } from '../../domain/install.ts';
import type { Delay, Followed, Question } from '../../store.ts';
import { factsQuery } from './facts-query.ts';

interface Row extends Omit<Followed, 'toRestore' | 'toInstall'> {
  readonly toRestore: [number, number] | null;
  readonly toInstall: [number, number] | null;
}

type Clicks = ReturnType<typeof factsQuery>;

/**
 * Right after many events came, the planner knows of few. It would then compare each click with each restore and install.
 * Everything here is read once, so that hashes are never much slower.
 */
export const planSteps = (sql: Sql) => sql.rows("select set_config('enable_nestloop', 'off', true)");

/** The `with` of a statement that reads the clicks of a question as `steps`, each with the steps that it led to. */
export function stepsOf({ appId, buckets, to }: Question, clicks: Clicks): string {
  const app = `app_id = ${clicks.parameter(appId)}`;
  const from = clicks.parameter(new Date(buckets[0]!));
  const clicked = `clicked_at >= ${from} and clicked_at < ${clicks.parameter(new Date(to))}`;
  // What follows from a click comes after it. An install may come a day before its restore.
  const earliest = clicks.parameter(new Date(buckets[0]! - WITHIN_MS));
  return `with clicks as materialized (
       select f.id, f.at, ${clicks.value} as value ${clicks.from}
     ), restored as materialized (
       select click_id, min(at) as at from analytics.facts
       where ${app} and kind = ${kinds.restore} and at >= ${from} and ${clicked} group by click_id
     ), active as materialized (
       select device, max(at) as at from analytics.facts
       where ${app} and kind = ${kinds.active} and at >= ${earliest} group by device
     ), installed as materialized (
       select click_id, min(i.installed_at) as at, bool_or(a.at > i.installed_at) as came_back
       from analytics.installs i left join active a on a.device = i.device
       where i.${app} and i.installed_at >= ${earliest} and ${clicked} group by click_id
     ), steps as (
       select c.id, c.at, c.value, r.at is not null as restored, r.at is not null and i.at is not null as installed,
         coalesce(i.came_back and r.at is not null, false) as opened,
         greatest(0, extract(epoch from r.at - c.at)::float8) as to_restore,
         greatest(0, extract(epoch from i.at - c.at)::float8) as to_install
       from clicks c left join restored r on r.click_id = c.id left join installed i on i.click_id = c.id
     )`;
}

export async function followed(sql: Sql, question: Question): Promise<Followed[]> {
  const clicks = factsQuery({ ...question, metric: 'clicks' });
  await planSteps(sql);
  const rows = await sql.rows<Row>(
    `${stepsOf(question, clicks)}
     select value, count(*)::int as clicks, count(*) filter (where restored)::int as restores,
       count(*) filter (where installed)::int as installs, count(*) filter (where opened)::int as opens,
       ${percentiles('to_restore', 'restored')} as "toRestore", ${percentiles('to_install', 'installed')} as "toInstall"
     from steps group by value order by clicks desc, value nulls first limit ${clicks.parameter(question.limit)}`,
    clicks.values,
    'anew',
  );
  return rows.map((row) => ({ ...row, toRestore: delayOf(row.toRestore), toInstall: delayOf(row.toInstall) }));
}

const percentiles = (column: string, step: string): string =>
  `percentile_disc(array[0.5, 0.9]) within group (order by ${column}) filter (where ${step})`;

const delayOf = (found: [number, number] | null): Delay | null => found && { median: found[0], p90: found[1] };
