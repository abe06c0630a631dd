// Making a link: what the routes that make one and that make many have in common.
import { randomUUID } from 'node:crypto';
import { type Answer, uuid5 } from '@landfall/bus';
import { CreateLink, type JsonObject, type KeyKind } from '@landfall/contracts';
import { z } from 'zod';
import type { KnownKey } from '../lookups/lookups.ts';
import type { GatewayParts } from '../routing/route.ts';

/** No spaces: {@link linkId} sets words apart with them. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/** The key that makes repeated requests one link. */
export const idempotencyKey = () =>
  z.string().regex(IDEMPOTENCY_KEY, 'must be 1 to 255 printable ASCII characters without spaces');

/** For the OpenAPI document. */
export const idempotencyHeader = {
  'Idempotency-Key': {
    description:
      'The same key makes the same link, however often it is sent. Those of mobile and server keys are apart.',
    pattern: IDEMPOTENCY_KEY.source,
  },
};

export interface Wanted {
  destination: string;
  metadata?: JsonObject | undefined;
  idempotencyKey?: string | undefined;
}

/** For whoever has the SDK key. */
export const makeLink = (
  { app, kind }: Pick<KnownKey, 'app' | 'kind'>,
  wanted: Wanted,
  { bus }: GatewayParts,
): Promise<Answer<typeof CreateLink>> =>
  bus.ask(
    CreateLink,
    {
      appId: app.id,
      destination: wanted.destination,
      metadata: wanted.metadata ?? {},
      random: randomSlugPart(),
      plan: app.plan,
      ...(wanted.idempotencyKey !== undefined && { repeatable: true }),
    },
    { id: linkId(app.id, kind, wanted.idempotencyKey) },
  );

/** 68 bits as 14 characters of a-z and 0-9. Random UUIDs come out of a pool, which random bytes do not. */
function randomSlugPart(): string {
  const hex = randomUUID().replaceAll('-', '');
  // Without the digits that say that it is a UUID.
  return BigInt(`0x${hex.slice(0, 12)}${hex.slice(27)}`)
    .toString(36)
    .padStart(14, '0');
}

/**
 * The message's id, which becomes the link's. A mobile key is in every copy of an app, so everybody can send idempotency keys
 * with it: they must not be those of a backend.
 */
const linkId = (appId: string, kind: KeyKind, key: string | undefined): string => {
  if (key === undefined) return randomUUID();
  return uuid5(appId, kind === 'server' ? `create-link ${key}` : `create-link ${kind} ${key}`);
};
