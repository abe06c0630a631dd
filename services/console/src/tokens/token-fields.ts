// Tokens, as replies show them. A personal token has the rights of its person in one team, or fewer rights. An owner
// token may do everything.
import { instant, Scope, text, uuid } from '@landfall/contracts';
import { z } from 'zod';
import { anyTime } from '../routes/manage-fields.ts';

const Token = z.object({
  id: uuid(),
  userId: uuid(),
  teamId: uuid(),
  scope: Scope,
  label: text(200),
  /** The first characters of the token. */
  hint: text(20),
  createdAt: instant(),
  expiresAt: instant().nullable(),
  lastUsedAt: instant().nullable(),
  revokedAt: instant().nullable(),
});
export type Token = z.output<typeof Token>;

/** It belongs to the operator. */
const OwnerToken = Token.omit({ userId: true, teamId: true, scope: true });
export type OwnerToken = z.output<typeof OwnerToken>;

export const tokenView = Token.describe('A token without its plaintext, which is shown only once, at its creation.');
export const ownerTokenView = OwnerToken.describe(
  'An owner token without its plaintext, which is shown only once, at its creation.',
);

export const plaintext = z.string().describe('It is not stored: save it now.');

export const expiry = () =>
  anyTime().nullable().default(null).describe('The token is refused from this time on. Null: never.');
