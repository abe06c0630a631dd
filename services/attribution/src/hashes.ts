// Hashes of what is compared. Messages carry them as base64url, and PostgreSQL stores them as bytes.
import { hash } from 'node:crypto';

export const sha256 = (text: string | null): string | null =>
  text === null ? null : hash('sha256', text, 'base64url');

/** Returns one value for an address and a user agent, to compare it with another. Null when one of them is unknown. */
export const fromWhere = (address: string | null, userAgent: string | null): string | null =>
  address === null || userAgent === null ? null : sha256(`${address} ${userAgent}`);
