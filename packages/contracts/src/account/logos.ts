// Finds logos of apps.
import { z } from 'zod';
import { request } from '../define.ts';
import { logoHash } from './branding.ts';

/** A PNG in base64. 256 × 256 pixels with 256 colours need less than 100 KB. */
const image = () => z.base64().min(1).max(200_000);

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
