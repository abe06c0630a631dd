import { type Link, labelsOf, text } from '@landfall/contracts';
import { ApiError, onceFor, unchanging } from '@landfall/http';
import { z } from 'zod';
import { isLive } from '../links/link.ts';
import { resolvedView } from '../links/link-view.ts';
import { utmOf } from '../links/utm.ts';
import { clientFacts, clientHeaders, platformOf } from '../phone/asker.ts';
import { route, type Uses } from '../routing/route.ts';
import { resolvedLink } from './fields.ts';

export const getBySlug = route('GET /api/links/get-by-slug', {
  summary: 'Resolve a slug to its destination and metadata',
  spec: '4.3',
  auth: 'optional-key',
  limit: 'resolve-link',
  headers: clientHeaders,
  query: z
    .object({
      slug: text(2048).min(1),
      appId: z.uuid().optional().describe('Takes precedence over `hostname`. One of the two is required.'),
      hostname: text(300).optional().describe("The app's link host, open host or custom domain."),
    })
    .refine((q) => q.appId !== undefined || q.hostname, { path: ['appId'], error: 'or hostname is required' }),
  reply: z.object({ link: resolvedLink }),
  errors: ['APP_NOT_FOUND', 'LINK_NOT_FOUND'],
  async handle(call, parts: Uses<'clientCalls' | 'lookups' | 'hosts' | 'opens' | 'now'>) {
    const { query, key, address, userAgent } = call;
    const app = await findApp(query, parts);
    if (app?.archivedAt !== null) throw new ApiError('APP_NOT_FOUND');
    const appId = app.id;
    const link = await parts.lookups.slug(appId, query.slug);
    if (!link || !isLive(link, parts.now())) throw new ApiError('LINK_NOT_FOUND');
    // A server key belongs to a backend, which opens no links.
    if (key?.app.id === appId && key.kind === 'mobile') {
      const platform = platformOf(userAgent);
      const ofLink = { utm: utmOf('', link), labels: labelsOf(link.metadata, app.labels) };
      parts.opens.tell(link, address, { platform, ...clientFacts(call), ...ofLink });
      parts.clientCalls.called({ ...call, key }, platform, 'lookUp');
    }
    return replyOf(link);
  },
});

async function findApp(
  query: { appId?: string | undefined; hostname?: string | undefined },
  { lookups, hosts }: Uses<'lookups' | 'hosts'>,
) {
  if (query.appId !== undefined) return lookups.app(query.appId.toLowerCase());
  const label = hosts.appLabel(query.hostname!);
  return label === null ? null : lookups.host(label);
}

/** Links come from a cache and never change. */
const replyOf = onceFor((link: Link) => unchanging({ link: resolvedView(link) }));
