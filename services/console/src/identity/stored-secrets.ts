// Reads the identity secrets from the row of an app.
import { z } from 'zod';
import { IdentitySecret, type StoredSecret } from './rotation.ts';

const Stored = z.array(IdentitySecret.extend({ sealed: z.string() }));

/** @param stored JSON; null: there are none */
export const readSecrets = (stored: unknown): StoredSecret[] => Stored.parse(stored ?? []);
