// Making a link: what the routes that make one and that make many have in common.
import { randomUUID } from 'node:crypto';
import { type Answer, uuid5 } from '@landfall/bus';
import { type App, CreateLink, type JsonObject } from '@landfall/contracts';
import { z } from 'zod';
import type { GatewayParts } from '../route.ts';

/** What makes one link of the same request, however often it is sent. */
export const idempotencyKey = () =>
  z.string().regex(/^[\x21-\x7e]{1,255}$/, 'must be 1 to 255 printable ASCII characters without spaces');

export interface Wanted {
  destination: string;
  metadata?: JsonObject | undefined;
  idempotencyKey?: string | undefined;
}

export const makeLink = (app: App, wanted: Wanted, { bus }: GatewayParts): Promise<Answer<typeof CreateLink>> =>
  bus.ask(
    CreateLink,
    {
      appId: app.id,
      destination: wanted.destination,
      metadata: wanted.metadata ?? {},
      random: randomSlugPart(),
      plan: app.plan,
    },
    { id: linkId(app.id, wanted.idempotencyKey) },
  );

/** 68 bits as 14 characters of a-z and 0-9. Random UUIDs come out of a pool, which random bytes do not. */
function randomSlugPart(): string {
  const hex = randomUUID().replaceAll('-', '');
  // Without the digits that say that it is a UUID.
  return BigInt(`0x${hex.slice(0, 12)}${hex.slice(27)}`)
    .toString(36)
    .padStart(14, '0');
}

/** The message's id, which becomes the link's. */
const linkId = (appId: string, key: string | undefined): string =>
  key === undefined ? randomUUID() : uuid5(appId, `create-link ${key}`);
