// How an app's backend vouches for who the app's users are: a secret of the app signs what it says.
import { z } from 'zod';
import { request } from '../../define.ts';
import { instant, sealed, text, uuid } from '../../fields.ts';
import { APP_NOT_FOUND, FORBIDDEN } from '../apps.ts';
import { MAX_OVERLAP_SECONDS } from '../keys.ts';
import { actor } from './rights.ts';

/** A secret without its plaintext. */
export const IdentitySecret = z.object({
  id: uuid(),
  /** Its beginning, so that a person can tell it from others. */
  hint: text(20),
  createdAt: instant(),
  /** From then on what it signed is refused; null: it does not expire. */
  expiresAt: instant().nullable(),
});
export type IdentitySecret = z.output<typeof IdentitySecret>;

const secrets = z.array(IdentitySecret).max(10);

export const MakeIdentitySecret = request({
  kind: 'command',
  name: 'MakeIdentitySecret',
  description: 'Gives an app another secret that signs who its users are; the one before expires after an overlap.',
  topic: 'account.commands',
  /** The secret was made by the asker, who shows it once. */
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
    'The secrets that sign who the users of an app are, without their plaintexts: those that have not expired.',
  topic: 'account.queries',
  input: z.object({ appId: uuid() }),
  reply: z.object({ secrets }),
  refusals: { APP_NOT_FOUND },
  key: (input) => input.appId,
});

export const RemoveIdentitySecret = request({
  kind: 'command',
  name: 'RemoveIdentitySecret',
  description: 'Takes a secret that signs who the users of an app are from it, at once.',
  topic: 'account.commands',
  input: z.object({ actor: actor(), appId: uuid(), secretId: uuid() }),
  reply: z.object({ secrets }),
  refusals: {
    APP_NOT_FOUND,
    FORBIDDEN,
    IDENTITY_SECRET_NOT_FOUND: z.object({}),
    /** The app asks for tokens, and has no other secret that stays. */
    IDENTITY_SECRET_NEEDED: z.object({}),
  },
  key: (input) => input.appId,
});
