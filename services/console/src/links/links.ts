import { destination, EditLink, type LinkFigures, metadata } from '@landfall/contracts';
import { givenKey, idempotencyHeader, makeLink, orLimit, ownSlug, short } from '@landfall/gateway';
import { ApiError, askIfMatch, etag, ifMatchHeader, orRefuse, Reply } from '@landfall/http';
import { z } from 'zod';
import { allPages, asCsv, CSV, csvFile } from '../common/csv.ts';
import type { ConsoleParts } from '../parts.ts';
import { anyTime, hasPassed, inUtc, linkExpiry, pageQuery } from '../routes/manage-fields.ts';
import { manageRoute } from '../routing/route.ts';
import { assertElsewhere, linkInput, linkView, tagList, viewLink, viewLinks } from './link-fields.ts';
import { linkFilter } from './link-filter.ts';
import { FigureState, figures, listCursor, listWithFigures, type Range, sorting } from './listing.ts';

export const listLinks = manageRoute('GET /api/manage/apps/:appId/links', {
  summary:
    "List an app's links with their figures, newest first or by figures. A page may be shorter than `limit`, even empty, before the end: continue while there is a `next`",
  needs: { role: 'viewer', of: 'app' },
  query: pageQuery.extend({
    ...linkFilter,
    ...sorting,
    cursor: listCursor()
      .optional()
      .describe('`next` of the previous page.')
      .transform((given) => given ?? null),
  }),
  reply: z.object({
    links: z.array(linkView.extend({ figures })),
    next: z.string().nullable().describe('The cursor of the next page; null at the end.'),
    total: z
      .object({ count: z.int(), exact: z.boolean().describe('False: there are at least this many.') })
      .nullable()
      .describe('The number of links in the list. Null behind the first page.'),
    figures: FigureState,
  }),
  errors: ['NARROW_FILTER'],
  async handle({ params: { appId }, query, caller }, parts) {
    const app = await parts.lookups.existingApp(appId);
    const { links, next, total, figures } = await listWithFigures(app, query, caller, parts);
    const views = await viewLinks(app, links, parts, caller);
    return {
      links: views.map((link) => ({ ...link, figures: figures?.get(link.id) ?? null })),
      next,
      total,
      figures: figures === null ? ('unavailable' as const) : ('ok' as const),
    };
  },
});

export const exportLinks = manageRoute('GET /api/manage/apps/:appId/links/export', {
  summary:
    "Download an app's links as CSV, newest first or by figures, with their figures. The columns `clicks30d` and `installs30d` name the days. A link has no figures while analytics does not answer",
  needs: { role: 'viewer', of: 'app' },
  query: z.object({ ...linkFilter, ...sorting }),
  downloads: [CSV],
  reply: z.instanceof(Reply),
  errors: ['NARROW_FILTER'],
  async handle({ params: { appId }, query, caller }, parts: ConsoleParts) {
    const app = await parts.lookups.existingApp(appId);
    const { range } = query;
    const pages = allPages(async (cursor) => {
      const asked = { ...query, limit: 100, cursor };
      const page = await listWithFigures(app, asked, caller, parts);
      const links = await viewLinks(app, page.links, parts, caller);
      const rows = links.map((link) => ({
        ...link,
        ...cellsOf(range, page.figures?.get(link.id) ?? null),
        tags: link.tags.join(', '),
        createdBy: link.createdBy && (link.createdBy.name ?? link.createdBy.kind),
      }));
      return { rows, next: page.next };
    });
    return csvFile('links', asCsv(columnsOf(range), pages));
  },
});

/** The days are in the names, so that a file explains itself. */
const columnsOf = (range: Range): string[] => [...columns, `clicks${range}`, `installs${range}`, 'lastTapAt'];

const cellsOf = (range: Range, figures: LinkFigures | null) => ({
  [`clicks${range}`]: figures?.clicks,
  [`installs${range}`]: figures?.installs,
  lastTapAt: figures?.lastTapAt,
});

const columns = [
  ...(['destination', 'metadata', 'expiresAt', 'url', 'slug', 'createdAt', 'archivedAt', 'id'] as const),
  ...(['name', 'note', 'tags', 'webUrl', 'iosUrl', 'androidUrl', 'expiredUrl', 'createdBy'] as const),
] as const;

export const createManagedLink = manageRoute('POST /api/manage/apps/:appId/links', {
  summary: 'Create a link',
  needs: { role: 'member', of: 'app' },
  headers: idempotencyHeader,
  body: z.object({
    destination: destination(),
    metadata: metadata().optional(),
    expiresAt: linkExpiry(),
    ...linkInput,
    tags: tagList().optional(),
    slug: ownSlug().nullable().optional(),
    short: short(),
  }),
  reply: z.object({ link: linkView }),
  errors: ['GENERATED_LINKS_LIMIT_REACHED', 'IDEMPOTENCY_KEY_REUSED', 'SLUG_TAKEN', 'TOO_MANY_TAGS'],
  async handle(call, parts) {
    const { actor, params, body, header, setHeader, caller } = call;
    const { destination, metadata, short, slug, ...more } = body;
    if (hasPassed(more.expiresAt, parts.now())) throw fault('expiresAt', 'must be in the future');
    if (short && slug != null) throw fault('short', 'must not be true beside a slug');
    const app = await parts.lookups.existingApp(params.appId);
    assertElsewhere(more, app, parts);
    const idempotencyKey = givenKey(header('idempotency-key'));
    const wanted = { destination, metadata, short, idempotencyKey, more: { ...more, ...(slug != null && { slug }) } };
    const link = orLimit(await makeLink({ app, kind: 'manage', actor: actor(), audited: true }, wanted, parts.bus));
    setHeader('ETag', etag(link));
    return { link: await viewLink(app, link, parts, caller) };
  },
});

const fault = (path: string, message: string) => new ApiError('INVALID_REQUEST', [{ path, message }]);

export const getLink = manageRoute('GET /api/manage/links/:linkId', {
  summary: 'Get a link',
  needs: { role: 'viewer', of: 'link' },
  reply: z.object({ link: linkView }),
  async handle({ params: { linkId }, setHeader, caller }, parts) {
    const { link, app } = await parts.lookups.existingLink(linkId);
    setHeader('ETag', etag(link));
    return { link: await viewLink(app, link, parts, caller) };
  },
});

export const editLink = manageRoute('PATCH /api/manage/links/:linkId', {
  summary:
    'Change the fields of a link, archive it or restore it; omitted fields do not change. Its slug never changes, because it may be printed',
  needs: { role: 'member', of: 'link' },
  headers: ifMatchHeader,
  body: z.object({
    destination: destination().optional(),
    metadata: metadata().optional().describe('Replaces all metadata of the link.'),
    expiresAt: anyTime().nullable().optional().describe('The link stops working at this time. Null: never.'),
    archived: z.boolean().optional(),
    ...linkInput,
    tags: tagList().optional().describe('Replaces all tags of the link.'),
  }),
  reply: z.object({ link: linkView }),
  errors: ['VERSION_MISMATCH', 'TOO_MANY_TAGS'],
  async handle({ actor, caller, params: { linkId }, body, headers, setHeader }, parts) {
    const { app } = await parts.lookups.existingLink(linkId);
    assertElsewhere(body, app, parts);
    const expiresAt = body.expiresAt ? inUtc(body.expiresAt) : body.expiresAt;
    const { teamId } = app;
    const command = { actor: actor(), teamId, linkId, ...body, expiresAt, labelKeys: app.labels };
    const edit = (ifVersion: number | null) => parts.bus.ask(EditLink, { ...command, ifVersion });
    const { link } = orRefuse(await askIfMatch(headers, edit));
    parts.lookups.forgetLink(link);
    setHeader('ETag', etag(link));
    return { link: await viewLink(app, link, parts, caller) };
  },
});
