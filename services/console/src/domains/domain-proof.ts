// Checks in DNS that a custom domain belongs to the app that claims it.

import { Resolver } from 'node:dns/promises';
import { ApiError } from '@landfall/http';
import type { Domain } from './domain.ts';

/** Returns the DNS record that the owner of a domain must add. */
export const recordOf = ({ domain, token }: Pick<Domain, 'domain' | 'token'>) => ({
  type: 'TXT' as const,
  name: `_landfall.${domain}`,
  value: `landfall-verify=${token}`,
});

const WITHIN_MS = 4_000;
/** Codes for an unknown name, or a name without TXT records. */
const NOTHING = ['ENOTFOUND', 'ENODATA'];

/**
 * Resolves when the record is there. Throws DOMAIN_UNPROVEN with the missing record, and DNS_SILENT when no server
 * answers in four seconds.
 * @param servers DNS servers; those of this machine when empty
 */
export async function assertProven(claim: Pick<Domain, 'domain' | 'token'>, servers: readonly string[]): Promise<void> {
  const { name, value } = recordOf(claim);
  const found = await textsOf(name, servers);
  if (found.includes(value)) return;
  const message =
    found.length === 0
      ? 'has no TXT record, as far as the DNS servers know'
      : `has a TXT record, but none with the value ${value}`;
  throw new ApiError('DOMAIN_UNPROVEN', [{ path: name, message }]);
}

async function textsOf(name: string, servers: readonly string[]): Promise<string[]> {
  // A new resolver for each check, because it has no cache.
  const resolver = new Resolver({ timeout: 1_000, tries: 2 });
  if (servers.length > 0) resolver.setServers(servers);
  const late = setTimeout(() => resolver.cancel(), WITHIN_MS);
  try {
    // DNS splits a long text into pieces.
    return (await resolver.resolveTxt(name)).map((pieces) => pieces.join('').trim());
  } catch (error) {
    if (NOTHING.includes((error as { code?: string }).code ?? '')) return [];
    throw new ApiError('DNS_SILENT', undefined, { headers: { 'Retry-After': '5' } });
  } finally {
    clearTimeout(late);
  }
}
