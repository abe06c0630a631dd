// Routes of the links and restores of an app.

import {
  DescribeRollout,
  destination,
  EditLink,
  type Link,
  ListLinks,
  ListRestores,
  linkStates,
  metadata,
  Rollout,
  text,
} from '@landfall/contracts';
import { givenKey, idempotencyHeader, makeLink, orLimit } from '@landfall/gateway';
import { ApiError, askIfMatch, Download, etag, ifMatchHeader, orRefuse } from '@landfall/http';
import { z } from 'zod';
import { allPages, asCsv, CSV, type CsvColumns, csvFile } from '../analytics/csv.ts';
import { existingApp } from '../apps/existing-app.ts';
import {
  anyTime,
  appParams,
  hasPassed,
  inUtc,
  linkExpiry,
  linkParams,
  linkView,
  next,
  pageQuery,
  viewLink,
} from '../routes/manage-fields.ts';
import { manageRoute, type Uses } from '../routing/route.ts';

/** Which links are listed. */
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

export const listLinks = manageRoute({
  method: 'GET',
  path: '/api/manage/apps/:appId/links',
  name: 'listLinks',
  summary:
    "List an app's links, newest first. A page may be shorter than `limit`, even empty, before the end: continue while there is a `next`",
  needs: { role: 'viewer', of: 'app' },
  params: appParams,
  query: pageQuery.extend(linkFilter),
  reply: z.object({ links: z.array(linkView), next: next() }),
  errors: [],
  async handle({ params: { appId }, query }, parts: Uses<'forward' | 'lookups' | 'config'>) {
    const app = await existingApp(appId, parts.lookups);
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

const PAGE = 100;

export const exportLinks = manageRoute({
  method: 'GET',
  path: '/api/manage/apps/:appId/links/export',
  name: 'exportLinks',
  summary: "Download an app's links as CSV, newest first",
  needs: { role: 'viewer', of: 'app' },
  params: appParams,
  query: z.object(linkFilter),
  downloads: [CSV],
  reply: z.instanceof(Download),
  errors: [],
  async handle({ params: { appId }, query }, { config, forward, lookups }: Uses<'forward' | 'lookups' | 'config'>) {
    const app = await existingApp(appId, lookups);
    const pages = allPages(async (cursor) => {
      const page = await forward(ListLinks, { appId, ...filterOf(query), limit: PAGE, cursor });
      return { rows: page.links.map((link) => viewLink(app, link, config)), next: page.next };
    });
    return csvFile('links', asCsv(columns, pages));
  },
});

const columns: CsvColumns<z.input<typeof linkView>> = [
  ['destination', ({ destination }) => destination],
  ['metadata', ({ metadata }) => metadata],
  ['expiresAt', ({ expiresAt }) => expiresAt],
  ['url', ({ url }) => url],
  ['slug', ({ slug }) => slug],
  ['createdAt', ({ createdAt }) => createdAt],
  ['archivedAt', ({ archivedAt }) => archivedAt],
  ['id', ({ id }) => id],
];

export const createManagedLink = manageRoute({
  method: 'POST',
  path: '/api/manage/apps/:appId/links',
  name: 'createManagedLink',
  summary: 'Create a link',
  needs: { role: 'member', of: 'app' },
  params: appParams,
  headers: idempotencyHeader,
  body: z.object({
    destination: destination(),
    metadata: metadata().optional(),
    expiresAt: linkExpiry(),
  }),
  reply: z.object({ link: linkView }),
  errors: ['GENERATED_LINKS_LIMIT_REACHED', 'IDEMPOTENCY_KEY_REUSED'],
  async handle(call, parts: Uses<'bus' | 'forward' | 'lookups' | 'config' | 'now'>) {
    const { actor, params, body, header, setHeader } = call;
    if (hasPassed(body.expiresAt, parts.now()))
      throw new ApiError('INVALID_REQUEST', [{ path: 'expiresAt', message: 'must be in the future' }]);
    const app = await existingApp(params.appId, parts.lookups);
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

export const getLink = manageRoute({
  method: 'GET',
  path: '/api/manage/links/:linkId',
  name: 'getLink',
  summary: 'Get a link',
  needs: { role: 'viewer', of: 'link' },
  params: linkParams,
  reply: z.object({ link: linkView }),
  errors: [],
  async handle({ params: { linkId }, setHeader }, parts: Uses<'lookups' | 'config'>) {
    const link = await parts.lookups.link(linkId);
    if (!link) throw new ApiError('LINK_NOT_FOUND');
    setHeader('ETag', etag(link));
    return { link: viewLink(await existingApp(link.appId, parts.lookups), link, parts.config) };
  },
});

export const editLink = manageRoute({
  method: 'PATCH',
  path: '/api/manage/links/:linkId',
  name: 'editLink',
  summary:
    'Change the destination, metadata or expiry of a link, archive it or restore it; omitted fields do not change',
  needs: { role: 'member', of: 'link' },
  params: linkParams,
  headers: ifMatchHeader,
  body: z.object({
    destination: destination().optional(),
    metadata: metadata().optional().describe('Replaces all metadata of the link.'),
    expiresAt: anyTime().nullable().optional().describe('The link stops working at this time. Null: never.'),
    archived: z.boolean().optional(),
  }),
  reply: z.object({ link: linkView }),
  errors: ['VERSION_MISMATCH'],
  async handle({ actor, params: { linkId }, body, headers, setHeader }, parts: Uses<'bus' | 'lookups' | 'config'>) {
    const before = await parts.lookups.link(linkId);
    if (!before) throw new ApiError('LINK_NOT_FOUND');
    const app = await existingApp(before.appId, parts.lookups);
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

export const listRestores = manageRoute({
  method: 'GET',
  path: '/api/manage/apps/:appId/restores',
  name: 'listRestores',
  summary: 'List restores that had a candidate, newest first, with their links and the reasons',
  needs: { role: 'viewer', of: 'app' },
  params: appParams,
  query: pageQuery,
  reply: ListRestores.reply,
  errors: [],
  async handle({ params: { appId }, query: { limit, cursor } }, parts: Uses<'forward' | 'lookups'>) {
    const app = await existingApp(appId, parts.lookups);
    return parts.forward(ListRestores, { appId: app.id, limit, cursor: cursor ?? null });
  },
});

export const getMatching = manageRoute({
  method: 'GET',
  path: '/api/manage/apps/:appId/matching',
  name: 'getMatching',
  summary: 'Check whether matching by address is stricter at the moment, why, and until when',
  needs: { role: 'viewer', of: 'app' },
  params: appParams,
  reply: DescribeRollout.reply.extend({
    rollout: Rollout.nullable().describe(
      'The reason why phones that look new may belong to older users of the app. While it lasts, a restore without `installedSecondsAgo` matches by address only a tap of the last 5 minutes, and only when one person is there. `young`: the app is less than 8 days old. `manyNewDevices`: at least 6 % of the devices of the last 24 hours had never been seen before. Null: there is no such reason, or the app had no users before (`matching.existingUsers` is false).',
    ),
    devices: DescribeRollout.reply.shape.devices.describe('Devices on which the app was started in the last 24 hours.'),
  }),
  errors: [],
  async handle({ params: { appId } }, { forward, lookups }) {
    const { id, createdAt, matching } = await existingApp(appId, lookups);
    const question = { appId: id, appCreatedAt: createdAt, existingUsers: matching.existingUsers };
    return forward(DescribeRollout, question);
  },
});
