// Links and restores of an app.
import { destination, EditLink, ListLinks, ListRestores, linkStates, metadata, text } from '@landfall/contracts';
import { z } from 'zod';
import { ApiError } from '../errors.ts';
import { askIfMatch, etag, ifMatchHeader } from '../etags.ts';
import { manageRoute, orRefuse } from '../route.ts';
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
