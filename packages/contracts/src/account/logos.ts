// Messages about logos of apps. The gateway has checked and re-encoded each image before it sends it.
import { z } from 'zod';
import { request } from '../define.ts';
import { uuid } from '../fields.ts';
import { APP_NOT_FOUND, App, FORBIDDEN } from './apps.ts';
import { logoHash } from './branding.ts';
import { actor } from './people/rights.ts';

/** A PNG in base64. 256 × 256 pixels with 256 colours need less than 100 KB. */
const image = () => z.base64().min(1).max(200_000);

export const SetLogo = request({
  kind: 'command',
  name: 'SetLogo',
  description: 'Replaces or removes the logo of an app.',
  topic: 'account.commands',
  /** Null removes the logo. */
  input: z.object({ actor: actor(), appId: uuid(), image: image().nullable() }),
  reply: z.object({ app: App }),
  refusals: { APP_NOT_FOUND, FORBIDDEN },
  key: (input) => input.appId,
});

export const FindLogo = request({
  kind: 'query',
  name: 'FindLogo',
  description: 'Finds a logo by its SHA-256.',
  topic: 'account.queries',
  input: z.object({ hash: logoHash() }),
  reply: z.object({ image: image() }),
  refusals: { LOGO_NOT_FOUND: z.object({}) },
  key: (input) => input.hash,
});
