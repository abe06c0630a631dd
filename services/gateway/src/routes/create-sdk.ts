import { randomUUID } from 'node:crypto';
import { uuid5 } from '@landfall/bus';
import { CreateLink, destination, metadata } from '@landfall/contracts';
import { z } from 'zod';
import { ApiError } from '../errors.ts';
import { createdView } from '../link-view.ts';
import { orRefuse, route } from '../route.ts';
import { createdLink, tolerated } from './fields.ts';

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

export const createSdk = route({
  method: 'POST',
  path: '/api/links/create-sdk',
  name: 'createLink',
  tag: 'links',
  summary: 'Create a deep link',
  spec: '4.2',
  auth: 'key',
  limit: 'create-link',
  headers: { 'Idempotency-Key': 'The same key makes the same link, however often it is sent.' },
  body: z.object({ destination: destination(), metadata: metadata().optional(), ...tolerated }),
  reply: z.object({ link: createdLink }),
  errors: ['GENERATED_LINKS_LIMIT_REACHED', 'APP_NOT_FOUND', 'IDEMPOTENCY_KEY_REUSED'],
  async handle({ body, key: { app }, header }, { bus, config }) {
    const answer = await bus.ask(
      CreateLink,
      {
        appId: app.id,
        destination: body.destination,
        metadata: body.metadata ?? {},
        random: randomSlugPart(),
        plan: app.plan,
      },
      { id: linkId(app.id, header('idempotency-key')) },
    );
    if (!answer.ok && answer.refusal.code === 'GENERATED_LINKS_LIMIT_REACHED') {
      throw limitReached(answer.refusal.facts);
    }
    return { link: createdView(app, orRefuse(answer).link, config) };
  },
});

/** 68 bits as 14 characters of a-z and 0-9. Random UUIDs come out of a pool, which random bytes do not. */
function randomSlugPart(): string {
  const hex = randomUUID().replaceAll('-', '');
  // Without the digits that say that it is a UUID.
  return BigInt(`0x${hex.slice(0, 12)}${hex.slice(27)}`)
    .toString(36)
    .padStart(14, '0');
}

/** The message's id, which becomes the link's. */
function linkId(appId: string, idempotencyKey: string | undefined): string {
  if (idempotencyKey === undefined) return randomUUID();
  if (!IDEMPOTENCY_KEY.test(idempotencyKey)) {
    throw new ApiError('INVALID_REQUEST', [
      { path: 'Idempotency-Key', message: 'must be 1 to 255 printable ASCII characters without spaces' },
    ]);
  }
  return uuid5(appId, `create-link ${idempotencyKey}`);
}

/** Spec 7: the 403 of a plan's limit. There is no plan to move to that we know of, and the SDK reads text or null. */
function limitReached(facts: { currentCount: number; limit: number; plan: string }): ApiError {
  const body = { reason: 'GENERATED_LINKS_LIMIT_REACHED', limitReached: true, upgradeRequired: null, ...facts };
  return new ApiError('GENERATED_LINKS_LIMIT_REACHED', undefined, { body });
}
