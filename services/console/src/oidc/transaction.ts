// The state of one sign-in at the provider. It is sealed in the browser that began it, so that no other can end it.
import { ownPath as resolved } from '@landfall/api-client/own-path';
import { destination, text } from '@landfall/contracts';
import type { Sealer } from '@landfall/runtime';
import { z } from 'zod';

export const TRANSACTION_SECONDS = 600;

/** The page after sign-in: a path of our own, never another site. */
export const ownPath = () =>
  destination()
    .max(512)
    .refine((to) => resolved(to) !== null, { error: 'must be a path on this host' });

const secret = () => text(200).min(1);

const Transaction = z.object({
  id: z.uuid(),
  state: secret(),
  nonce: secret(),
  /** The code verifier of PKCE. */
  verifier: secret(),
  to: ownPath(),
  /** The end of its validity, in milliseconds. */
  until: z.int(),
});
export type Transaction = z.output<typeof Transaction>;

export const sealTransaction = (sealer: Sealer, transaction: Omit<Transaction, 'until'>, now: Date): string =>
  sealer.seal('sign-in', JSON.stringify({ ...transaction, until: now.getTime() + TRANSACTION_SECONDS * 1_000 }));

/** Opens a sealed state. Null when it has expired, or when we did not seal it. */
export function openTransaction(sealer: Sealer, sealed: string | null, now: Date): Transaction | null {
  if (sealed === null) return null;
  try {
    const opened = Transaction.parse(JSON.parse(sealer.open('sign-in', sealed)));
    return now.getTime() < opened.until ? opened : null;
  } catch {
    return null;
  }
}
