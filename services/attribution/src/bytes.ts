// Converts hashes. Messages carry them as base64url, and PostgreSQL stores them as bytes.
import { hash } from 'node:crypto';

export const toBytes = (text: string | null): Buffer | null => (text === null ? null : Buffer.from(text, 'base64url'));

export const toText = (bytes: Buffer | null): string | null => bytes?.toString('base64url') ?? null;

export const sha256 = (text: string | null): string | null =>
  text === null ? null : hash('sha256', text, 'base64url');

/** Returns one value for an address and a user agent, to compare it with another. Null when one of them is unknown. */
export const fromWhere = (address: string | null, userAgent: string | null): string | null =>
  address === null || userAgent === null ? null : sha256(`${address} ${userAgent}`);

const SHORT_BYTES = 8;

/** Joins short hashes, 8 bytes each. */
export const toJoinedBytes = (texts: readonly string[] | null): Buffer | null =>
  texts === null ? null : Buffer.concat(texts.map((text) => Buffer.from(text, 'base64url')));

/** Splits what {@link toJoinedBytes} joined. */
export const toTexts = (bytes: Buffer | null): string[] | null =>
  bytes &&
  Array.from({ length: bytes.length / SHORT_BYTES }, (_, i) =>
    bytes.toString('base64url', i * SHORT_BYTES, (i + 1) * SHORT_BYTES),
  );
