// Makes a link. The routes for one link and for many links share it.

import { randomUUID } from 'node:crypto';
import { type Answer, type Bus, uuid5 } from '@landfall/bus';
import {
  type Actor,
  CreateLink,
  type InputOf,
  type JsonObject,
  type KeyKind,
  type Link,
  type LinkFields,
} from '@landfall/contracts';
import { ApiError, orRefuse } from '@landfall/http';
import { z } from 'zod';
import { shortSlugs } from '../links/slugs.ts';
import type { KnownKey } from '../lookups/lookups.ts';

/** No spaces, because {@link linkId} separates words with them. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/** The idempotency key. Requests with the same key make one link. */
export const idempotencyKey = () =>
  z.string().regex(IDEMPOTENCY_KEY, 'must be 1 to 255 printable ASCII characters without spaces');

/** The header's entry in the OpenAPI document. */
export const idempotencyHeader = {
  'Idempotency-Key': {
    description:
      'Requests with the same key make one link. Keys sent with a mobile key, with a server key and to the management API are separate.',
    pattern: IDEMPOTENCY_KEY.source,
  },
};

export interface Wanted {
  destination: string;
  metadata?: JsonObject | undefined;
  idempotencyKey?: string | undefined;
  /** Makes a slug of seven characters. */
  short?: boolean | undefined;
  /** What only servers and people give. A body of an app may have other fields: they are ignored. */
  more?: Partial<Pick<InputOf<typeof CreateLink>, keyof LinkFields | 'slug' | 'expiresAt'>>;
}

/** Who makes a link: an SDK key of its kind, or the management API. Each has its own idempotency keys. */
type MadeBy = KeyKind | 'manage';

interface For extends Pick<KnownKey, 'app'> {
  kind: MadeBy;
  /** The maker, if it is no key. */
  actor?: Actor;
  /** Whether the link gets an entry in the audit log. */
  audited?: boolean;
}

/** Makes a link for an app. */
export async function makeLink(
  { app, kind, actor, audited = false }: For,
  wanted: Wanted,
  bus: Bus,
): Promise<Answer<typeof CreateLink>> {
  return bus.ask(
    CreateLink,
    {
      appId: app.id,
      destination: wanted.destination,
      metadata: wanted.metadata ?? {},
      random: randomSlugPart(),
      plan: app.plan,
      labelKeys: app.labels,
      ...(actor && { madeBy: { kind: actor.kind, userId: actor.userId } }),
      ...(actor && audited && { by: { actor, teamId: app.teamId } }),
      ...(wanted.short === true && { shortSlugs: shortSlugs() }),
      ...wanted.more,
      ...(wanted.idempotencyKey !== undefined && { repeatable: true }),
    },
    { id: linkId(app.id, kind, wanted.idempotencyKey) },
  );
}

/** Made once, because making it costs more than all its checks in a request. */
const optionalKey = idempotencyKey().optional();

/** Returns the idempotency key in the header of a request. Throws INVALID_REQUEST. */
export function givenKey(given: string | undefined): string | undefined {
  const parsed = optionalKey.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new ApiError('INVALID_REQUEST', [{ path: 'Idempotency-Key', message: parsed.error.issues[0]!.message }]);
}

/** Returns the created link. Throws its refusal. */
export function orLimit(answer: Answer<typeof CreateLink>): Link {
  if (!answer.ok && answer.refusal.code === 'GENERATED_LINKS_LIMIT_REACHED') throw limitReached(answer.refusal.facts);
  return orTaken(answer);
}

/** The same for one of many links: its refusals have no fields of their own, but for free slugs. */
export function orTaken(answer: Answer<typeof CreateLink>): Link {
  if (!answer.ok && answer.refusal.code === 'SLUG_TAKEN') throw slugTaken(answer.refusal.facts);
  return orRefuse(answer).link;
}

/** Spec 7. There is no larger plan that we know of, and the SDK reads text or null. */
export function limitReached(facts: { currentCount: number; limit: number; plan: string }): ApiError {
  const body = { reason: 'GENERATED_LINKS_LIMIT_REACHED', limitReached: true, upgradeRequired: null, ...facts };
  return new ApiError('GENERATED_LINKS_LIMIT_REACHED', undefined, { body });
}

/** With free slugs that are like it. */
const slugTaken = ({ suggestions }: { suggestions: readonly string[] }): ApiError =>
  new ApiError('SLUG_TAKEN', [{ path: 'slug', message: 'is taken in this app' }], { body: { suggestions } });

/** Returns 68 bits as 14 characters of a-z and 0-9. Of random UUIDs, Node keeps a pool. */
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
export const linkId = (appId: string, kind: MadeBy, key: string | undefined): string => {
  if (key === undefined) return randomUUID();
  return uuid5(appId, kind === 'server' ? `create-link ${key}` : `create-link ${kind} ${key}`);
};
