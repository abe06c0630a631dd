// Changes many links at once, each by itself: a link that cannot be changed does not stop the others.
import { type App, EditLink, FindLinks, type Link, ListLinks, MAX_LINK_TAGS } from '@landfall/contracts';
import { failedRow, LARGE_BODY_BYTES, MAX_LINKS, makeRows } from '@landfall/gateway';
import { ApiError, orRefuse } from '@landfall/http';
import { z } from 'zod';
import { allPages } from '../common/csv.ts';
import type { ConsoleParts } from '../parts.ts';
import { anyTime, hasPassed, id, inUtc } from '../routes/manage-fields.ts';
import { manageRoute } from '../routing/route.ts';
import { utmValues, withUtm } from '../utm/with-utm.ts';
import { linkView, tagList, viewLinks } from './link-fields.ts';
import { filterOf, type LinkFilter, linkFilter } from './link-filter.ts';
import { linksById } from './links-by-id.ts';

const change = {
  addTags: tagList().optional(),
  removeTags: tagList().optional(),
  utm: utmValues.optional().describe('Written into the query of each destination. Null and `""` remove a value.'),
  expiresAt: anyTime().nullable().optional().describe('Null: never.'),
  archived: z.boolean().optional(),
};
type Change = z.output<z.ZodObject<typeof change>>;

export const editLinks = manageRoute('POST /api/manage/apps/:appId/links/edit-bulk', {
  summary: `Change up to ${MAX_LINKS.toLocaleString('en')} links: those of a list of ids, or all that a filter finds`,
  needs: { role: 'member', of: 'app' },
  bodyBytes: LARGE_BODY_BYTES,
  body: z.object({
    ids: z.array(id()).min(1).max(MAX_LINKS).optional(),
    filter: z.object(linkFilter).optional().describe('Instead of ids: as in the list of links.'),
    expectedCount: z
      .int()
      .min(1)
      .max(MAX_LINKS)
      .optional()
      .describe('With a filter: the number of links that it must find. With another number nothing is changed.'),
    ...change,
  }),
  reply: z.object({
    outcomes: z
      .array(
        z.union([
          z.object({ id: z.uuid(), success: z.literal(true), link: linkView }),
          failedRow.extend({ id: z.uuid() }),
        ]),
      )
      .describe('One for each link, in the order of the ids or of the list.'),
    changed: z.int().describe('Links that are as wanted now, also those that were so before.'),
    failed: z.int(),
  }),
  errors: ['COUNT_CHANGED', 'NARROW_FILTER'],
  async handle({ params: { appId }, body, actor, requestId, caller }, parts) {
    const { ids, filter, expectedCount, ...asked } = body;
    const app = await parts.lookups.existingApp(appId);
    const wanted = assertChange(asked, parts.now());
    const links = await linksOf(appId, { ids, filter, expectedCount }, parts);
    const rows = ids === undefined ? [...links.keys()] : [...new Set(ids)];

    async function make(id: string): Promise<{ link: Link }> {
      const link = links.get(id);
      if (!link) throw new ApiError('LINK_NOT_FOUND');
      return { link: await edited(app, link, wanted) };
    }

    /** Reads the link again when somebody else has just changed it. */
    async function edited(app: App, link: Link, wanted: Change, tries = 3): Promise<Link> {
      const edit = editOf(link, wanted);
      if (edit === null) return link;
      const command = { actor: actor(), teamId: app.teamId, linkId: link.id, ...edit, labelKeys: app.labels };
      const answer = await parts.bus.ask(EditLink, { ...command, ifVersion: link.version });
      const moved = !answer.ok && answer.refusal.code === 'VERSION_MISMATCH' && tries > 1;
      if (!moved) {
        const changed = orRefuse(answer).link;
        parts.lookups.forgetLink(changed);
        return changed;
      }
      const { links } = await parts.forward(FindLinks, { appId, linkIds: [link.id] });
      return edited(app, links[0]!, wanted, tries - 1);
    }

    const done = await makeRows({ rows, row: id(), requestId, make }, parts);
    const made = done.flatMap((one) => (one.success ? [one.link] : []));
    const views = await viewLinks(app, made, parts, caller);
    const outcomes = done.map((one, i) => ({
      id: rows[i]!,
      ...(one.success ? { ...one, link: views.shift()! } : one),
    }));
    return { outcomes, changed: made.length, failed: done.length - made.length };
  },
});

function assertChange(asked: Change, now: Date): Change {
  const wrong = (path: string, message: string) => new ApiError('INVALID_REQUEST', [{ path, message }]);
  if (Object.values(asked).every((value) => value === undefined)) throw wrong('body', 'must name a change');
  const expiresAt = asked.expiresAt ? inUtc(asked.expiresAt) : asked.expiresAt;
  if (expiresAt && hasPassed(expiresAt, now)) throw wrong('expiresAt', 'must be in the future');
  return { ...asked, expiresAt };
}

interface Which {
  ids: readonly string[] | undefined;
  filter: LinkFilter | undefined;
  expectedCount: number | undefined;
}

/** Returns the links by their ids, in the order of the list. Throws 400 or 409 when it is unclear which ones are meant. */
async function linksOf(appId: string, { ids, filter, expectedCount }: Which, parts: ConsoleParts) {
  const wrong = (path: string, message: string) => new ApiError('INVALID_REQUEST', [{ path, message }]);
  if ((ids === undefined) === (filter === undefined)) throw wrong('ids', 'or a filter is required, and not both');
  if (ids !== undefined) return linksById(appId, ids, parts);
  if (expectedCount === undefined) throw wrong('expectedCount', 'is required with a filter');
  const found = new Map<string, Link>();
  const pages = allPages(async (cursor) => {
    const { links: rows, next } = await parts.forward(ListLinks, { appId, ...filterOf(filter!), limit: 100, cursor });
    return { rows, next };
  });
  for await (const links of pages) {
    for (const link of links) found.set(link.id, link);
    if (found.size > MAX_LINKS) throw new ApiError('NARROW_FILTER');
  }
  if (found.size !== expectedCount)
    throw new ApiError('COUNT_CHANGED', undefined, { body: { count: found.size, expectedCount } });
  return found;
}

/** Returns the edit that the link needs. Null: it is as wanted. Throws 400 when the link cannot have it. */
function editOf(link: Link, { addTags = [], removeTags = [], utm = {}, expiresAt, archived }: Change) {
  const had = link.tags ?? [];
  const tags = [...new Set([...had, ...addTags])].filter((tag) => !removeTags.includes(tag));
  if (tags.length > MAX_LINK_TAGS && tags.length > had.length)
    throw new ApiError('INVALID_REQUEST', [
      { path: 'addTags', message: `would give the link more than ${MAX_LINK_TAGS} tags` },
    ]);
  const destination = withUtm(link.destination, utm);
  const edit = {
    ...(tags.join() !== had.join() && { tags }),
    ...(destination !== link.destination && { destination }),
    ...(expiresAt !== undefined && expiresAt !== link.expiresAt && { expiresAt }),
    ...(archived !== undefined && archived !== (link.archivedAt !== null) && { archived }),
  };
  return Object.keys(edit).length === 0 ? null : edit;
}
