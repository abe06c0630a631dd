// Reads the identity secrets from the row of an app.
import { IdentitySecret } from '@landfall/contracts';
import { z } from 'zod';
import type { StoredSecret } from './domain/identity-secrets.ts';

const Stored = z.array(IdentitySecret.extend({ sealed: z.string() }));

/** @param stored JSON; null: there are none */
export const readSecrets = (stored: unknown): StoredSecret[] => Stored.parse(stored ?? []);
