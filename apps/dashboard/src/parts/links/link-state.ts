import type { Link } from '@landfall/api-client';

/** Returns the state of a link, as the API filters by it. */
export function stateOf({
  archivedAt,
  expiresAt,
}: Pick<Link, 'archivedAt' | 'expiresAt'>): 'live' | 'expired' | 'archived' {
  if (archivedAt !== null) return 'archived';
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'live';
}
