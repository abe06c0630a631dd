// The common parts of all questions about events: the range, the filters, the asker, and the names of links.
import { linkNameOf } from '@landfall/api-client/link-name';
import {
  AnalyticsDimension,
  AnalyticsSpelling,
  calendarDay,
  type Link,
  MOST_FILTERS,
  MOST_GROUPS,
  QueryAnalytics,
} from '@landfall/contracts';
import { z } from 'zod';
import type { Caller, Guest } from '../access/caller.ts';
import { linksOf } from '../links/link-names.ts';
import type { ConsoleParts } from '../parts.ts';
import { DIMENSIONS, filter } from './filters.ts';

/** All questions have the same. */
export const REFUSALS = Object.keys(QueryAnalytics.refusals) as (keyof typeof QueryAnalytics.refusals)[];
/** Milliseconds. Questions that single events answer may take long, and wait for each other. */
export const WAIT = { timeoutMs: 25_000 };

const LAST = Date.UTC(2_200, 0);
/** A day, or an instant in UTC. */
const moment = () =>
  z
    .union([calendarDay(), z.iso.datetime({ offset: true })], { error: 'must be a day such as 2026-11-23, or a time' })
    .refine((given) => Date.parse(given) >= 0 && Date.parse(given) <= LAST, {
      error: 'must be between the years 1970 and 2200',
    });

export const range = {
  from: moment()
    .optional()
    .describe("A day in the app's time zone, or a time. If omitted: 30 days, which end with the day of `to`."),
  to: moment().optional().describe('A day, which is included, or a time, which is not. If omitted: the present.'),
  filter: z
    .array(filter())
    .max(MOST_FILTERS)
    .default([])
    .describe(
      'A dimension, a colon and a value, e.g. `country:DE`; no value: events without one. It may be repeated: values of one dimension are alternatives.',
    ),
  spelling: AnalyticsSpelling.default('folded').describe(
    '`folded`: `utm_*` values that differ in capitals and outer spaces alone are one value. `exact`: each spelling is its own.',
  ),
};

export const compare = z
  .enum(['previous', 'month', 'year'])
  .optional()
  .describe(
    'Adds a period to compare with: the one of equal length before, or the same days a month or a year before.',
  );
export type Compare = z.output<typeof compare>;

/** Returns a comparison as analytics reads it. */
export const comparedOf = (compare: Compare) => ({
  previous: compare !== undefined,
  lastYear: compare === 'year',
  lastMonth: compare === 'month',
});

export const dimension = () =>
  AnalyticsDimension.describe(`Splits the figures by a dimension: ${DIMENSIONS}. Not every metric has all of them.`);
export const limit = (value: number) =>
  z.coerce.number<string>().int().min(1).max(MOST_GROUPS).default(value).describe('The most groups.');

type Range = Pick<z.output<z.ZodObject<typeof range>>, 'from' | 'to' | 'filter'>;

/** Who asks a question: also a viewer of a share. */
export type Asker = Caller | Guest | null;

/** Returns a question as analytics reads it. */
export const askedOf = <Q extends Range>({ from, to, filter, ...rest }: Q, caller: Asker) => ({
  ...rest,
  caller: nameOf(caller),
  from: from ?? null,
  to: to ?? null,
  filters: filter,
});

/** A person is one caller, in whatever session and with whatever token. All visitors of a demo are one, and all viewers of a share. */
export function nameOf(caller: Asker): string {
  if (caller?.kind === 'guest') return `share ${caller.share.id}`;
  if (caller === null || caller.kind === 'visitor') return 'visitor';
  return caller.kind === 'operator' ? 'operator' : caller.userId;
}

/** The name of a downloaded file: the app, what it counts, and the days. */
export const fileNameOf = (
  { subdomain }: { subdomain: string },
  what: string,
  { from, to, timeZone }: { from: string; to: string; timeZone: string },
): string => {
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone });
  const [first, last] = [day.format(new Date(from)), day.format(Date.parse(to) - 1)];
  return `${subdomain}-${what.replace(':', '-')}-${first}-to-${last}`;
};

type Named = { value: string | null; name: string | null };

/**
 * Adds the names of links: what people call them, with the slug where two would be called the same. A link that cannot be
 * read stays without. Viewers of a share get the slug alone, which everybody sees in the address of the link, unless the
 * share has names, too. They never get a destination.
 */
export async function withNames<G extends Named>(
  groups: readonly G[],
  asker: Asker,
  { lookups }: ConsoleParts,
): Promise<G[]> {
  const ids = groups.flatMap(({ value }) => value ?? []);
  const links = await linksOf(ids, lookups);
  const nameOf = (link: Link): string => {
    if (asker?.kind !== 'guest') return linkNameOf(link);
    return (asker.share.options.linkNames && link.name) || link.slug;
  };
  const same = Map.groupBy(links, nameOf);
  const names = new Map(
    [...same].flatMap(([name, links]) =>
      links.map(({ id, slug }) => [id, links.length > 1 ? `${name} · ${slug}` : name] as const),
    ),
  );
  return groups.map((group) => ({ ...group, name: names.get(group.value ?? '') ?? null }));
}
