// Links and restores of an app.
import {
  DescribeRollout,
  destination,
  EditLink,
  ListLinks,
  ListRestores,
  linkStates,
  metadata,
  Rollout,
  text,
} from '@landfall/contracts';
import { z } from 'zod';
import { ApiError } from '../http/errors.ts';
import { askIfMatch, etag, ifMatchHeader } from '../http/etags.ts';
import { manageRoute, orRefuse } from '../routing/route.ts';
import { existingApp } from './existing-app.ts';
import { appParams, id, linkView, next, pageQuery, viewLink } from './manage-fields.ts';

const LAST = Date.UTC(10_000, 0) - 1;
const time = () =>
  z.iso.datetime({ offset: true }).refine((given) => Date.parse(given) >= 0 && Date.parse(given) <= LAST, {
    error: 'must be a time between 1970 and 9999',
  });
const inUtc = (given: string): string => new Date(given).toISOString();

export const listLinks = manageRoute({
  method: 'GET',
  path: '/api/manage/apps/:appId/links',
  name: 'listLinks',
  summary:
    "List an app's links, newest first. A page may be shorter than `limit`, even empty, before the end: read on while there is a `next`",
  needs: { role: 'viewer', of: 'app' },
  params: appParams,
  query: pageQuery.extend({
    state: z
      .enum([...linkStates, 'all'])
      .default('all')
      .describe('`archived`; `expired`: and not archived; `live`: neither of them.'),
    search: text(4096)
      .min(1)
      .optional()
      .describe(
        'How the destination begins, if it begins with `/`, else how the slug does. Of a URL the last part of its path counts.',
      ),
    createdFrom: time().optional().describe('Only links made then or later.'),
    createdBefore: time().optional().describe('Only links made before.'),
  }),
  reply: z.object({ links: z.array(linkView), next: next() }),
  errors: [],
  async handle({ params: { appId }, query }, parts) {
    const app = await existingApp(appId, parts.lookups);
    const { createdFrom: from, createdBefore: before, search = null, cursor = null, state, limit } = query;
    const made = { createdFrom: from ? inUtc(from) : null, createdBefore: before ? inUtc(before) : null };
    const page = orRefuse(await parts.bus.ask(ListLinks, { appId: app.id, state, search, ...made, limit, cursor }));
    return { links: page.links.map((link) => viewLink(app, link, parts.config)), next: page.next };
  },
});

const linkParams = z.object({ linkId: id() });

export const getLink = manageRoute({
  method: 'GET',
  path: '/api/manage/links/:linkId',
  name: 'getLink',
  summary: 'See a link',
  needs: { role: 'viewer', of: 'link' },
  params: linkParams,
  reply: z.object({ link: linkView }),
  errors: [],
  async handle({ params: { linkId }, setHeader }, parts) {
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
    'Change where a link leads, its metadata or its expiry, archive it or bring it back; what is left out stays as it is',
  needs: { role: 'member', of: 'link' },
  params: linkParams,
  headers: ifMatchHeader,
  body: z.object({
    destination: destination().optional(),
    metadata: metadata().optional().describe('Instead of all that the link has.'),
    expiresAt: time().nullable().optional().describe('From then on the link is gone; null: never.'),
    archived: z.boolean().optional(),
  }),
  reply: z.object({ link: linkView }),
  errors: ['VERSION_MISMATCH'],
  async handle({ actor, params: { linkId }, body, headers, setHeader }, parts) {
    const before = await parts.lookups.link(linkId);
    if (!before) throw new ApiError('LINK_NOT_FOUND');
    const app = await existingApp(before.appId, parts.lookups);
    const expiresAt = body.expiresAt ? inUtc(body.expiresAt) : body.expiresAt;
    const { teamId } = app;
    const command = { actor: actor(), teamId, linkId, ...body, expiresAt };
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
  summary: 'List restores that had a candidate, newest first: what was given, what was not, and why',
  needs: { role: 'viewer', of: 'app' },
  params: appParams,
  query: pageQuery,
  reply: ListRestores.reply,
  errors: [],
  async handle({ params: { appId }, query: { limit, cursor } }, parts) {
    const app = await existingApp(appId, parts.lookups);
    return orRefuse(await parts.bus.ask(ListRestores, { appId: app.id, limit, cursor: cursor ?? null }));
  },
});

export const getMatching = manageRoute({
  method: 'GET',
  path: '/api/manage/apps/:appId/matching',
  name: 'getMatching',
  summary: 'See whether matching by address asks for more at the moment, why, and until when',
  needs: { role: 'viewer', of: 'app' },
  params: appParams,
  reply: DescribeRollout.reply.extend({
    rollout: Rollout.nullable().describe(
      'Why phones that look new may belong to older users of the app. While it lasts, a restore without `installedSecondsAgo` matches by address only a tap of the last 5 minutes, with one person there. `young`: the app is less than 8 days old. `manyNewDevices`: at least 6 % of the devices of the last 24 hours had never been seen before. Null: it does not last, or the app had no users before (`matching.existingUsers` is false).',
    ),
    devices: DescribeRollout.reply.shape.devices.describe('Devices that the app was started on in the last 24 hours.'),
  }),
  errors: [],
  async handle({ params: { appId } }, { bus, lookups }) {
    const { id, createdAt, matching } = await existingApp(appId, lookups);
    const question = { appId: id, appCreatedAt: createdAt, existingUsers: matching.existingUsers };
    return orRefuse(await bus.ask(DescribeRollout, question));
  },
});
