// The secrets of an app that sign its users: the current one, and for a while the one before it.
import type { IdentitySecret } from '@landfall/contracts';

/** As an app's row holds it. */
export type StoredSecret = IdentitySecret & { sealed: string };

export const view = ({ sealed: _, ...secret }: StoredSecret): IdentitySecret => secret;

export const liveAt = (secrets: readonly StoredSecret[], now: Date): StoredSecret[] =>
  secrets.filter(({ expiresAt }) => expiresAt === null || new Date(expiresAt) > now);

/** True when tokens can be checked, as long as nothing changes. */
export const hasLasting = (secrets: readonly StoredSecret[]): boolean =>
  secrets.some(({ expiresAt }) => expiresAt === null);

/** Those with another one: the one that stayed so far stays for the overlap, and what came before it ends. */
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
