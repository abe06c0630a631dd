// Shared parts of repositories: they store and read hashes, times and pages.

/** Hashes are base64url everywhere but in the database, which stores them as bytes. */
export const toBytes = (hash: string): Buffer<ArrayBuffer> => Buffer.from(hash, 'base64url');

export const toHash = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

/** The place of a row in a list, latest first. */
export interface Place {
  at: Date;
  id: string;
}

/** The condition for the rows after the place of a cursor. */
export const createdBefore = (place: Place | null) =>
  place ? { OR: [{ createdAt: { lt: place.at } }, { createdAt: place.at, id: { lt: place.id } }] } : {};

export const latestFirst = () => [{ createdAt: 'desc' as const }, { id: 'desc' as const }];

/** Stores when the keys, shares or tokens ($1) were last used ($2). A time older than the stored one changes nothing. */
export const lastUsed = (table: 'keys' | 'shares' | 'tokens'): string => `
  update account.${table} t set last_used_at = u.at
  from (select id, max(at) as at from unnest($1::uuid[], $2::timestamptz[]) as u(id, at) group by id) u
  where t.id = u.id and (t.last_used_at is null or t.last_used_at < u.at)`;
