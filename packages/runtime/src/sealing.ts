// Fields that travel between services are sealed: encrypted and bound to their purpose. So no topic, log or dead letter
// holds them in clear text, and no sealed field can be used for another purpose.
import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, randomBytes } from 'node:crypto';
import type { SealedFor } from '@landfall/contracts';
import { z } from 'zod';

const VERSION = 'v1.';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export const SealConfig = z.object({
  SEAL_SECRET: z
    .string()
    .min(32, 'must be at least 32 characters')
    .describe(
      'What people give us (passwords, credentials) is encrypted under it on its way between services; credentials of push are also stored so.',
    )
    .meta({ secret: true, fallback: 'made by `npm start`, kept in LANDFALL_DATA' }),
});

export type Sealer = ReturnType<typeof createSealer>;

/** AES-256-GCM. The secret is the same in all processes. */
export function createSealer(secret: string) {
  // A key in bytes would be prepared again for each field. That takes three times as long as the rest.
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'landfall sealed fields', 32)));
  return {
    /** Sealing the same text twice gives two different results. */
    seal(purpose: SealedFor, text: string): string {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose));
      const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return VERSION + sealed.toString('base64url');
    },
    /** Throws when it was sealed for another purpose or under another secret, or was changed since. */
    open(purpose: SealedFor, sealed: string): string {
      const bytes = Buffer.from(sealed.slice(VERSION.length), 'base64url');
      if (!sealed.startsWith(VERSION) || bytes.length < NONCE_BYTES + TAG_BYTES) throw new Error('this is not sealed');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(purpose))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    },
  };
}
