// A list of links with their figures. The order by figures comes from analytics, the rows come from the link service.
import { Busy, Failed, NoAnswer } from '@landfall/bus';
import {
  type App,
  type FigureDays,
  FindLinks,
  LEAST_TAPS_OF_RATE,
  type Link,
  LinkFigures,
  LinkSort,
  ListLinkIds,
  ListLinks,
  linkCursor,
  placeIn,
  QueryLinkFigures,
  type ReplyOf,
} from '@landfall/contracts';
import { ApiError } from '@landfall/http';
import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { nameOf } from '../analytics/asked.ts';
import type { ConsoleParts } from '../parts.ts';
import { filterOf, type LinkFilter } from './link-filter.ts';

const ranges = { '7d': 7, '30d': 30, '90d': 90 } as const satisfies Record<string, FigureDays>;
const Range = z.enum(Object.keys(ranges) as [keyof typeof ranges]);
export type Range = z.output<typeof Range>;

const Sort = z.enum(['created', ...LinkSort.options]);

const figureRange = {
  range: Range.default('30d').describe("The days of the figures. The last one is today in the app's time zone."),
};

export const sorting = {
  sort: Sort.default('created').describe(
    `\`created\`: newest first. \`clicks\`, \`installs\`: the most in the range first, then all links without one, newest first. \`rate\`: the most installs for each click in the range first, of links with at least ${LEAST_TAPS_OF_RATE} clicks, then all others, newest first.`,
  ),
  ...figureRange,
};

export const figures = LinkFigures.nullable().describe('Null: analytics does not answer.');

export const FigureState = z
  .enum(['ok', 'unavailable'])
  .describe(
    '`unavailable`: analytics does not answer in time. Links are then without figures, and a list by figures comes newest first instead.',
  );

/** A place in a list by figures: behind a link with so many, or among those that have none. */
const FIGURE_PLACE = /^(clicks|installs|rate)\.(\d+d)\.(?:(\d{1,15})\.([0-9a-f-]{36})|none\.(.*))$/;

export const listCursor = () =>
  z
    .string()
    .max(200)
    .refine(
      (given) => {
        const [, , , , linkId, rest] = FIGURE_PLACE.exec(given) ?? [];
        if (linkId !== undefined) return z.uuid().safeParse(linkId).success;
        return rest === '' || linkCursor().safeParse(rest ?? given).success;
      },
      { error: 'must be a `next` of the previous page' },
    );

type FiguresOf = ReadonlyMap<string, LinkFigures>;

export interface Listed {
  links: readonly Link[];
  next: string | null;
  total: { count: number; exact: boolean } | null;
  /** Null: analytics does not answer. */
  figures: FiguresOf | null;
}

interface Asked extends LinkFilter {
  limit: number;
  cursor: string | null;
  sort: z.output<typeof Sort>;
  range: Range;
}

export async function listWithFigures(app: App, asked: Asked, caller: Caller | null, parts: ConsoleParts) {
  const { sort, range, cursor } = asked;
  const [, sorted, sortedRange] = FIGURE_PLACE.exec(cursor ?? '') ?? [];
  if (sorted !== undefined && (sorted !== sort || sortedRange !== range))
    throw new ApiError('INVALID_REQUEST', [
      { path: 'cursor', message: 'must be a `next` with the same sort and range' },
    ]);
  const figures = figuresOf(app.id, ranges[range], caller, parts);
  // A list by figures that began while analytics was silent goes on as it began.
  if (sort === 'created' || (cursor !== null && sorted === undefined)) return byDate(app, asked, figures, parts);
  return byFigures(app, { ...asked, sort }, figures, parts);
}

async function byDate(app: App, asked: Asked, figures: Figures, { forward }: ConsoleParts): Promise<Listed> {
  const { limit, cursor } = asked;
  const page = { limit, cursor, count: cursor === null };
  const { links, next, total = null } = await forward(ListLinks, { appId: app.id, ...filterOf(asked), ...page });
  return { links, next, total, figures: await figures.of(links.map(({ id }) => id)) };
}

type ByFigures = Asked & { sort: LinkSort };

async function byFigures(app: App, asked: ByFigures, figures: Figures, parts: ConsoleParts): Promise<Listed> {
  const { limit, cursor, sort, range } = asked;
  const [, , , n, linkId, rest] = FIGURE_PLACE.exec(cursor ?? '') ?? [];
  const after = linkId === undefined ? null : { n: Number(n), linkId };
  const filter = filterOf(asked);
  const ids = rest === undefined ? await idsOf(app.id, filter, parts) : null;
  const top = rest === undefined ? await figures.top({ sort, after, linkIds: ids, limit }, after === null) : [];
  if (top === null) return byDate(app, { ...asked, cursor: null }, figures, parts);
  const place = (where: string) => `${sort}.${range}.${where}`;
  const last = top.at(-1);
  const [links, total] = await Promise.all([
    linksOf(app.id, top, parts),
    cursor === null ? totalOf(app.id, filter, ids, parts) : null,
  ]);
  const known = new Map<string, LinkFigures>(top.map(({ linkId, ...own }) => [linkId, own]));
  if (top.length === limit)
    return { links, next: place(`${placeIn(sort, last!)}.${last!.linkId}`), total, figures: known };
  const others = await withNone(app.id, { ...asked, limit: limit - top.length, cursor: rest || null }, figures, parts);
  return {
    links: [...links, ...others.links],
    next: others.next === null ? null : place(`none.${others.next}`),
    total,
    figures: new Map([...known, ...others.figures]),
  };
}

/** Pages that are read to find links without a place, among others. */
const MOST_PAGES = 5;

/** The links that have no place in the order, newest first. */
async function withNone(appId: string, asked: ByFigures, figures: Figures, { forward }: ConsoleParts) {
  const links: Link[] = [];
  const known = new Map<string, LinkFigures>();
  let { cursor } = asked;
  for (let page = 0; page < MOST_PAGES && links.length < asked.limit; page++) {
    const limit = asked.limit - links.length;
    const found = await forward(ListLinks, { appId, ...filterOf(asked), limit, cursor });
    const own = await figures.must(found.links.map(({ id }) => id));
    for (const link of found.links) {
      const figure = own.get(link.id)!;
      if (placeIn(asked.sort, figure) !== null) continue;
      links.push(link);
      known.set(link.id, figure);
    }
    cursor = found.next;
    if (cursor === null) break;
  }
  return { links, next: cursor, figures: known };
}

type Filter = ReturnType<typeof filterOf>;

/** Returns the ids that a filter finds. Null: it finds all links. */
async function idsOf(appId: string, filter: Filter, { forward }: ConsoleParts): Promise<string[] | null> {
  const { state, origin, ...others } = filter;
  if (state === 'all' && origin === 'all' && Object.values(others).every((value) => value == null)) return null;
  const { ids, all } = await forward(ListLinkIds, { appId, ...filter });
  if (!all) throw new ApiError('NARROW_FILTER');
  return ids;
}

async function totalOf(appId: string, filter: Filter, ids: string[] | null, { forward }: ConsoleParts) {
  if (ids !== null) return { count: ids.length, exact: true };
  const { total = null } = await forward(ListLinks, { appId, ...filter, limit: 1, cursor: null, count: true });
  return total;
}

/** Returns the links in the order of their figures. */
async function linksOf(appId: string, top: readonly { linkId: string }[], { forward }: ConsoleParts): Promise<Link[]> {
  const found: Link[] = [];
  let left = top.map(({ linkId }) => linkId);
  while (left.length > 0) {
    const { links, rest } = await forward(FindLinks, { appId, linkIds: left });
    found.push(...links);
    left = rest;
  }
  return found;
}

/** Milliseconds for which a list waits for its figures. */
const FIGURES_MS = 300;
/** Milliseconds for which it waits for its order. */
const ORDER_MS = 5_000;

export type Figures = ReturnType<typeof figuresOf>;

export function figuresOf(appId: string, days: FigureDays, caller: Caller | null, { bus, forward }: ConsoleParts) {
  const asked = { appId, days, caller: nameOf(caller), sort: null, after: null, linkIds: null, limit: 1 } as const;
  const byId = (links: ReplyOf<typeof QueryLinkFigures>['links']): FiguresOf =>
    new Map(links.map(({ linkId, ...own }) => [linkId, own]));
  const given = { timeoutMs: ORDER_MS };
  return {
    /** Null: analytics does not answer in time. */
    async of(linkIds: string[]): Promise<FiguresOf | null> {
      if (linkIds.length === 0) return new Map();
      const answer = await bus
        .ask(QueryLinkFigures, { ...asked, linkIds }, { timeoutMs: FIGURES_MS })
        .catch(nullIfSilent);
      return answer?.ok ? byId(answer.reply.links) : null;
    },

    /** Throws when analytics does not answer. */
    async must(linkIds: string[]): Promise<FiguresOf> {
      if (linkIds.length === 0) return new Map();
      return byId((await forward(QueryLinkFigures, { ...asked, linkIds }, given)).links);
    },

    /** The links with the most. Null when analytics does not answer and `orNull` is true. */
    async top(
      wanted: { sort: LinkSort; after: { n: number; linkId: string } | null; linkIds: string[] | null; limit: number },
      orNull: boolean,
    ) {
      const asking = forward(QueryLinkFigures, { ...asked, ...wanted }, given);
      const answer = await (orNull ? asking.catch(nullIfSilent) : asking);
      return answer?.links ?? null;
    },
  };
}

function nullIfSilent(error: unknown): null {
  if (error instanceof Busy || error instanceof NoAnswer || error instanceof Failed) return null;
  throw error;
}
