// Versions as HTTP knows them: an edit may say which state it was made of.
import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from './errors.ts';

export const etag = ({ version }: { version: number }): string => `"${version}"`;

/** The version that `If-Match` asks for; null when it asks for none. Throws 400 for what is no ETag of ours. */
export function ifVersion(headers: IncomingHttpHeaders): number | null {
  const given = headers['if-match'];
  if (given === undefined || given.trim() === '*') return null;
  const [, version] = /^\s*"(\d{1,9})"\s*$/.exec(given) ?? [];
  if (version !== undefined) return Number(version);
  throw new ApiError('INVALID_REQUEST', [{ path: 'If-Match', message: 'must be the ETag of a reply, in its quotes' }]);
}

/** For the OpenAPI document. */
export const ifMatchHeader = {
  'If-Match': 'The ETag of the reply that the edit was made of: refused with 412 if it was changed since.',
};
