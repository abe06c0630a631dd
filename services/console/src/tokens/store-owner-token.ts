// The token with which the operator manages the installation.
import { hash, randomUUID } from 'node:crypto';
import type { Database } from '@landfall/db';
import { tokenRepository } from './token-repository.ts';

/** Stores the hash of the token, unless it is already stored. */
export async function storeOwnerToken(
  database: Database,
  token: string,
  now: Date,
  label = 'OWNER_TOKEN',
): Promise<void> {
  await tokenRepository(database).ensure({ id: randomUUID(), hash: hash('sha256', token, 'base64url'), label, now });
}
