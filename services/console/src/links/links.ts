import { destination, EditLink, type Link, ListLinks, linkStates, metadata, text } from '@landfall/contracts';
import { givenKey, idempotencyHeader, makeLink, orLimit } from '@landfall/gateway';
import { ApiError, askIfMatch, etag, ifMatchHeader, orRefuse, Reply } from '@landfall/http';
import { z } from 'zod';
import { allPages, asCsv, CSV, csvFile } from '../common/csv.ts';
import type { ConsoleParts } from '../parts.ts';
import { anyTime, hasPassed, inUtc, linkExpiry, linkView, next, pageQuery, viewLink } from '../routes/manage-fields.ts';
import { manageRoute } from '../routing/route.ts';

const linkFilter = {
  state: z
    .enum([...linkStates, 'all'])
    .default('all')
    .describe('`archived`; `expired`: expired and not archived; `live`: neither.'),
  search: text(4096)
    .min(1)
    .optional()
    .describe(
      'The beginning of the destination if it starts with `/`, else of the slug. For a URL the last part of its path counts.',
    ),
  createdFrom: anyTime().optional().describe('Only links created at this time or later.'),
  createdBefore: anyTime().optional().describe('Only links created before this time.'),
};

export const listLinks = manageRoute('GET /api/manage/apps/:appId/links', {
  summary:
    "List an app's links, newest first. A page may be shorter than `limit`, even empty, before the end: continue while there is a `next`",
  needs: { role: 'viewer', of: 'app' },
  query: pageQuery.extend(linkFilter),
  reply: z.object({ links: z.array(linkView), next: next() }),
  async handle({ params: { appId }, query }, parts) {
    const app = await parts.lookups.existingApp(appId);
    const { limit, cursor = null } = query;
    const page = await parts.forward(ListLinks, { appId, ...filterOf(query), limit, cursor });
    return { links: page.links.map((link) => viewLink(app, link, parts.config)), next: page.next };
  },
});

const filterOf = ({ state, search, createdFrom, createdBefore }: z.output<z.ZodObject<typeof linkFilter>>) => ({
  state,
  search: search ?? null,
  createdFrom: createdFrom ? inUtc(createdFrom) : null,
  createdBefore: createdBefore ? inUtc(createdBefore) : null,
});

export const exportLinks = manageRoute('GET /api/manage/apps/:appId/links/export', {
  summary: "Download an app's links as CSV, newest first",
  needs: { role: 'viewer', of: 'app' },
  query: z.object(linkFilter),
  downloads: [CSV],
  reply: z.instanceof(Reply),
  async handle({ params: { appId }, query }, { config, forward, lookups }: ConsoleParts) {
    const app = await lookups.existingApp(appId);
    const pages = allPages(async (cursor) => {
      const page = await forward(ListLinks, { appId, ...filterOf(query), limit: 100, cursor });
      return { rows: page.links.map((link) => viewLink(app, link, config)), next: page.next };
    });
    return csvFile('links', asCsv(columns, pages));
  },
});

const columns = ['destination', 'metadata', 'expiresAt', 'url', 'slug', 'createdAt', 'archivedAt', 'id'] as const;

export const createManagedLink = manageRoute('POST /api/manage/apps/:appId/links', {
  summary: 'Create a link',
  needs: { role: 'member', of: 'app' },
  headers: idempotencyHeader,
  body: z.object({ destination: destination(), metadata: metadata().optional(), expiresAt: linkExpiry() }),
  reply: z.object({ link: linkView }),
  errors: ['GENERATED_LINKS_LIMIT_REACHED', 'IDEMPOTENCY_KEY_REUSED'],
  async handle(call, parts) {
    const { actor, params, body, header, setHeader } = call;
    if (hasPassed(body.expiresAt, parts.now()))
      throw new ApiError('INVALID_REQUEST', [{ path: 'expiresAt', message: 'must be in the future' }]);
    const app = await parts.lookups.existingApp(params.appId);
    const { expiresAt, ...asked } = body;
    const wanted = { ...asked, idempotencyKey: givenKey(header('idempotency-key')) };
    const made = orLimit(await makeLink({ app, kind: 'manage', actor: actor() }, wanted, parts.bus));
    const link = expiresAt === null ? made : await expire(made, expiresAt);
    setHeader('ETag', etag(link));
    return { link: viewLink(app, link, parts.config) };

    /** If this fails, the same request with the same idempotency key finds the link, and sets its expiry. */
    async function expire({ id: linkId }: Link, expiresAt: string): Promise<Link> {
      const change = { linkId, expiresAt, labelKeys: app.labels, ifVersion: null };
      return (await parts.forward(EditLink, { actor: actor(), teamId: app.teamId, ...change })).link;
    }
  },
});

export const getLink = manageRoute('GET /api/manage/links/:linkId', {
  summary: 'Get a link',
  needs: { role: 'viewer', of: 'link' },
  reply: z.object({ link: linkView }),
  async handle({ params: { linkId }, setHeader }, parts) {
    const { link, app } = await parts.lookups.existingLink(linkId);
    setHeader('ETag', etag(link));
    return { link: viewLink(app, link, parts.config) };
  },
});

export const editLink = manageRoute('PATCH /api/manage/links/:linkId', {
  summary:
    'Change the destination, metadata or expiry of a link, archive it or restore it; omitted fields do not change',
  needs: { role: 'member', of: 'link' },
  headers: ifMatchHeader,
  body: z.object({
    destination: destination().optional(),
    metadata: metadata().optional().describe('Replaces all metadata of the link.'),
    expiresAt: anyTime().nullable().optional().describe('The link stops working at this time. Null: never.'),
    archived: z.boolean().optional(),
  }),
  reply: z.object({ link: linkView }),
  errors: ['VERSION_MISMATCH'],
  async handle({ actor, params: { linkId }, body, headers, setHeader }, parts) {
    const { app } = await parts.lookups.existingLink(linkId);
    const expiresAt = body.expiresAt ? inUtc(body.expiresAt) : body.expiresAt;
    const { teamId } = app;
    const command = { actor: actor(), teamId, linkId, ...body, expiresAt, labelKeys: app.labels };
    const edit = (ifVersion: number | null) => parts.bus.ask(EditLink, { ...command, ifVersion });
    const { link } = orRefuse(await askIfMatch(headers, edit));
    parts.lookups.forgetLink(link);
    setHeader('ETag', etag(link));
    return { link: viewLink(app, link, parts.config) };
  },
});
