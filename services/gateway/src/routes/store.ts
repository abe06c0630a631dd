import { StorePendingLink, text } from '@landfall/contracts';
import { ApiError, orRefuse } from '@landfall/http';
import { z } from 'zod';
import { userEmail } from '../access/identity.ts';
import { isLive } from '../links/link.ts';
import { asker } from '../phone/asker.ts';
import { route, type Uses } from '../routing/route.ts';
import { deviceFingerprint, identityToken, tolerated } from './fields.ts';

export const store = route('POST /api/deferred-deep-linking/store', {
  summary: 'Store a pending link',
  spec: '4.6',
  auth: 'key',
  limit: 'store',
  body: z.object({
    linkId: z.uuid(),
    originalUrl: text(4096).optional(),
    userEmail: userEmail().optional(),
    identityToken: identityToken().optional(),
    deviceFingerprint: deviceFingerprint().optional(),
    ...tolerated,
  }),
  reply: z.object({ pendingLinkId: z.string() }),
  errors: ['LINK_NOT_FOUND', 'IDENTITY_TOKEN_INVALID'],
  async handle(call, parts: Uses<'bus' | 'lookups' | 'hashes' | 'identities' | 'now'>) {
    const { body, key } = call;
    const userEmail = await parts.identities.userOf(body, key);
    const link = await parts.lookups.link(body.linkId.toLowerCase());
    if (!link || link.appId !== key.app.id || !isLive(link, parts.now())) throw new ApiError('LINK_NOT_FOUND');
    const answer = await parts.bus.ask(StorePendingLink, {
      appId: key.app.id,
      linkId: link.id,
      originalUrl: body.originalUrl ?? null,
      ...asker(call, parts, { ...body, userEmail }),
    });
    return { pendingLinkId: orRefuse(answer).pendingLinkId };
  },
});
