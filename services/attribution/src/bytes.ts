// Hashes travel as base64url and lie in PostgreSQL as bytes.
import { hash } from 'node:crypto';

export const toBytes = (text: string | null): Buffer | null => (text === null ? null : Buffer.from(text, 'base64url'));

export const toText = (bytes: Buffer | null): string | null => bytes?.toString('base64url') ?? null;

export const sha256 = (text: string | null): string | null =>
  text === null ? null : hash('sha256', text, 'base64url');

/** An address and a user agent as one value, to be compared with another. Null where one of them is not known. */
export const fromWhere = (address: string | null, userAgent: string | null): string | null =>
  address === null || userAgent === null ? null : sha256(`${address} ${userAgent}`);
