import { destination, metadata } from '@landfall/contracts';
import { z } from 'zod';
import { createdView } from '../links/link-view.ts';
import { route, type Uses } from '../routing/route.ts';
import { createdLink, tolerated } from './fields.ts';
import { givenKey, idempotencyHeader, makeLink, orLimit } from './make-link.ts';

export const createSdk = route('POST /api/links/create-sdk', {
  summary: 'Create a deep link',
  spec: '4.2',
  auth: 'any-key',
  limit: 'create-link',
  serverLimit: 'server-create',
  headers: idempotencyHeader,
  body: z.object({ destination: destination(), metadata: metadata().optional(), ...tolerated }),
  reply: z.object({ link: createdLink }),
  errors: ['GENERATED_LINKS_LIMIT_REACHED', 'APP_NOT_FOUND', 'IDEMPOTENCY_KEY_REUSED'],
  async handle({ body, key, header }, parts: Uses<'bus' | 'lookups' | 'config'>) {
    const wanted = { ...body, idempotencyKey: givenKey(header('idempotency-key')) };
    const link = orLimit(await makeLink(key, wanted, parts.bus));
    parts.lookups.made(key.app, link);
    return { link: createdView(key.app, link, parts.config) };
  },
});
