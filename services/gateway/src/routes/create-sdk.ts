import { destination, metadata } from '@landfall/contracts';
import { z } from 'zod';
import { ApiError } from '../http/errors.ts';
import { orRefuse, route, type Uses } from '../routing/route.ts';
import { createdLink, orNothing, tolerated } from './fields.ts';
import { createdView } from './link-view.ts';
import { idempotencyHeader, idempotencyKey, makeLink } from './make-link.ts';

export const createSdk = route({
  method: 'POST',
  path: '/api/links/create-sdk',
  name: 'createLink',
  tag: 'links',
  summary: 'Create a deep link',
  spec: '4.2',
  auth: 'any-key',
  limit: 'create-link',
  serverLimit: 'server-create',
  headers: idempotencyHeader,
  body: z.object({ destination: destination(), metadata: orNothing(metadata()), ...tolerated }),
  reply: z.object({ link: createdLink }),
  errors: ['GENERATED_LINKS_LIMIT_REACHED', 'APP_NOT_FOUND', 'IDEMPOTENCY_KEY_REUSED'],
  async handle({ body, key, header }, parts: Uses<'bus' | 'config'>) {
    const wanted = { ...body, idempotencyKey: givenKey(header('idempotency-key')) };
    const answer = await makeLink(key, wanted, parts);
    if (!answer.ok && answer.refusal.code === 'GENERATED_LINKS_LIMIT_REACHED') {
      throw limitReached(answer.refusal.facts);
    }
    return { link: createdView(key.app, orRefuse(answer).link, parts.config) };
  },
});

/** Made once, because making it costs more than all its checks in a request. */
const optionalKey = idempotencyKey().optional();

function givenKey(given: string | undefined): string | undefined {
  const parsed = optionalKey.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new ApiError('INVALID_REQUEST', [{ path: 'Idempotency-Key', message: parsed.error.issues[0]!.message }]);
}

/**
 * Returns the 403 for the plan's limit, spec 7. There is no larger plan that we know of, and the SDK reads text or
 * null.
 */
function limitReached(facts: { currentCount: number; limit: number; plan: string }): ApiError {
  const body = { reason: 'GENERATED_LINKS_LIMIT_REACHED', limitReached: true, upgradeRequired: null, ...facts };
  return new ApiError('GENERATED_LINKS_LIMIT_REACHED', undefined, { body });
}
