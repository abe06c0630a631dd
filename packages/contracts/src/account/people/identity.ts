// Messages about the secrets with which an app's backend signs the identity of the app's users.
import { z } from 'zod';
import { request } from '../../define.ts';
import { instant, sealed, text, uuid } from '../../fields.ts';
import { APP_NOT_FOUND, FORBIDDEN } from '../apps.ts';
import { MAX_OVERLAP_SECONDS } from '../keys.ts';
import { actor } from './rights.ts';

/** A secret without its plaintext. */
export const IdentitySecret = z.object({
  id: uuid(),
  /** The beginning of the secret, so that a person can recognise it. */
  hint: text(20),
  createdAt: instant(),
  /** Signatures of the secret are refused from this time on. Null: it does not expire. */
  expiresAt: instant().nullable(),
});
export type IdentitySecret = z.output<typeof IdentitySecret>;

const secrets = z.array(IdentitySecret).max(10);

export const MakeIdentitySecret = request({
  kind: 'command',
  name: 'MakeIdentitySecret',
  description: 'Creates a secret that signs the identity of app users. The previous one expires after an overlap.',
  topic: 'account.commands',
  /** The sender made the secret and shows it once. */
  input: z.object({
    actor: actor(),
    appId: uuid(),
    secret: sealed('identity secret'),
    hint: text(20),
    overlapSeconds: z.int().min(0).max(MAX_OVERLAP_SECONDS),
  }),
  reply: z.object({ secret: IdentitySecret, secrets }),
  refusals: { APP_NOT_FOUND, FORBIDDEN },
  key: (input) => input.appId,
});

export const ListIdentitySecrets = request({
  kind: 'query',
  name: 'ListIdentitySecrets',
  description:
    'Lists the secrets that sign the identity of app users, without their plaintexts and without expired ones.',
  topic: 'account.queries',
  input: z.object({ appId: uuid() }),
  reply: z.object({ secrets }),
  refusals: { APP_NOT_FOUND },
  key: (input) => input.appId,
});

export const RemoveIdentitySecret = request({
  kind: 'command',
  name: 'RemoveIdentitySecret',
  description: 'Removes a secret that signs the identity of app users, at once.',
  topic: 'account.commands',
  input: z.object({ actor: actor(), appId: uuid(), secretId: uuid() }),
  reply: z.object({ secrets }),
  refusals: {
    APP_NOT_FOUND,
    FORBIDDEN,
    IDENTITY_SECRET_NOT_FOUND: z.object({}),
    /** The app requires tokens, and has no other secret without an expiry. */
    IDENTITY_SECRET_NEEDED: z.object({}),
  },
  key: (input) => input.appId,
});
