// The secrets with which an app signs its users: the current one and, for some time, the previous one.
import { instant, text, uuid } from '@landfall/contracts';
import { z } from 'zod';

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

const StoredSecret = IdentitySecret.extend({ sealed: z.string() });
export type StoredSecret = z.output<typeof StoredSecret>;

/** @param stored JSON; null: there are none */
export const readSecrets = (stored: unknown): StoredSecret[] => z.array(StoredSecret).parse(stored ?? []);

export const view = ({ sealed: _, ...secret }: StoredSecret): IdentitySecret => secret;

export const liveAt = (secrets: readonly StoredSecret[], now: Date): StoredSecret[] =>
  secrets.filter(({ expiresAt }) => expiresAt === null || new Date(expiresAt) > now);

/** Returns true if one of the secrets has no expiry, so that tokens can always be checked. */
export const hasLasting = (secrets: readonly StoredSecret[]): boolean =>
  secrets.some(({ expiresAt }) => expiresAt === null);

/** Adds a secret. The one without an expiry now expires after the overlap. Expired ones are removed. */
export function rotate(
  before: readonly StoredSecret[],
  made: Omit<StoredSecret, 'createdAt' | 'expiresAt'>,
  overlapSeconds: number,
  now: Date,
): StoredSecret[] {
  const until = new Date(now.getTime() + overlapSeconds * 1_000).toISOString();
  const replaced = before.filter(({ expiresAt }) => expiresAt === null).map((one) => ({ ...one, expiresAt: until }));
  return [...liveAt(replaced, now), { ...made, createdAt: now.toISOString(), expiresAt: null }];
}
