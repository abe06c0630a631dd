// Answers questions about links. A page holds what fits in one message.
import type { Handler, One } from '@landfall/bus';
import {
  type CountLiveLinks,
  cursorAfter,
  type FindLink,
  type FindLinks,
  type FindUsage,
  type Link,
  type ListLinkEdits,
  type ListLinkIds,
  type ListLinks,
  type ListLinkTags,
  type ListLinkUtm,
  MOST_LINK_IDS,
  nextCursor,
  type ResolveLink,
  readCursor,
  readSearch,
} from '@landfall/contracts';
import {
  fitting,
  type ListingQuery,
  type Named,
  type Row,
  slugsNamed,
  type Wanted,
  wantedLinks,
  wantedOfKeys,
} from '../domain/listing.ts';
import type { LinkRepository } from '../repositories/link-repository.ts';
import { type Counted, type Listed, rowOf } from '../repositories/listed.ts';

export const resolveLink =
  (links: LinkRepository): Handler<typeof ResolveLink> =>
  async (batch) => {
    const found = await links.resolve(batch.map(({ data }) => data));
    return batch.map(({ data }) => foundOrNot(found.get(`${data.appId}/${data.slug}`)));
  };

export const findLink =
  (links: LinkRepository): Handler<typeof FindLink> =>
  async (batch) => {
    const found = await links.findById(batch.map(({ data }) => data.linkId));
    return batch.map(({ data }) => foundOrNot(found.get(data.linkId)));
  };

export const findLinks =
  (links: LinkRepository): One<typeof FindLinks> =>
  async ({ appId, linkIds }) => {
    const byId = await links.findById(linkIds);
    const found = linkIds.map((id) => byId.get(id)).filter((link) => link?.appId === appId) as Link[];
    const kept = fitting(found);
    return { reply: { links: [...kept], rest: found.slice(kept.length).map(({ id }) => id) } };
  };

export const listLinkTags =
  (links: LinkRepository): One<typeof ListLinkTags> =>
  async ({ appId }) => ({ reply: { tags: await links.listTags(appId) } });

export const listLinkUtm =
  (links: LinkRepository): One<typeof ListLinkUtm> =>
  async ({ appId, limit }) => ({ reply: { values: await links.listUtm(appId, limit) } });

const foundOrNot = (link: Link | undefined) =>
  link ? { reply: { link } } : { refusal: { code: 'LINK_NOT_FOUND' as const, facts: {} } };

export const findUsage =
  (links: LinkRepository): One<typeof FindUsage> =>
  async ({ appId, month }) => ({ reply: { linksCreated: await links.usedIn(appId, month) } });

export const countLiveLinks =
  (links: LinkRepository): One<typeof CountLiveLinks> =>
  async ({ appId }, { now }) => ({ reply: { live: await links.countLive(appId, now) } });

export const listLinks =
  (repository: LinkRepository): One<typeof ListLinks> =>
  async ({ limit, cursor, count, ...given }, { now }) => {
    const asked = queryOf(given);
    const { ofKeys, behind } = readPlace(cursor);
    const named = await namedBy(repository, asked);
    const first = wantedLinks(asked, ofKeys ? null : behind, named);
    const second = (from: Row | null) => wantedOfKeys(asked, from, named, now);
    const list = async (wanted: Wanted | null, most: number): Promise<Listed> =>
      wanted === null || most === 0 ? { links: [], readTo: null } : repository.list(wanted, most, now);

    const people = ofKeys ? { links: [], readTo: null } : await list(first, limit);
    const left = people.readTo === null ? limit - people.links.length : 0;
    const others = await list(left > 0 ? second(ofKeys ? behind : null) : null, left);
    const rows = fitting([...people.links, ...others.links]);
    const isCut = rows.length < people.links.length + others.links.length;
    const last = rows.at(-1);
    const readTo = isCut ? rowOf(last!) : (people.readTo ?? others.readTo);
    const inSecond = left > 0 && (!isCut || rows.length > people.links.length);
    const next = readTo && placeAfter(readTo, inSecond);
    const total = count ? await totalOf(repository, [wantedLinks(asked, null, named), second(null)], now) : null;
    return { reply: { links: [...rows], next, total } };
  };

export const listLinkIds =
  (repository: LinkRepository): One<typeof ListLinkIds> =>
  async (given, { now }) => {
    const asked = queryOf(given);
    const named = await namedBy(repository, asked);
    const parts = [wantedLinks(asked, null, named), wantedOfKeys(asked, null, named, now)];
    const found = await Promise.all(
      parts.filter((wanted) => wanted !== null).map((wanted) => repository.ids(wanted, now, MOST_LINK_IDS)),
    );
    const ids = found.flatMap((part) => part.ids);
    const all = ids.length <= MOST_LINK_IDS && found.every((part) => part.all);
    return { reply: { ids: ids.slice(0, MOST_LINK_IDS), all } };
  };

const queryOf = <Given extends { search: string | null }>({ search, ...asked }: Given) => ({
  ...asked,
  search: search === null ? null : readSearch(search),
});

const OF_KEYS = 'o_';

/** Reads a cursor of a list. `ofKeys`: it is a row in the second part of a search. */
function readPlace(cursor: string | null): { ofKeys: boolean; behind: Row | null } {
  const ofKeys = cursor?.startsWith(OF_KEYS) ?? false;
  return { ofKeys, behind: readCursor(ofKeys ? cursor!.slice(OF_KEYS.length) : cursor) };
}

const placeAfter = (row: Row, ofKeys: boolean): string => `${ofKeys ? OF_KEYS : ''}${cursorAfter(row)}`;

/** Returns the link whose slug the search names. Null: there is none. */
async function namedBy(repository: LinkRepository, asked: ListingQuery): Promise<Named | null> {
  const slugs = slugsNamed(asked);
  if (slugs.length === 0) return null;
  const found = await repository.named(asked.appId, slugs);
  return slugs.map((slug) => found.get(slug)).find((link) => link !== undefined) ?? null;
}

async function totalOf(repository: LinkRepository, parts: readonly (Wanted | null)[], now: Date): Promise<Counted> {
  const counts = await Promise.all(parts.map((wanted) => (wanted === null ? null : repository.count(wanted, now))));
  const known = counts.filter((one) => one !== null);
  return { count: known.reduce((sum, { count }) => sum + count, 0), exact: known.every(({ exact }) => exact) };
}

export const listLinkEdits =
  (repository: LinkRepository): One<typeof ListLinkEdits> =>
  async ({ limit, cursor, ...of }) => {
    const isOther = of.action !== undefined && of.action !== 'CreateLink' && of.action !== 'EditLink';
    const found = isOther ? [] : await repository.listEdits(of, limit, readCursor(cursor));
    const done = (entry: { at: string }) => entry.at;
    const { rows: entries, next } = pageOf(found, done, nextCursor(found, limit, done));
    return { reply: { entries, next } };
  };

/** @param rest the cursor after all rows; null at the end of the list */
function pageOf<R extends { id: string }>(rows: readonly R[], time: (row: R) => string, rest: string | null) {
  const kept = fitting(rows);
  const last = kept.at(-1);
  const next = last && kept.length < rows.length ? cursorAfter({ at: new Date(time(last)), id: last.id }) : rest;
  return { rows: [...kept], next };
}
