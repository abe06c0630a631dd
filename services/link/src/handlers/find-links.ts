// Answers questions about links. A page holds what fits in one message.
import type { Handler, One } from '@landfall/bus';
import {
  cursorAfter,
  type FindLink,
  type FindLinks,
  type FindUsage,
  type Link,
  type ListLinkEdits,
  type ListLinks,
  type ListLinkTags,
  nextCursor,
  type ResolveLink,
  readCursor,
} from '@landfall/contracts';
import { fitting, wantedLinks } from '../domain/listing.ts';
import type { LinkRepository } from '../repository/link-repository.ts';

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

const foundOrNot = (link: Link | undefined) =>
  link ? { reply: { link } } : { refusal: { code: 'LINK_NOT_FOUND' as const, facts: {} } };

export const findUsage =
  (links: LinkRepository): One<typeof FindUsage> =>
  async ({ appId, month }) => ({ reply: { linksCreated: await links.usedIn(appId, month) } });

export const listLinks =
  (repository: LinkRepository): One<typeof ListLinks> =>
  async ({ limit, cursor, ...asked }, { now }) => {
    const wanted = wantedLinks(asked, readCursor(cursor));
    if (!wanted) return { reply: { links: [], next: null } };
    const found = await repository.list(wanted, limit, now);
    const made = (link: Link) => link.createdAt;
    const { rows: links, next } = pageOf(found.links, made, nextCursor(found.links, limit, made) ?? found.walkedTo);
    return { reply: { links, next } };
  };

export const listLinkEdits =
  (repository: LinkRepository): One<typeof ListLinkEdits> =>
  async ({ limit, cursor, ...of }) => {
    const found = await repository.listEdits(of, limit, readCursor(cursor));
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
