// One way to the provider and back. It lies sealed in the browser that began it, so that no other can end it.
import { destination, text } from '@landfall/contracts';
import type { Sealer } from '@landfall/runtime';
import { z } from 'zod';

const MINUTES = 10;
export const TRANSACTION_SECONDS = MINUTES * 60;

/** The page after the sign-in: a path of our own, never another site. */
export const ownPath = () => destination().max(512);

const secret = () => text(200).min(1);

const Transaction = z.object({
  id: z.uuid(),
  state: secret(),
  nonce: secret(),
  /** Of PKCE. */
  verifier: secret(),
  to: ownPath(),
  /** Milliseconds. */
  until: z.int(),
});
export type Transaction = z.output<typeof Transaction>;

export const sealTransaction = (sealer: Sealer, transaction: Omit<Transaction, 'until'>, now: Date): string =>
  sealer.seal('sign-in', JSON.stringify({ ...transaction, until: now.getTime() + MINUTES * 60_000 }));

/** Null when it is over, or nothing that we have sealed. */
export function openTransaction(sealer: Sealer, sealed: string | null, now: Date): Transaction | null {
  if (sealed === null) return null;
  const opened = open(sealer, sealed);
  return opened && now.getTime() < opened.until ? opened : null;
}

function open(sealer: Sealer, sealed: string): Transaction | null {
  try {
    return Transaction.parse(JSON.parse(sealer.open('sign-in', sealed)));
  } catch {
    return null;
  }
}
