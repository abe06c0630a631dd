// Links and restores of an app.
import { EditLink, ListLinks, ListRestores } from '@landfall/contracts';
import { z } from 'zod';
import { ApiError } from '../errors.ts';
import { type GatewayParts, orRefuse, route } from '../route.ts';
import { appParams, id, linkView, next, pageQuery, viewLink } from './manage-fields.ts';

const shared = { tag: 'manage', auth: 'owner', limit: 'manage' } as const;

async function existing(appId: string, { lookups }: GatewayParts) {
  const app = await lookups.app(appId);
  if (!app) throw new ApiError('APP_NOT_FOUND');
  return app;
}

export const listLinks = route({
  ...shared,
  method: 'GET',
  path: '/api/manage/apps/:appId/links',
  name: 'listLinks',
  summary: "List an app's links, newest first",
  params: appParams,
  query: pageQuery,
  reply: z.object({ links: z.array(linkView), next: next() }),
  errors: ['APP_NOT_FOUND'],
  async handle({ params: { appId }, query: { limit, cursor } }, parts) {
    const app = await existing(appId, parts);
    const page = orRefuse(await parts.bus.ask(ListLinks, { appId: app.id, limit, cursor: cursor ?? null }));
    return { links: page.links.map((link) => viewLink(app, link, parts.config)), next: page.next };
  },
});

export const editLink = route({
  ...shared,
  method: 'PATCH',
  path: '/api/manage/links/:linkId',
  name: 'editLink',
  summary: "Set a link's expiry, archive it or bring it back; what is left out stays as it is",
  params: z.object({ linkId: id() }),
  body: z.object({
    expiresAt: z.iso
      .datetime({ offset: true })
      .nullable()
      .optional()
      .describe('From then on the link is gone; null: never.'),
    archived: z.boolean().optional(),
  }),
  reply: z.object({ link: linkView }),
  errors: ['LINK_NOT_FOUND'],
  async handle({ params: { linkId }, body: { expiresAt, archived } }, parts) {
    const edit = { linkId, archived, expiresAt: expiresAt ? new Date(expiresAt).toISOString() : expiresAt };
    const { link } = orRefuse(await parts.bus.ask(EditLink, edit));
    return { link: viewLink(await existing(link.appId, parts), link, parts.config) };
  },
});

export const listRestores = route({
  ...shared,
  method: 'GET',
  path: '/api/manage/apps/:appId/restores',
  name: 'listRestores',
  summary: 'List restores that had a candidate, newest first: what was given, what was not, and why',
  params: appParams,
  query: pageQuery,
  reply: ListRestores.reply,
  errors: ['APP_NOT_FOUND'],
  async handle({ params: { appId }, query: { limit, cursor } }, parts) {
    const app = await existing(appId, parts);
    return orRefuse(await parts.bus.ask(ListRestores, { appId: app.id, limit, cursor: cursor ?? null }));
  },
});
