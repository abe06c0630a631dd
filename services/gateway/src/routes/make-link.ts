// Makes a link. The routes for one link and for many links share it.
import { randomUUID } from 'node:crypto';
import { type Answer, uuid5 } from '@landfall/bus';
import { CreateLink, type JsonObject, type KeyKind } from '@landfall/contracts';
import { z } from 'zod';
import type { KnownKey } from '../lookups/lookups.ts';
import type { Uses } from '../routing/route.ts';

/** No spaces, because {@link linkId} separates words with them. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/** The idempotency key. Requests with the same key make one link. */
export const idempotencyKey = () =>
  z.string().regex(IDEMPOTENCY_KEY, 'must be 1 to 255 printable ASCII characters without spaces');

/** The header's entry in the OpenAPI document. */
export const idempotencyHeader = {
  'Idempotency-Key': {
    description:
      'Requests with the same key make one link. Keys sent with a mobile key are separate from those sent with a server key.',
    pattern: IDEMPOTENCY_KEY.source,
  },
};

export interface Wanted {
  destination: string;
  metadata?: JsonObject | undefined;
  idempotencyKey?: string | undefined;
}

/** Makes a link for the app of the SDK key. */
export const makeLink = (
  { app, kind }: Pick<KnownKey, 'app' | 'kind'>,
  wanted: Wanted,
  { bus }: Uses<'bus'>,
): Promise<Answer<typeof CreateLink>> =>
  bus.ask(
    CreateLink,
    {
      appId: app.id,
      destination: wanted.destination,
      metadata: wanted.metadata ?? {},
      random: randomSlugPart(),
      plan: app.plan,
      labelKeys: app.labels,
      ...(wanted.idempotencyKey !== undefined && { repeatable: true }),
    },
    { id: linkId(app.id, kind, wanted.idempotencyKey) },
  );

/**
 * Returns 68 bits as 14 characters of a-z and 0-9. It uses random UUIDs, because Node keeps a pool of them and not of
 * random bytes.
 */
function randomSlugPart(): string {
  const hex = randomUUID().replaceAll('-', '');
  // Skips the digits that mark it as a UUID.
  return BigInt(`0x${hex.slice(0, 12)}${hex.slice(27)}`)
    .toString(36)
    .padStart(14, '0');
}

/**
 * Returns the id of the message, which becomes the link's id. Every copy of an app contains its mobile key, so anybody
 * can send idempotency keys with it. They must not collide with those of a backend.
 */
const linkId = (appId: string, kind: KeyKind, key: string | undefined): string => {
  if (key === undefined) return randomUUID();
  return uuid5(appId, kind === 'server' ? `create-link ${key}` : `create-link ${kind} ${key}`);
};
